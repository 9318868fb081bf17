// SPDX-License-Identifier: Apache-2.0
#include "report/pcapng.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include "model/drop_class.h"

namespace nettoll {
namespace {

// Block types and options, in the byte order of this machine, which the section header tells.
constexpr uint32_t kSectionHeader = 0x0A0D0D0A, kInterface = 1, kEnhancedPacket = 6;
constexpr uint32_t kByteOrderMagic = 0x1A2B3C4D;
constexpr uint16_t kEthernetLink = 1;
constexpr uint16_t kEndOfOptions = 0, kComment = 1, kOs = 3, kApplication = 4, kTimeResolution = 9;
constexpr size_t kEthernetSize = 14;

template <typename T>
void put(std::string& to, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  to.append(raw, sizeof(T));
}

void pad(std::string& to) {
  to.append((4 - to.size() % 4) % 4, '\0');
}

void put_option(std::string& to, uint16_t code, std::string text) {
  text.resize(std::min<size_t>(text.size(), std::numeric_limits<uint16_t>::max()));
  put(to, code);
  put(to, static_cast<uint16_t>(text.size()));
  to += text;
  pad(to);
}

/// Body and options of a block, framed by its type and length. Both are padded to four bytes already.
void put_block(std::string& to, uint32_t type, const std::string& body) {
  const auto length = static_cast<uint32_t>(body.size() + 12);
  put(to, type);
  put(to, length);
  to += body;
  put(to, length);
}

void end_options(std::string& to) {
  put(to, kEndOfOptions);
  put(to, uint16_t{0});
}

std::string comment(const DropSample& sample, bool made_link) {
  const Drops& drop = sample.drop;
  std::string text =
      fmt::format("dropped: {} by {}", reason_text(drop.reason, drop.subsystem), drop.function);
  if (!drop.helper.empty()) text += " through " + drop.helper;
  if (!drop.device.empty()) text += ", device " + drop.device;
  if (drop.netns) text += fmt::format(", netns {}", drop.netns);
  if (sample.raw.gso_segments > 1) text += fmt::format(", {} segments", sample.raw.gso_segments);
  if (made_link) text += ", Ethernet header made up";
  return text;
}

}  // namespace

PcapngFile::PcapngFile(const std::string& program, const std::string& kernel) {
  std::string body;
  put(body, kByteOrderMagic);
  put(body, uint16_t{1});  // version 1.0
  put(body, uint16_t{0});
  put(body, std::numeric_limits<uint64_t>::max());  // of unknown length
  put_option(body, kOs, kernel);
  put_option(body, kApplication, program);
  end_options(body);
  put_block(bytes_, kSectionHeader, body);
  body.clear();
  put(body, kEthernetLink);
  put(body, uint16_t{0});
  put(body, uint32_t{0});  // no limit of length
  put_option(body, kTimeResolution, std::string(1, '\x09'));
  end_options(body);
  put_block(bytes_, kInterface, body);
}

bool PcapngFile::add(const DropSample& sample) {
  const PacketHeaders& headers = sample.headers;
  const RawDropSample& raw = sample.raw;
  if (raw.bytes.empty() || headers.headers_size > raw.bytes.size()) return false;
  // Without an Ethernet header the file's packet begins at the network's.
  const size_t skipped = headers.ethernet ? 0 : headers.network_offset;
  if (headers.headers_size <= skipped && !headers.ethernet) return false;
  std::string packet;
  uint32_t length = raw.length - static_cast<uint32_t>(std::min<size_t>(skipped, raw.length));
  if (!headers.ethernet) {
    packet.append(kEthernetSize - 2, '\0');
    packet += static_cast<char>(headers.ethertype >> 8);
    packet += static_cast<char>(headers.ethertype & 0xff);
    length += kEthernetSize;
  }
  packet.append(reinterpret_cast<const char*>(raw.bytes.data()) + skipped, headers.headers_size - skipped);
  std::string body;
  put(body, uint32_t{0});  // the interface
  put(body, static_cast<uint32_t>(raw.time_ns >> 32));
  put(body, static_cast<uint32_t>(raw.time_ns));
  put(body, static_cast<uint32_t>(packet.size()));
  put(body, std::max(length, static_cast<uint32_t>(packet.size())));
  body += packet;
  pad(body);
  put_option(body, kComment, comment(sample, !headers.ethernet));
  end_options(body);
  put_block(bytes_, kEnhancedPacket, body);
  return true;
}

}  // namespace nettoll
