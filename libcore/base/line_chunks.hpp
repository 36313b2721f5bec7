// Lines in handfuls, so that handing them from thread to thread costs nothing beside the work on
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

/// Lines end to end, without LF.
struct LineChunk {
  std::string text;
  std::vector<std::size_t> ends;   // of each line in `text`
  std::uint64_t first_number = 0;  // of the first line in its file, from 1
  bool input_waits = false;        // nothing more was there to read
  std::uint64_t end_bytes = 0;     // how much of the file was read by then

  std::size_t size() const { return ends.size(); }
  std::string_view line(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(text).substr(begin, ends[i] - begin);
  }
};

/// Cuts the input into chunks of some `chunk_bytes`; a chunk ends early where the input pauses, and
/// with 0 after every line.
class LineChunkReader {
 public:
  static constexpr std::size_t kChunkBytes = 64 * 1024;

  explicit LineChunkReader(LineReader& in, std::size_t chunk_bytes = kChunkBytes)
      : in_(in), chunk_bytes_(chunk_bytes) {}

  /// The next lines, or nothing at the end.  What is wrong with a line is thrown once the lines
  /// before it were given out.
  std::optional<LineChunk> next();

 private:
  LineReader& in_;
  std::size_t chunk_bytes_;
  std::exception_ptr error_;
};

}  // namespace awend::base
