// A filter over lines: line n out answers line n in, on any number of threads, and at once when the
// input pauses.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/lines.hpp"

namespace awend::base {

struct Line {
  std::string_view text;
  std::uint64_t number;  // in its file, from 1
};

/// Appends the answer to a line, without LF.
using LineFunction = std::function<void(const Line& line, std::string& answer)>;

enum class Flushing { kWhenInputWaits, kEveryLine };

struct FilterSettings {
  unsigned threads = 1;
  Flushing flushing = Flushing::kWhenInputWaits;
};

/// Writes an answer to `out` for each line of `in`.  `make_worker` is called once a thread.  An
/// exception comes out after the answers to all lines before it were written.
void map_lines(LineReader& in, OutputFile& out, const FilterSettings& settings,
               const std::function<LineFunction()>& make_worker);

}  // namespace awend::base
