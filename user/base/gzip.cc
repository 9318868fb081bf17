// SPDX-License-Identifier: Apache-2.0
#include "base/gzip.h"

#include <zlib.h>

#include <limits>

namespace nettoll {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks for a gzip header (zlib.h)
constexpr int kMemoryLevel = 8;       // zlib's default

}  // namespace

Result<std::string> gzip(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max()) {
    return failure(fmt::format("cannot compress {} bytes in one piece", text.size()));
  }
  z_stream stream{};
  const int ready =
      deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
  if (ready != Z_OK) return failure(fmt::format("cannot start zlib: {}", zError(ready)));
  std::string out(deflateBound(&stream, text.size()), '\0');
  // zlib reads through a pointer that is not const for C's sake.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END)
    return failure(fmt::format("cannot compress {} bytes: {}", text.size(), zError(done)));
  out.shrink_to_fit();
  return out;
}

}  // namespace nettoll
