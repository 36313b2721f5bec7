#include "base/decompressor.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

#include "base/error.hpp"

namespace awend::base {
namespace {

class Gzip : public Decompressor {
 public:
  Gzip() {
    constexpr int largest_window = 15, gzip_only = 16;
    if (::inflateInit2(&stream_, largest_window + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { ::inflateEnd(&stream_); }

  Step step(std::span<const char> in, std::span<char> out) override {
    if (ended_) {
      // Tapes and block devices pad with zeros, which gzip ignores, too.
      const auto padding = std::ranges::find_if(in, [](char byte) { return byte != 0; });
      if (padding != in.begin() || in.empty())
        return {static_cast<std::size_t>(padding - in.begin()), 0};
      ::inflateReset(&stream_);
      ended_ = false;
    }
    in = in.first(at_most(in.size()));
    out = out.first(at_most(out.size()));
    // zlib's interface predates const; it does not modify the input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      fail("damaged gzip data: ", stream_.msg != nullptr ? stream_.msg : "no reason known");
    }
    ended_ = result == Z_STREAM_END;
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out};
  }

  bool is_whole() const override { return ended_; }

 private:
  static std::size_t at_most(std::size_t size) {
    return std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
  }

  z_stream stream_{};
  bool ended_ = false;  // a member is complete and the next has not begun
};

class Zstd : public Decompressor {
 public:
  Zstd() : stream_(::ZSTD_createDStream(), ::ZSTD_freeDStream) {
    if (!stream_) throw std::bad_alloc();
  }

  Step step(std::span<const char> in, std::span<char> out) override {
    if (ended_ && in.empty()) return {};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ::ZSTD_decompressStream(stream_.get(), &to, &from);
    if (::ZSTD_isError(result) != 0) fail("damaged zstd data: ", ::ZSTD_getErrorName(result));
    ended_ = result == 0;
    return {from.pos, to.pos};
  }

  bool is_whole() const override { return ended_; }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool ended_ = false;
};

constexpr std::array kMagics = {
    std::pair{std::string_view("\x1f\x8b"), Compression::kGzip},
    std::pair{std::string_view("\x28\xb5\x2f\xfd"), Compression::kZstd}};

}  // namespace

Compression compression_of(std::string_view first_bytes) {
  for (const auto& [magic, compression] : kMagics) {
    if (first_bytes.starts_with(magic)) return compression;
    if (magic.starts_with(first_bytes)) return Compression::kUndecided;
  }
  return Compression::kNone;
}

std::unique_ptr<Decompressor> make_decompressor(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<Gzip>();
  if (compression == Compression::kZstd) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace awend::base
