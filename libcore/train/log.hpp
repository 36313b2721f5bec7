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

/// The names of the columns, and a line; both end in a line feed.  What is not known is "-".
std::string log_header();
std::string to_text(const LogLine& line);

class Log {
 public:
  /// "-" is stdout.  An empty file or a pipe gets the header.
  explicit Log(const std::string& path);
  void write(const LogLine& line);
  /// The last call.
  void close() { file_.commit(); }

 private:
  base::OutputFile file_;
};

}  // namespace awend::train
