// SPDX-License-Identifier: Apache-2.0
// The words of the model as labels, JSON and recordings spell them.
#pragma once

#include <optional>
#include <string_view>

#include "model/finding.h"
#include "model/foreign.h"
#include "model/function.h"
#include "model/ledger.h"
#include "model/net.h"

namespace nettoll {

std::string_view name_of(Path path);
std::string_view name_of(Method method);
std::string_view name_of(CountState state);
std::string_view name_of(LossKind kind);
std::string_view name_of(SymbolKind kind);
std::string_view name_of(Severity severity);
std::string_view name_of(Check::Outcome outcome);
std::string_view name_of(Confidence confidence);
std::string_view name_of(DropLayer layer);
std::string_view name_of(UnnamedCause cause);

/// The vectors of include/linux/interrupt.h in lower case: "net_rx"; "unknown" past the last.
std::string_view softirq_name(uint32_t vector);

}  // namespace nettoll
