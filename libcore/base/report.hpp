// What a tool says on stderr: `tool: text`, one write a message, so that threads never mix their
// words.
//
// Silence is success: a note is said only under -v, a warning unless -q.  The status line exists
// only where stderr is a terminal that can move its cursor; messages make room for themselves above
// it.  Test: tests/unit/base/report_test.cpp.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace awend::base {

class Options;

enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Safe to use from several threads.
class Report {
 public:
  Report(std::string tool, Verbosity verbosity);
  /// The tool's name and its -q and -v.
  explicit Report(const Options& options);
  ~Report();

  void note(std::string_view text) const;
  /// What a user should know of a normal run; printed unless -q.
  void info(std::string_view text) const;
  void warning(std::string_view text) const;
  void error(std::string_view text) const;
  /// Lines that were asked for, without the tool's name in front.
  void table(std::string_view lines) const;

  /// Shows `text` on the status line in place of what was there; an empty text clears it.
  void status(std::string_view text) const;
  /// False where status() does nothing.
  bool shows_status() const { return shows_status_; }
  /// For a tool whose output would appear between the status lines.
  void hide_status() { shows_status_ = false; }

  /// What Ctrl-C is answered with from now on, where there is a status line.  A literal that begins
  /// with kClearLine and ends in a line feed, because a signal handler writes it.
  void answer_interrupts(const char* text) const;

 private:
  void say(std::string_view kind, std::string_view colour, std::string_view text) const;

  std::string tool_;
  Verbosity verbosity_;
  bool shows_status_;
  bool colours_;
  mutable std::mutex mutex_;
  mutable bool status_shown_ = false;
};

}  // namespace awend::base
