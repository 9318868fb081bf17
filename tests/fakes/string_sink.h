// SPDX-License-Identifier: Apache-2.0
// Sinks for tests of writers.
#pragma once

#include <string>

#include "base/byte_sink.h"

namespace nettoll {

/// Keeps all bytes.
class StringSink : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

/// Takes `room` bytes, then fails as a full disk does.
class FullSink : public ByteSink {
 public:
  explicit FullSink(size_t room) : room_(room) {}
  Status write(std::string_view bytes) override {
    ++calls;
    if (bytes.size() > room_) return system_error("write", ENOSPC);
    room_ -= bytes.size();
    return {};
  }
  int calls = 0;

 private:
  size_t room_;
};

}  // namespace nettoll
