#include "base/report.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/concat.hpp"
#include "base/signals.hpp"
#include "base/utf8.hpp"
#include "base/visible.hpp"

namespace awend::base {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

// An error of stderr itself cannot be reported.  Waits if stderr is non-blocking, since it may
// share its flags with a standard output that another program made non-blocking.
void write_to_stderr(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd request{STDERR_FILENO, POLLOUT, 0};
      ::poll(&request, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// The middle of a very long text is omitted.
std::string shortened(std::string_view text) {
  constexpr std::size_t kKept = 2000;  // at either end: longer than any fixed text of a message
  if (text.size() <= 2 * kKept) return std::string(text);
  std::size_t head = kKept, tail = text.size() - kKept;
  while (head > 0 && is_utf8_tail(text[head])) --head;
  while (tail < text.size() && is_utf8_tail(text[tail])) ++tail;
  return concat(text.substr(0, head), " [...] ", text.substr(tail));
}

// Whether stderr is a terminal that can move its cursor and show colors.
bool is_screen() {
  const auto term = environment("TERM");
  return ::isatty(STDERR_FILENO) == 1 && !term.empty() && term != "dumb";
}

std::size_t terminal_columns() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Report::Report(std::string tool, Verbosity verbosity)
    : tool_(std::move(tool)),
      verbosity_(verbosity),
      shows_status_(verbosity != Verbosity::kQuiet && is_screen()),
      colors_(shows_status_ && environment("NO_COLOR").empty()) {}

Report::~Report() {
  status({});
}

void Report::note(std::string_view text) const {
  if (verbosity_ == Verbosity::kVerbose) say("", "", text);
}

void Report::info(std::string_view text) const {
  if (verbosity_ != Verbosity::kQuiet) say("", "", text);
}

void Report::warning(std::string_view text) const {
  if (verbosity_ != Verbosity::kQuiet) say("warning: ", "\x1b[33m", text);
}

void Report::error(std::string_view text) const {
  say("", "", text);
}

void Report::say(std::string_view kind, std::string_view color, std::string_view text) const {
  const bool colored = colors_ && !color.empty();
  std::string line = concat(tool_, ": ", colored ? color : "", kind, colored ? "\x1b[0m" : "",
                            visible(shortened(text)), "\n");
  const std::lock_guard lock(mutex_);
  if (status_shown_) line.insert(0, kClearLine);
  status_shown_ = false;
  write_to_stderr(line);
}

void Report::answer_interrupts(const char* text) const {
  if (shows_status_) base::answer_interrupts(text);
}

void Report::table(std::string_view lines) const {
  status({});
  const std::lock_guard lock(mutex_);
  write_to_stderr(lines);
}

void Report::status(std::string_view text) const {
  if (!shows_status_) return;
  const std::lock_guard lock(mutex_);
  if (text.empty() && !status_shown_) return;
  status_shown_ = !text.empty();
  // A line that wraps could not be cleared.
  write_to_stderr(concat(kClearLine, text.substr(0, terminal_columns() - 1)));
}

}  // namespace awend::base
