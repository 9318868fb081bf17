// SPDX-License-Identifier: Apache-2.0
// Lines of `perf script` text, taken apart (tools/perf/builtin-script.c). Pure functions; views are into the
// line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nettoll {

/// "comm pid/tid [cpu] time: period event: rest". There must be one of: a pid with a time or an event; a comm
/// with a time and an event; a comm with a period and an event. A comm may hold spaces. A lone number between
/// comm and event is told by its column, and is no head where that is neither a thread's nor a period's.
struct ScriptSample {
  std::string_view comm;
  std::optional<int64_t> pid;  ///< of the thread where only one number is printed
  std::optional<uint32_t> cpu;
  std::optional<uint64_t> time_ns;
  std::optional<uint64_t> period;
  std::string_view event;  ///< without its last colon; "" where it is not printed
  std::string_view rest;   ///< behind the event, or behind the time where a record is printed there
};

/// Takes the head of a sample apart, and that of another record ("PERF_RECORD_..." then stands in `rest`).
/// Nothing where the line is no head.
std::optional<ScriptSample> parse_script_sample(std::string_view line);

/// True for what would be a sample's head if it said its thread: "cc1plus cpu-clock:", "12.5: cycles:". To be
/// asked for lines that are no head.
bool lacks_its_thread(std::string_view line);

/// A frame: "ffffffff81e65193 __netif_receive_skb_core+0x333 ([kernel.kallsyms])".
struct ScriptFrame {
  std::optional<uint64_t> address;
  std::string_view symbol;  ///< without its offset; "[unknown]" as printed, "" where only the address is
  std::string_view dso;     ///< without its brackets, "" where it is not printed
};

/// Takes a frame apart. Nothing where the line begins with no address and ends in no DSO.
std::optional<ScriptFrame> parse_script_frame(std::string_view line);

/// The frame in what is behind the event where the whole sample is one line; nothing where that is something
/// else, as the fields of a tracepoint. perf prints addresses 16 wide behind two spaces.
std::optional<ScriptFrame> parse_frame_of_line(std::string_view rest);

/// True for a line of `perf script -D`, which dumps records in hex.
bool is_hex_dump(std::string_view line);

/// N in "PERF_RECORD_LOST lost N" and its kin; nothing where the record tells of no loss.
std::optional<uint64_t> lost_in_record(std::string_view rest);

}  // namespace nettoll
