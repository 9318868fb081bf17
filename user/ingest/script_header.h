// SPDX-License-Identifier: Apache-2.0
// The lines that begin with "#" in `perf script --header` text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/capture_facts.h"
#include "model/event.h"

namespace nettoll {

/// What such lines say. Events are in their order, with what of them is known.
struct ScriptHeader {
  CaptureFacts facts;
  std::vector<Event> events;
};

/// Takes one line, which begins with '#', into the header; what is of no use is left out.
void parse_script_header(std::string_view line, ScriptHeader& header);

}  // namespace nettoll
