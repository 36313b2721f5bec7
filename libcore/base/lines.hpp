// Lines of UTF-8 from a file, a pipe or standard input.
//
// LF alone ends a line.  A last line without one counts; NUL is a character; a CR before LF stays
// in the line; a line may be as long as memory.  Invalid UTF-8 is an Error "file:line: invalid
// UTF-8 at byte N" (counted from 1), or one U+FFFD per maximal subpart.  A line is answered as soon
// as it has come in.  Test: tests/unit/base/lines_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace awend::base {

enum class InvalidUtf8 { kError, kReplace, kKeep };

class LineReader {
 public:
  /// Opens `path`; "-" is standard input.
  explicit LineReader(const std::string& path, InvalidUtf8 policy = InvalidUtf8::kError);

  /// The next line without its LF; false at the end.  The view holds until the next call.
  bool next(std::string_view& line);

  /// True when next() would have to wait for a writer: the moment to flush what was answered so
  /// far.
  bool waits() const;

  /// The number of the line that next() gave last, from 1; 0 before the first.
  std::uint64_t line_number() const { return line_number_; }
  /// How much of the file was read so far, a little ahead of the lines.
  std::uint64_t position_bytes() const { return file_.position_bytes(); }
  /// How many lines ended with CR so far.
  std::uint64_t carriage_returns() const { return carriage_returns_; }
  /// How many U+FFFD were put in so far.
  std::uint64_t replacements() const { return replacements_; }
  /// The path, or "stdin".
  const std::string& name() const { return file_.name(); }

 private:
  bool fill();
  std::string_view checked(std::string_view line);

  InputFile file_;
  InvalidUtf8 policy_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the bytes not yet given out
  std::size_t end_ = 0;    // of the bytes read
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t replacements_ = 0;
  std::uint64_t carriage_returns_ = 0;
  std::string replaced_;
};

}  // namespace awend::base
