// The best validations of a run, for keeping their checkpoints and for early stopping.  Test:
// tests/unit/train/best_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "train/scores.hpp"

namespace awend::train {

struct Validated {
  std::uint64_t step = 0;  ///< Of the checkpoint; 0: none.
  double value = 0;

  bool operator==(const Validated&) const = default;
};

struct BestValidations {
  ValidationMetric metric = ValidationMetric::kLoss;
  std::vector<Validated> list = {};  ///< Best first; ties in order of time.
  std::uint64_t since_best = 0;      ///< Validations since the best one.
  /// The validation at the end of a run that was better than all before, if the run has been
  /// continued since.  Not in the list, so that early stopping counts the same validations as in a
  /// run that was never interrupted.
  Validated at_end = {};

  /// Adds a validation if it is among the best max(`max_entries`, 1), and returns whether it is.
  /// NaN, of lost parameters, never is.
  bool add(const Validated& validated, std::uint32_t max_entries);
  /// Makes a validation `at_end` if it is better than all others, and returns whether it is.
  bool add_at_end(const Validated& validated);
  /// The list with `at_end` in its place.
  std::vector<Validated> ranked() const;
  /// Clears the list if it was compared by another metric.
  void compare_by(ValidationMetric requested);

  bool operator==(const BestValidations&) const = default;

 private:
  bool is_better(double value, double than) const;
};

/// Converts the list to "STEP:VALUE STEP:VALUE", and back; throws Error for anything else.
std::string to_text(const std::vector<Validated>& list);
std::vector<Validated> parse_validated(std::string_view text);

}  // namespace awend::train
