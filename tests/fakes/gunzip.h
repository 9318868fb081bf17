// SPDX-License-Identifier: Apache-2.0
// The way back from gzip.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace nettoll {

inline std::string gunzip(const std::string& packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::runtime_error("inflateInit2");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int code = Z_OK;
  while (code == Z_OK) {
    char buffer[16384];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("not one whole gzip member");
  return text;
}

}  // namespace nettoll
