// SPDX-License-Identifier: Apache-2.0
// Fields of a record, one after the other, in the byte order of who wrote it.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace nettoll {

/// True where a file of this byte order must be swapped on this machine.
constexpr bool needs_swap(std::endian order) {
  return order != std::endian::native;
}

template <std::unsigned_integral T>
constexpr T byte_swapped(T value) {
  if constexpr (sizeof(T) == 1) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

/// Reads past the end give 0 and make ok() false, so that a run of fields is checked once.
class FieldReader {
 public:
  FieldReader(std::span<const uint8_t> bytes, bool swap) : bytes_(bytes), swap_(swap) {}

  template <std::unsigned_integral T>
  T get() {
    T value{};
    if (bytes_.size() < sizeof(T)) {
      fail();
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
    return swap_ ? byte_swapped(value) : value;
  }
  uint8_t u8() { return get<uint8_t>(); }
  uint16_t u16() { return get<uint16_t>(); }
  uint32_t u32() { return get<uint32_t>(); }
  uint64_t u64() { return get<uint64_t>(); }

  /// The next `size` bytes; none where there are fewer.
  std::span<const uint8_t> take(uint64_t size) {
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    const auto taken = bytes_.first(static_cast<size_t>(size));
    bytes_ = bytes_.subspan(static_cast<size_t>(size));
    return taken;
  }
  void skip(uint64_t size) { take(size); }
  /// A text that ends at its first NUL, or with its `size` bytes, all of which are taken.
  std::string_view text(uint64_t size) { return up_to_nul(take(size)); }
  /// A text up to its NUL, or all that is left.
  std::string_view text() { return up_to_nul(bytes_); }

  std::span<const uint8_t> rest() const { return bytes_; }
  bool ok() const { return ok_; }
  bool swaps() const { return swap_; }

 private:
  void fail() {
    ok_ = false;
    bytes_ = {};
  }
  static std::string_view up_to_nul(std::span<const uint8_t> bytes) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all.substr(0, all.find('\0'));
  }

  std::span<const uint8_t> bytes_;
  bool swap_;
  bool ok_ = true;
};

}  // namespace nettoll
