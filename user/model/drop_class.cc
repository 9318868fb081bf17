// SPDX-License-Identifier: Apache-2.0
#include "model/drop_class.h"

#include <string_view>

namespace nettoll {
namespace {

bool frees_in_any_context(std::string_view helper) {
  return helper == "dev_kfree_skb_any" || helper == "__dev_kfree_skb_any" ||
         helper == "dev_kfree_skb_any_reason" || helper == "__dev_kfree_skb_irq" ||
         helper == "dev_kfree_skb_irq_reason";
}

bool is_of_local_socket(const Drops& drop) {
  return drop.protocol == "none" && drop.device.empty() &&
         (drop.function.starts_with("unix_") || drop.function.starts_with("netlink_") ||
          drop.reason.starts_with("UNIX_"));
}

bool is_tx_completion(const Drops& drop) {
  // "unclassified" is the reason on kernels without reasons.
  if (drop.reason != "NOT_SPECIFIED" && drop.reason != "unclassified") return false;
  if (drop.protocol == "none" || drop.transmitting) return false;
  return frees_in_any_context(drop.helper) || frees_in_any_context(drop.function) ||
         drop.function == "net_tx_action";
}

}  // namespace

DropClass classify(const Drops& drop) {
  if (is_core(drop.subsystem)) {
    if (drop.reason == "CONSUMED" || drop.reason == "NOT_DROPPED_YET") return DropClass::consumed;
    if (drop.reason == "OTHERHOST") return DropClass::other_host;
  }
  if (is_of_local_socket(drop)) return DropClass::local_socket;
  return is_tx_completion(drop) ? DropClass::tx_completion : DropClass::loss;
}

bool is_core(std::string_view subsystem) {
  return subsystem.empty() || subsystem == "core";
}

std::string reason_text(const std::string& reason, const std::string& subsystem) {
  return is_core(subsystem) ? reason : subsystem + ":" + reason;
}

const char* name_of(DropClass c) {
  switch (c) {
    case DropClass::loss:
      return "loss";
    case DropClass::local_socket:
      return "local_socket";
    case DropClass::tx_completion:
      return "tx_completion";
    case DropClass::consumed:
      return "consumed";
    case DropClass::other_host:
      return "other_host";
  }
  return "";
}

const char* meaning_of(DropClass c) {
  switch (c) {
    case DropClass::loss:
      return "";
    case DropClass::local_socket:
      return "local message";
    case DropClass::tx_completion:
      return "sent packet";
    case DropClass::consumed:
      return "consumed packet";
    case DropClass::other_host:
      return "for another host";
  }
  return "";
}

}  // namespace nettoll
