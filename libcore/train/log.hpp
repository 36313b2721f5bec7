// The log of a run: tab-separated lines that a program can plot during training (man/train.1 lists
// the columns).  Test: tests/unit/train/log_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "train/log_file.hpp"
#include "train/log_text.hpp"

namespace awend::train {

/// The reader of the log.  A terminal also has a status line, so it gets lines only for
/// validations, if there are any, and only the columns that fit.
enum class Reader { kProgram, kTerminal };

/// The reader of stdout.  An MPI launcher may give its first process a pseudo-terminal, so
/// processes started by a launcher write for a program.
Reader reader_of_stdout();

struct LogSettings {
  std::string output = {};           ///< "-": stdout; empty: none.
  Reader reader = Reader::kProgram;  ///< Of `output`.
  bool validates = false;            ///< Whether there are lines for validations.
  LogPlace place = {};               ///< Of the run in the file.
  std::string file = {};             ///< See train/log_file.hpp; empty: none.
  Metrics scores = {};               ///< Which the lines have.
};

class Log {
 public:
  /// Writes the header, unless stdout is a file that already contains the log of the resumed run.
  explicit Log(const LogSettings& settings);
  ~Log();
  void write(const LogLine& line);
  /// The reader of `output`.
  Reader reader() const { return settings_.reader; }
  /// Where the header of the run is in the file; nothing if it is not regular.
  std::optional<std::uint64_t> begin() const { return file_.begin; }
  /// The first line of the run in the file (LogPlace).
  const std::string& first_line() const { return file_.first_line; }
  /// The last step of the lines that the file had before; 0: none.
  std::uint64_t last_step() const { return file_.last_step; }
  /// The last call.
  void close();

 private:
  /// The header again, after another program has emptied the file.
  void begin_file();

  LogSettings settings_;
  std::optional<base::OutputFile> output_;
  LogFile file_;  // without an output if there is none
};

}  // namespace awend::train
