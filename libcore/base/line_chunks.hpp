// Lines in chunks, so that passing them between threads costs little compared with processing
// them.  Test: tests/unit/base/filter_test.cpp.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::base {

/// Concatenated lines, without LF.
struct LineChunk {
  std::string text;
  std::vector<std::size_t> ends;   // of each line in `text`
  std::uint64_t first_number = 0;  // of the first line in its file, from 1
  bool input_waits = false;        // reading more would have waited
  std::uint64_t end_bytes = 0;     // bytes of the file read by then

  std::size_t size() const { return ends.size(); }
  std::string_view line(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(text).substr(begin, ends[i] - begin);
  }
};

/// Splits the input into chunks of about `chunk_bytes`; a chunk ends early if the input pauses, and
/// after every line if `chunk_bytes` is 0.
class LineChunkReader {
 public:
  static constexpr std::size_t kChunkBytes = 64 * 1024;

  explicit LineChunkReader(LineReader& in, std::size_t chunk_bytes = kChunkBytes)
      : in_(in), chunk_bytes_(chunk_bytes) {}

  /// The next lines, or nothing at the end.  An error in a line is thrown after the lines before
  /// it were returned.
  std::optional<LineChunk> next();

 private:
  LineReader& in_;
  std::size_t chunk_bytes_;
  std::exception_ptr error_;
};

}  // namespace awend::base
