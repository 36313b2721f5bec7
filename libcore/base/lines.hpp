// Lines of UTF-8 from a file, a pipe or standard input.
//
// Only LF ends a line.  A last line without LF counts; NUL is a character; a CR before LF is part
// of the line; only memory limits the length of a line.  Invalid UTF-8 is an Error "file:line:
// invalid UTF-8 at byte N" (counted from 1), or becomes one U+FFFD per maximal subpart.  A line is
// returned as soon as it has been read.
//
// A byte order mark (U+FEFF) at the start of a file is removed by default: editors write it, and as
// a character it would change the first word.  A file that contains only the mark has no lines.
// Test: tests/unit/base/lines_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/files.hpp"

namespace awend::base {

enum class InvalidUtf8 { kError, kReplace, kKeep };
enum class ByteOrderMark { kRemove, kKeep };

/// How bytes become text.  Implicit, because most callers set only the handling of invalid UTF-8.
struct TextPolicy {
  InvalidUtf8 invalid;
  ByteOrderMark mark;
  TextPolicy(InvalidUtf8 invalid_utf8 = InvalidUtf8::kError,
             ByteOrderMark byte_order_mark = ByteOrderMark::kRemove)
      : invalid(invalid_utf8), mark(byte_order_mark) {}
};

/// Limits for inputs, such as settings, that must not have any length.
struct LineLimits {
  std::uint64_t line_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t file_bytes = std::numeric_limits<std::uint64_t>::max();
};

class LineReader {
 public:
  /// Opens `path`; "-" is standard input.
  explicit LineReader(const std::string& path, TextPolicy policy = {}, LineLimits limits = {});
  explicit LineReader(InputFile file, TextPolicy policy = {}, LineLimits limits = {});

  /// The next line without its LF; false at the end.  The view is valid until the next call.
  /// Error naming file and line if the input exceeds the limits.
  bool next(std::string_view& line);

  /// True if next() would have to wait for a writer: output should be flushed now.  Reads what
  /// there is of a line that is not complete, so that views become invalid; errors are those of
  /// next().
  bool waits();

  /// The number of the line that next() returned last, from 1; 0 before the first.
  std::uint64_t line_number() const { return line_number_; }
  /// The number of bytes read from the file, slightly more than the lines returned.
  std::uint64_t position_bytes() const { return file_.position_bytes(); }
  /// The number of lines so far that ended in CR.
  std::uint64_t carriage_returns() const { return carriage_returns_; }
  /// The number of U+FFFD inserted so far.
  std::uint64_t replacements() const { return replacements_; }
  /// Whether the file begins with a byte order mark, removed or not; known after the first line was
  /// read.
  bool has_mark() const { return has_mark_; }
  bool removed_mark() const { return has_mark_ && policy_.mark == ByteOrderMark::kRemove; }
  /// The path, or "stdin".
  const std::string& name() const { return file_.name(); }
  /// "FILE:LINE" of the line that next() returned last.
  std::string place() const;

 private:
  void find_mark();
  bool fill();
  std::string_view checked(std::string_view line);

  InputFile file_;
  TextPolicy policy_;
  LineLimits limits_;
  std::uint64_t read_bytes_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the bytes not yet returned
  std::size_t end_ = 0;    // of the bytes read
  bool at_end_ = false;
  bool checked_mark_ = false;
  bool has_mark_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t replacements_ = 0;
  std::uint64_t carriage_returns_ = 0;
  std::string replaced_;
};

/// Reads to the end; returns the number of all lines.
std::uint64_t count_lines(LineReader& in);

/// Calls call(); the message of an Error of it begins with the place of the last line of `in`.
template <class Call>
auto at_line(const LineReader& in, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    fail_with_name(in.place(), error);
  }
}

}  // namespace awend::base
