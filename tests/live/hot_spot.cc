// SPDX-License-Identifier: Apache-2.0
#include "live/hot_spot.h"

#include <sys/mman.h>

#include "live/child_process.h"

namespace nettoll::live {
namespace {

constexpr const char* kNftTable = "nettoll_hot_spot";

/// Addresses of 192.0.2.0/24 (RFC 5737) and ports that no test sends from or to: no rule matches, each is
/// tried.
std::string iptables_rules(unsigned rules) {
  std::string text = "*filter\n";
  for (unsigned i = 0; i < rules; ++i)
    text += fmt::format("-A INPUT -p udp -s 192.0.2.{} --dport {} -j DROP\n", 1 + i % 250, 20000 + i % 40000);
  return text + "COMMIT\n";
}

std::string nftables_rules(unsigned rules) {
  std::string text =
      fmt::format("table ip {} {{\nchain input {{\ntype filter hook input priority 0\n", kNftTable);
  for (unsigned i = 0; i < rules; ++i)
    text += fmt::format("ip saddr 192.0.2.{} udp dport {} drop\n", 1 + i % 250, 20000 + i % 40000);
  return text + "}\n}\n";
}

/// Runs `argv` with the path of a file that holds `text` as one more argument.
Status run_with_file(std::vector<std::string> argv, const std::string& text) {
  const UniqueFd file(::memfd_create("rules", MFD_CLOEXEC));
  if (!file) return system_error("cannot make a file for packet filter rules", errno);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return system_error("cannot write packet filter rules", errno);
  argv.push_back(fmt::format("/proc/{}/fd/{}", ::getpid(), file.get()));
  auto out = run_checked(argv);
  if (!out) return out.error();
  return {};
}

}  // namespace

const std::vector<std::string>& hot_functions(HotSpotKind kind) {
  static const std::vector<std::string> iptables{"ipt_do_table"};
  static const std::vector<std::string> nftables{"nft_do_chain"};
  return kind == HotSpotKind::iptables ? iptables : nftables;
}

Result<HotSpot> HotSpot::add(const NetNs& ns, HotSpotKind kind, unsigned rules) {
  auto status = ns.run([&] {
    return kind == HotSpotKind::iptables ? run_with_file({"iptables-legacy-restore"}, iptables_rules(rules))
                                         : run_with_file({"nft", "-f"}, nftables_rules(rules));
  });
  if (!status) return status.error();
  return HotSpot(ns, kind);
}

Status HotSpot::remove() {
  const NetNs* ns = std::exchange(ns_, nullptr);
  if (!ns) return {};
  return ns->run([&]() -> Status {
    auto out = kind_ == HotSpotKind::iptables ? run_checked({"iptables-legacy", "-F", "INPUT"})
                                              : run_checked({"nft", "delete", "table", "ip", kNftTable});
    if (!out) return out.error();
    return {};
  });
}

HotSpot::~HotSpot() {
  // Nobody is left to tell; the rules end with the namespace at the latest.
  if (const auto ignored = remove(); !ignored) return;
}

Result<HotSpotKind> usable_hot_spot() {
  auto ns = NetNs::create();
  if (!ns) return ns.error();
  std::string reasons;
  for (const HotSpotKind kind : {HotSpotKind::iptables, HotSpotKind::nftables}) {
    auto spot = HotSpot::add(*ns, kind, 1);
    if (spot) return kind;
    reasons += (reasons.empty() ? "" : "; ") + spot.error().text();
  }
  return failure("neither iptables-legacy nor nft works: " + reasons, "install iptables or nftables");
}

}  // namespace nettoll::live
