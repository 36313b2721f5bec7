// The lines of the log: tab-separated for programs (man/train.1 lists the columns), aligned for a
// terminal.
//
// Test: tests/unit/train/log_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "forward/losses.hpp"
#include "train/scores.hpp"
#include "train/window.hpp"

namespace awend::train {

struct LogLine {
  std::uint64_t step = 0;
  double epochs = 0;   ///< Completed, as a fraction.
  double seconds = 0;  ///< Since the start of the run, without pauses.
  Window window = {};
  double rate = 0;
  std::uint64_t skipped = 0;
  std::optional<forward::Losses> validation = {};
  Scores scores = {};  ///< Of the output for the validation text; empty if there is none.
};

/// The format of most numbers in the log.
std::string four_digits(double value);

/// The header and a line, each with a line feed, with a column for each of `scores`.  Unknown
/// values are "-".
std::string log_header(Metrics scores);
std::string to_text(const LogLine& line, Metrics scores);

/// The header and a line for a terminal.
std::string terminal_header(Metrics scores);
std::string terminal_text(const LogLine& line, Metrics scores);

}  // namespace awend::train
