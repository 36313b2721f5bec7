// Lines of UTF-8 from a file, a pipe or standard input.
//
// Only LF ends a line.  A last line without one counts; NUL is a character; a CR before LF stays
// in the line; a line may be as long as memory.  Invalid UTF-8 is an Error "file:line: invalid
// UTF-8 at byte N" (counted from 1), or one U+FFFD per maximal subpart.  A line is answered as soon
// as it has come in.
//
// A byte order mark (U+FEFF) at the start of the file is not text and is removed, unless it is to
// be kept: editors write it, and as a character it would make the first word another word.  A file
// of a mark only has no lines.  Test: tests/unit/base/lines_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace awend::base {

enum class InvalidUtf8 { kError, kReplace, kKeep };
enum class ByteOrderMark { kRemove, kKeep };

/// How bytes become text; implicit, because most callers care about invalid UTF-8 only.
struct TextPolicy {
  InvalidUtf8 invalid;
  ByteOrderMark mark;
  TextPolicy(InvalidUtf8 invalid_utf8 = InvalidUtf8::kError,
             ByteOrderMark byte_order_mark = ByteOrderMark::kRemove)
      : invalid(invalid_utf8), mark(byte_order_mark) {}
};

/// Bounds for input that is not text to be processed, and so cannot be of any length.
struct LineLimits {
  std::uint64_t line_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t file_bytes = std::numeric_limits<std::uint64_t>::max();
};

class LineReader {
 public:
  /// Opens `path`; "-" is standard input.
  explicit LineReader(const std::string& path, TextPolicy policy = {}, LineLimits limits = {});

  /// The next line without its LF; false at the end.  The view holds until the next call.  Error
  /// naming file and line if the input exceeds the limits.
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
  /// Whether the file begins with a byte order mark, removed or not; known once the first line was
  /// read.
  bool has_mark() const { return has_mark_; }
  bool removed_mark() const { return has_mark_ && policy_.mark == ByteOrderMark::kRemove; }
  /// The path, or "stdin".
  const std::string& name() const { return file_.name(); }

 private:
  void find_mark();
  bool fill();
  std::string_view checked(std::string_view line);

  InputFile file_;
  TextPolicy policy_;
  LineLimits limits_;
  std::uint64_t read_bytes_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the bytes not yet given out
  std::size_t end_ = 0;    // of the bytes read
  bool at_end_ = false;
  bool checked_mark_ = false;
  bool has_mark_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t replacements_ = 0;
  std::uint64_t carriage_returns_ = 0;
  std::string replaced_;
};

}  // namespace awend::base
