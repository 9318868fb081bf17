// SPDX-License-Identifier: Apache-2.0
// Dropped packets as a capture file, for tcpdump and Wireshark.
#pragma once

#include <string>

#include "model/drop_sample.h"

namespace nettoll {

/// Builds a file in the format pcapng (draft-ietf-opsawg-pcapng): one interface of link type Ethernet, since
/// libpcap takes one link type a file, with times in nanoseconds. A packet that has no Ethernet header is
/// given one with the addresses 00:00:00:00:00:00 and its EtherType. A comment says why and where each packet
/// was dropped. Headers alone are kept, never payload.
class PcapngFile {
 public:
  /// `program` and `kernel` name who made the file.
  PcapngFile(const std::string& program, const std::string& kernel);

  /// Appends a packet; `time_ns` of the sample is CLOCK_REALTIME. False where it has no header to be written.
  bool add(const DropSample& sample);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace nettoll
