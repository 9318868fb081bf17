// SPDX-License-Identifier: Apache-2.0
#include "ingest/gzip_source.h"

#include <zlib.h>

#include "ingest/unpacking_source.h"

namespace nettoll {
namespace {

class GzipSource : public UnpackingSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed) : UnpackingSource(std::move(packed)) {}
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { ::inflateEnd(&stream_); }

  std::string packing() const override { return "gzip"; }
  Status start() {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) return failure("zlib cannot be started");
    return {};
  }

 protected:
  Result<size_t> unpack(std::span<uint8_t> into) override {
    const auto packed = input();
    if (!packed) return packed.error();
    if (packed->empty()) {
      if (member_ended_)
        end();
      else
        end(Ending::cut, "the gzip file is cut short");
      return size_t{0};
    }
    if (member_ended_) {
      // Another member, or what some tools put behind the last one: padding.
      if (packed->front() != 0x1f) {
        if (packed->front() == 0)
          end();
        else
          end(Ending::damaged, "bytes behind the end of the gzip data are not gzip");
        return size_t{0};
      }
      ::inflateReset(&stream_);
      member_ended_ = false;
    }
    stream_.next_in = const_cast<uint8_t*>(packed->data());
    stream_.avail_in = static_cast<unsigned>(packed->size());
    stream_.next_out = into.data();
    stream_.avail_out = static_cast<unsigned>(std::min<size_t>(into.size(), 1 << 30));
    const size_t room = stream_.avail_out;
    const int state = ::inflate(&stream_, Z_NO_FLUSH);
    used(packed->size() - stream_.avail_in);
    if (state == Z_STREAM_END) {
      member_ended_ = true;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      end(Ending::damaged,
          fmt::format("the gzip file is damaged ({})", stream_.msg ? stream_.msg : "zlib refuses it"));
    }
    return room - stream_.avail_out;
  }
  Status restart() override {
    member_ended_ = false;
    if (::inflateReset(&stream_) != Z_OK) return failure("zlib cannot be started again");
    return {};
  }

 private:
  z_stream stream_{};
  bool member_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> unpack_gzip(std::unique_ptr<ByteSource> packed) {
  auto source = std::make_unique<GzipSource>(std::move(packed));
  if (auto started = source->start(); !started) return started.error();
  return std::unique_ptr<ByteSource>(std::move(source));
}

}  // namespace nettoll
