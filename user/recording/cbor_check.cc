// SPDX-License-Identifier: Apache-2.0
#include "recording/cbor_check.h"

#include <array>
#include <cstdint>
#include <optional>

namespace nettoll {
namespace {

// The major types and the additional information of an item's first byte, RFC 8949, sections 3 and 3.1.
enum Major : uint8_t { kUnsigned, kNegative, kBytes, kText, kArray, kMap, kTag, kSimple };
constexpr uint8_t kOneByteFollows = 24;
constexpr uint8_t kEightBytesFollow = 27;

struct Head {
  Major major = kUnsigned;
  uint8_t info = 0;
  uint64_t argument = 0;
};

// Takes one head from the front of `bytes`.
std::optional<Head> take_head(std::string_view& bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto first = static_cast<uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  Head head{static_cast<Major>(first >> 5), static_cast<uint8_t>(first & 31), 0};
  if (head.info > kEightBytesFollow) return std::nullopt;
  if (head.info < kOneByteFollows) {
    head.argument = head.info;
    return head;
  }
  const size_t width = size_t{1} << (head.info - kOneByteFollows);
  if (bytes.size() < width) return std::nullopt;
  for (size_t i = 0; i < width; ++i) head.argument = head.argument << 8 | static_cast<uint8_t>(bytes[i]);
  bytes.remove_prefix(width);
  return head;
}

// How many items a container announces; nullopt where the bytes that are left cannot hold them.
std::optional<uint64_t> children(const Head& head, size_t bytes_left) {
  if (head.argument > bytes_left) return std::nullopt;
  const uint64_t count = head.major == kMap ? 2 * head.argument : head.argument;
  if (count > bytes_left) return std::nullopt;
  return count;
}

Error damaged(std::string_view why) {
  return failure(fmt::format("damaged: {}", why));
}

}  // namespace

Status check_cbor(std::string_view bytes, size_t max_items) {
  std::array<uint64_t, kMaxCborDepth> open{};  // items that each open container still lacks
  size_t depth = 0;
  size_t items = 0;
  do {
    if (++items > max_items) return damaged(fmt::format("more than {} values", max_items));
    const auto head = take_head(bytes);
    if (!head) return damaged("its values end early");
    if (depth > 0) --open[depth - 1];
    switch (head->major) {
      case kUnsigned:
      case kNegative:
        break;
      case kBytes:
      case kText:
        if (head->argument > bytes.size()) return damaged("a string ends early");
        bytes.remove_prefix(head->argument);
        break;
      case kArray:
      case kMap: {
        const auto count = children(*head, bytes.size());
        if (!count) return damaged("a table ends early");
        if (depth == kMaxCborDepth) return damaged("its tables are nested too deep");
        open[depth++] = *count;
        break;
      }
      case kTag:
        return damaged("unexpected CBOR tag");
      case kSimple:
        if (head->info == kOneByteFollows) return damaged("unexpected CBOR value");
        break;
    }
    while (depth > 0 && open[depth - 1] == 0) --depth;
  } while (depth > 0);
  if (!bytes.empty()) return damaged("bytes follow its last value");
  return {};
}

}  // namespace nettoll
