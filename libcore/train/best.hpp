// The best validations of a run: which checkpoints are worth keeping, and whether there is still
// hope.  Test: tests/unit/train/best_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "train/recipe.hpp"

namespace awend::train {

struct Validated {
  std::uint64_t step = 0;  ///< Of the checkpoint; 0: there is none.
  double value = 0;

  bool operator==(const Validated&) const = default;
};

struct BestValidations {
  Metric metric = Metric::kLoss;
  std::vector<Validated> list = {};  ///< The best first, of equals the earlier.
  std::uint64_t since_best = 0;      ///< Validations since the first of the list came.

  /// Takes a validation in if it is among the best `most`, of which there is at least one.  Returns
  /// whether it is.
  bool add(const Validated& validated, std::uint32_t most);
  /// Forgets what was compared by another metric.
  void compare_by(Metric wanted);

  bool operator==(const BestValidations&) const = default;
};

/// The list as "STEP:VALUE STEP:VALUE", and back; Error for anything else.
std::string to_text(const std::vector<Validated>& list);
std::vector<Validated> parse_validated(std::string_view text);

}  // namespace awend::train
