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

  /// Adds a validation if it is among the best max(`max_entries`, 1), and returns whether it is.
  /// NaN, of lost parameters, never is.
  bool add(const Validated& validated, std::uint32_t max_entries);
  /// Clears the list if it was compared by another metric.
  void compare_by(ValidationMetric requested);

  bool operator==(const BestValidations&) const = default;
};

/// Converts the list to "STEP:VALUE STEP:VALUE", and back; throws Error for anything else.
std::string to_text(const std::vector<Validated>& list);
std::vector<Validated> parse_validated(std::string_view text);

}  // namespace awend::train
