// Messages on stderr, `tool: text`.  Each message is written with one call, so that the output of
// threads is not interleaved.
//
// Notes are printed only with -v, warnings unless -q.  The status line exists only if stderr is a
// terminal that can move its cursor; messages appear above it.  Test:
// tests/conventions/stderr.sh.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace awend::base {

enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Safe to use from several threads.
class Report {
 public:
  Report(std::string tool, Verbosity verbosity);
  ~Report();

  void note(std::string_view text) const;
  /// Information about a normal run; printed unless -q.
  void info(std::string_view text) const;
  void warning(std::string_view text) const;
  void error(std::string_view text) const;
  /// Requested output, without the name of the tool.
  void table(std::string_view lines) const;

  /// Replaces the text of the status line; an empty text clears the line.
  void status(std::string_view text) const;
  /// False if status() has no effect.
  bool shows_status() const { return shows_status_; }
  /// For tools whose output would appear between status lines.
  void hide_status() { shows_status_ = false; }

  /// The text that Ctrl-C prints from now on, if there is a status line.  A literal that begins
  /// with kClearLine and ends in a line feed, because a signal handler writes it.
  void answer_interrupts(const char* text) const;

 private:
  void say(std::string_view kind, std::string_view color, std::string_view text) const;

  std::string tool_;
  Verbosity verbosity_;
  bool shows_status_;
  bool colors_;
  mutable std::mutex mutex_;
  mutable bool status_shown_ = false;
};

}  // namespace awend::base
