// SPDX-License-Identifier: Apache-2.0
#include "ingest/zstd_source.h"

#include "ingest/unpacking_source.h"
#include "ingest/zstd_stream.h"

namespace nettoll {
namespace {

/// zstd -19 uses 8 MB (2^23); its decoder takes 128 MB by itself, which is out of proportion to a small file.
constexpr int kWindowLog = 25;

class ZstdSource : public UnpackingSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, ZstdStream stream)
      : UnpackingSource(std::move(packed)), stream_(std::move(stream)) {}

  std::string packing() const override { return "zstd"; }

 protected:
  Result<size_t> unpack(std::span<uint8_t> into) override {
    const auto packed = input();
    if (!packed) return packed.error();
    // Without input what is left in the context's buffer may still come out.
    ZSTD_inBuffer in{packed->data(), packed->size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    if (packed->empty() && between_frames_) {
      end();
      return size_t{0};
    }
    const size_t state = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_isError(state)) {
      end(Ending::damaged, fmt::format("the zstd file is damaged ({})", ZSTD_getErrorName(state)));
      return out.pos;
    }
    between_frames_ = state == 0;
    used(in.pos);
    if (packed->empty() && out.pos == 0) end(Ending::cut, "the zstd file is cut short");
    return out.pos;
  }
  Status restart() override {
    between_frames_ = false;
    ZSTD_DCtx_reset(stream_.get(), ZSTD_reset_session_only);
    return {};
  }

 private:
  ZstdStream stream_;
  bool between_frames_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> unpack_zstd(std::unique_ptr<ByteSource> packed) {
  auto stream = make_zstd_stream(kWindowLog);
  if (!stream) return failure("zstd cannot be started");
  return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(packed), std::move(stream)));
}

}  // namespace nettoll
