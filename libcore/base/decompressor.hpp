// Compressed input, detected by its first bytes: gzip (RFC 1952) and Zstandard (RFC 8878),
// including concatenated members or frames, as `cat a.gz b.gz` and pigz write them.
//
// No valid UTF-8 begins with these bytes, so text is never mistaken for compressed data.  Only
// this module uses zlib and libzstd.  (Boost.Iostreams would replace one of them, but accepts
// truncated zstd files.) Test: tests/unit/base/decompressor_test.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace awend::base {

class Decompressor {
 public:
  struct Step {
    std::size_t taken = 0, given = 0;  // bytes
  };

  virtual ~Decompressor() = default;
  /// Reads some of `in` and writes some of `out`; writes nothing only if it needs more
  /// input.  Throws Error, without a file name, if the data are damaged.
  virtual Step step(std::span<const char> in, std::span<char> out) = 0;
  /// Whether the input may end here.
  virtual bool is_whole() const = 0;
};

enum class Compression { kNone, kGzip, kZstd, kUndecided };

/// Detected from the first bytes of a file; kUndecided if more bytes are needed.
Compression compression_of(std::string_view first_bytes);

/// Null for kNone.
std::unique_ptr<Decompressor> make_decompressor(Compression compression);

}  // namespace awend::base
