// SPDX-License-Identifier: Apache-2.0
#include "host/vector_name.h"

#include <algorithm>
#include <string>

#include "host/text.h"

namespace nettoll {
namespace {

using Role = Vector::Role;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_separator(char c) {
  return std::string_view("-.:_ ").find(c) != std::string_view::npos;
}
std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return low;
}

/// What the last words before a queue's number mean, lower case. The first row that fits counts, so longer
/// ones stand before what they end in.
struct Ending {
  std::string_view text;
  Role role;
};
constexpr Ending kEndings[] = {
    {"tx-rx", Role::both},       // ena
    {"rx-tx", Role::both},       //
    {"txrx", Role::both},        // Intel, bnxt_en, hns3
    {"rxtx", Role::both},        // vmxnet3, nfp
    {"mlx5_comp", Role::both},   //
    {"mana_q", Role::both},      //
    {"input", Role::rx},         // virtio_net
    {"output", Role::tx},        // virtio_net
    {"virtqueues", Role::both},  // virtio_net with one vector for all
    {"rxq", Role::rx},           // hinic
    {"txq", Role::tx},           // hinic
    {"rx", Role::rx},            //
    {"tx", Role::tx},            //
    {"fp", Role::both},          // bnx2x, qede: fast path
};

/// Words that stand for neither: link changes, commands, errors.
constexpr std::string_view kOthers[] = {"config", "control", "ctrl",       "misc",      "mgmnt", "mgmt",
                                        "event",  "async",   "adminq",     "cmd_eq",    "err",   "pages_eq",
                                        "aeq",    "notify",  "mailbox",    "link",      "lsc",   "mac",
                                        "mbx",    "vec0",    "mlx5_async", "mlx4-async"};

bool ends_with_word(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  const size_t before = text.size() - word.size();
  return before == 0 || is_separator(text[before - 1]);
}

/// "eth0-q3-rx": Xen names the queue before the direction.
std::optional<uint32_t> queue_before(std::string_view words) {
  const size_t dash = words.rfind("-q");
  if (dash == std::string_view::npos) return std::nullopt;
  return number_of<uint32_t>(words.substr(dash + 2));
}

VectorMeaning meaning_of_one(std::string_view whole, std::string_view device) {
  // Behind an @ is the bus address.
  const std::string name = lower(whole.substr(0, whole.find('@')));
  const std::string own = lower(device);
  std::string_view words = name;
  size_t digits = 0;
  while (digits < words.size() && is_digit(words[words.size() - 1 - digits])) ++digits;
  const auto queue = number_of<uint32_t>(words.substr(words.size() - digits));
  // A name that is no more than the device's tells nothing, though it may end in a digit.
  if (words == own) return {};
  words.remove_suffix(digits);
  if (digits > 0 && !words.empty() && is_separator(words.back())) words.remove_suffix(1);

  for (const std::string_view other : kOthers) {
    if (ends_with_word(words, other) || ends_with_word(name, other)) return {Role::other, std::nullopt};
  }
  for (const Ending& ending : kEndings) {
    if (!ends_with_word(words, ending.text)) continue;
    if (queue || digits > 0) return {ending.role, queue};
    return {ending.role,
            queue_before(words.substr(0, words.size() - std::min(words.size(), ending.text.size() + 1)))};
  }
  // "eth2-3", "eth2-q3".
  if (queue && !own.empty() && (words == own || words == own + "-q")) return {Role::both, queue};
  return {};
}

/// Calls `take` with each of several names until it returns true.
template <typename Take>
void each_handler(std::string_view names, Take take) {
  while (!names.empty()) {
    const size_t comma = names.find(',');
    if (take(trimmed(names.substr(0, comma)))) return;
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
}

}  // namespace

VectorMeaning meaning_of_vector(std::string_view name, std::string_view device) {
  VectorMeaning meaning;
  each_handler(name, [&](std::string_view handler) {
    meaning = meaning_of_one(handler, device);
    return meaning.role != Role::unknown;
  });
  return meaning;
}

bool names_device(std::string_view name, std::string_view device) {
  if (device.empty()) return false;
  bool found = false;
  each_handler(name, [&](std::string_view handler) {
    for (size_t at = handler.find(device); at != std::string_view::npos; at = handler.find(device, at + 1)) {
      const size_t end = at + device.size();
      const bool starts = at == 0 || is_separator(handler[at - 1]);
      const bool ends = end == handler.size() || is_separator(handler[end]) || handler[end] == '@';
      found = found || (starts && ends);
    }
    return found;
  });
  return found;
}

}  // namespace nettoll
