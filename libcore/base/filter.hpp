// A filter over lines: line n out answers line n in, on any number of threads, and at once when the
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

/// The work of one thread.
class LineWorker {
 public:
  virtual ~LineWorker() = default;
  /// Appends the answer to a line, without LF.  An Error gets "file:line: " in front.
  virtual void answer(const Line& line, std::string& out) = 0;
};

enum class Flushing { kWhenInputWaits, kEveryLine };

/// What was answered so far, of one file.
struct Answered {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  // of the file, that were read for it
};

struct FilterSettings {
  unsigned threads = 1;
  Flushing flushing = Flushing::kWhenInputWaits;
  std::function<void(const Answered&)> progress = {};  // called now and then
};

/// Writes an answer to `out` for each line of `in`.  `make_worker` is called once a thread.  An
/// exception comes out after the answers to all lines before it were written.
void map_lines(LineReader& in, OutputFile& out, const FilterSettings& settings,
               const std::function<std::unique_ptr<LineWorker>()>& make_worker);

}  // namespace awend::base
