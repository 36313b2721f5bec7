#include "base/lines.hpp"

#include <cstring>

#include "base/utf8.hpp"

namespace awend::base {
namespace {
constexpr std::string_view kMark = "\xEF\xBB\xBF";
}  // namespace

LineReader::LineReader(const std::string& path, TextPolicy policy, LineLimits limits)
    : LineReader(InputFile(path), policy, limits) {}

LineReader::LineReader(InputFile file, TextPolicy policy, LineLimits limits)
    : file_(std::move(file)), policy_(policy), limits_(limits) {}

std::string LineReader::place() const {
  return concat(name(), ":", line_number_);
}

// Waits for more bytes only while those read could still begin a byte order mark.
void LineReader::find_mark() {
  checked_mark_ = true;
  const auto begin = [&] { return std::string_view(buffer_.data(), end_).substr(0, kMark.size()); };
  while (end_ < kMark.size() && kMark.starts_with(begin()) && fill()) continue;
  has_mark_ = begin() == kMark;
  if (removed_mark()) begin_ = kMark.size();
}

bool LineReader::next(std::string_view& line) {
  if (!checked_mark_) find_mark();
  std::size_t searched = begin_;  // so that a long line is searched once, for any number of reads
  while (true) {
    const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    if (found != nullptr) {
      const std::size_t newline = static_cast<const char*>(found) - buffer_.data();
      line = std::string_view(buffer_).substr(begin_, newline - begin_);
      begin_ = newline + 1;
      break;
    }
    const std::size_t pending = end_ - begin_;
    if (!fill()) {
      if (pending == 0) return false;
      line = std::string_view(buffer_).substr(begin_, pending);
      begin_ = end_;
      break;
    }
    if (pending > limits_.line_bytes)
      fail(name(), ":", line_number_ + 1, ": a line of more than ", limits_.line_bytes, " bytes");
    searched = begin_ + pending;
  }
  ++line_number_;
  carriage_returns_ += line.ends_with('\r') ? 1 : 0;
  line = checked(line);
  return true;
}

bool LineReader::waits() {
  std::size_t searched = begin_;
  while (!at_end_ && std::memchr(buffer_.data() + searched, '\n', end_ - searched) == nullptr) {
    if (file_.waits()) return true;
    const std::size_t pending = end_ - begin_;
    fill();
    searched = begin_ + pending;
  }
  return false;
}

// Appends more bytes to those pending; false at the end.
bool LineReader::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t more = file_.chunk_bytes();
  if (buffer_.size() < end_ + more) buffer_.resize(end_ + end_ / 2 + more);
  const std::size_t count = file_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  read_bytes_ += count;
  if (read_bytes_ > limits_.file_bytes) fail_too_long(name(), limits_.file_bytes);
  at_end_ = count == 0;
  return !at_end_;
}

std::string_view LineReader::checked(std::string_view line) {
  if (policy_.invalid == InvalidUtf8::kKeep) return line;
  const std::size_t invalid = find_invalid_utf8(line);
  if (invalid == std::string_view::npos) return line;
  if (policy_.invalid == InvalidUtf8::kError) {
    const std::size_t mark = removed_mark() && line_number_ == 1 ? kMark.size() : 0;
    fail(name(), ":", line_number_, ": invalid UTF-8 at byte ", mark + invalid + 1);
  }
  replaced_.clear();
  replacements_ += append_valid_utf8(replaced_, line);
  return replaced_;
}

std::uint64_t count_lines(LineReader& in) {
  for (std::string_view line; in.next(line);) continue;
  return in.line_number();
}

}  // namespace awend::base
