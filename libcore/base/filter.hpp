// A line filter: output line n answers input line n, with any number of threads, and at once if the
// input pauses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/lines.hpp"

namespace awend::base {

struct Line {
  std::string_view text;
  std::uint64_t number;  // in its file, from 1
};

/// The state of one thread.
class LineWorker {
 public:
  virtual ~LineWorker() = default;
  /// Appends the answer to a line, without LF.  The filter prepends "file:line: " to an Error.
  virtual void answer(const Line& line, std::string& out) = 0;
};

enum class Flushing { kWhenInputWaits, kEveryLine };

/// Progress within one file.
struct Answered {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  // of the file, read so far
};

struct FilterSettings {
  unsigned threads = 1;
  Flushing flushing = Flushing::kWhenInputWaits;
  std::function<void(const Answered&)> progress = {};  // called regularly
};

/// Writes an answer to `out` for each line of `in`.  `make_worker` is called once per thread.  An
/// exception is rethrown after the answers to all lines before it have been written.
void map_lines(LineReader& in, OutputFile& out, const FilterSettings& settings,
               const std::function<std::unique_ptr<LineWorker>()>& make_worker);

}  // namespace awend::base
