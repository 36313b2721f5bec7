// Compressed input, told by its first bytes: gzip (RFC 1952) and Zstandard (RFC 8878), several
// members or frames in a row too, as `cat a.gz b.gz` and pigz write them.
//
// No valid UTF-8 begins like either, so text is never taken for one.  This is the one door to zlib
// and libzstd.  (Boost.Iostreams would spare us one of them, but takes a zstd file that was cut
// short for a whole one.)  Test: tests/unit/base/decompressor_test.cpp.
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
  /// Reads some of `in` and writes some of `out`.  Gives nothing only when it needs more than `in`.
  /// Throws Error, without a file's name, for data that are damaged.
  virtual Step step(std::span<const char> in, std::span<char> out) = 0;
  /// Whether the input may end here.
  virtual bool is_whole() const = 0;
};

enum class Compression { kNone, kGzip, kZstd, kUndecided };

/// What the first bytes of a file say; kUndecided where more of them are needed.
Compression compression_of(std::string_view first_bytes);

/// Null for kNone.
std::unique_ptr<Decompressor> make_decompressor(Compression compression);

}  // namespace awend::base
