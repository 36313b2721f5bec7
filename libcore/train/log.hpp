// The log of a run: tab-separated lines that a program can plot while they come (man/train.1 lists
// the columns). Test: tests/unit/train/log_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/files.hpp"
#include "train/evaluation.hpp"
#include "train/window.hpp"

namespace awend::train {

struct LogLine {
  std::uint64_t step = 0;
  double epochs = 0;   ///< Done, as a fraction.
  double seconds = 0;  ///< Since the run began, pauses left out.
  Window window = {};
  double rate = 0;
  std::uint64_t skipped = 0;
  std::optional<forward::Losses> validation = {};
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

struct LogSettings {
  std::string output = "-";          ///< Read while it is written: stdout, but for tests.
  Reader reader = Reader::kProgram;  ///< Of `output`.
  bool validates = false;        ///< A terminal gets lines for validations only, if there are any.
  std::uint64_t first_step = 0;  ///< The step that the run resumes from; 0: a new run.
  std::string file = {};         ///< See train/log_file.hpp; empty: none.
};

class Log {
 public:
  /// Writes the header, unless stdout continues the file of the run that is resumed.
  explicit Log(const LogSettings& settings);
  ~Log();
  void write(const LogLine& line);
  /// Of the settings' `output`.
  Reader reader() const { return settings_.reader; }
  /// The last call.
  void close();

 private:
  LogSettings settings_;
  base::OutputFile output_;
  std::unique_ptr<base::OutputFile> file_;  // null if there is none
};

}  // namespace awend::train
