// The log of a run: tab-separated lines that a program can plot while they come (man/train.1 lists
// the columns). Test: tests/unit/train/log_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// What came since the last line.  It is kept in checkpoints, so that a run that resumes writes the
/// lines that it would have written.
struct Window {
  Losses losses;  ///< Of updates that changed something.
  std::uint64_t updates = 0;
  double norms = 0;    ///< Sum of their gradients' norms.
  double seconds = 0;  ///< Spent on updates, all of them.
  std::uint64_t tokens = 0;

  void add(const Update& update, double update_seconds);
};

/// Of translations, 0 to 100.
struct Scores {
  double bleu = 0;
  double chrf = 0;
};

struct LogLine {
  std::uint64_t step = 0;
  double epochs = 0;   ///< Done, as a fraction.
  double seconds = 0;  ///< Since the run began, pauses left out.
  Window window = {};
  double rate = 0;
  std::uint64_t skipped = 0;
  std::optional<Losses> validation = {};
  std::optional<Scores> scores = {};  ///< Of the validation text's translations.
};

/// As the log has most numbers.
std::string four_digits(double value);

/// The names of the columns, and a line; both end in a line feed.  What is not known is "-".
std::string log_header();
std::string to_text(const LogLine& line);

/// Who reads the log.  At a terminal the status line tells what goes on, so that there are lines
/// for validations alone, if there are any, and only the columns that fit.
enum class Reader { kProgram, kTerminal };

/// Of stdout.  A launcher of MPI gives its first process a terminal that it reads itself, so that
/// one that a launcher started writes for a program.
Reader reader_of_stdout();

/// The header and a line for a terminal.
std::string terminal_header();
std::string terminal_text(const LogLine& line);

class Log {
 public:
  /// "-" is stdout.  An empty file or a pipe gets the header.  `validates` is for terminals.
  explicit Log(const std::string& path, Reader reader = Reader::kProgram, bool validates = false);
  void write(const LogLine& line);
  /// Whether it is written to a terminal.
  Reader reader() const { return reader_; }
  /// The last call.
  void close() { file_.commit(); }

 private:
  base::OutputFile file_;
  Reader reader_;
  bool validates_;
};

}  // namespace awend::train
