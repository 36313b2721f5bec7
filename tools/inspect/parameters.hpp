// The arrays of a checkpoint by part of the model (section 3 of the paper): how many numbers, and
// how large they are.  Test: tests/unit/inspect/parameters_test.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.hpp"
#include "store/array_file.hpp"

namespace awend::tools {

/// Statistics of numbers.  Numbers that are not finite are only counted.
struct Statistics {
  std::uint64_t finite = 0;
  std::uint64_t not_finite = 0;
  double squares = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  void add(float value);
  Statistics& operator+=(const Statistics& other);
  /// The root mean square; 0 if there are no numbers.
  double rms() const { return finite == 0 ? 0 : std::sqrt(squares / static_cast<double>(finite)); }
};

/// F32, or I8 with scales (see store/weights.hpp).
bool are_weights(const store::Array& array);

/// The numbers of an array of weights; nothing for other types.
Statistics statistics_of(const store::ArrayFile& file, const store::Array& array);

/// "encoder: self-attention" for "encoder.0.self.query"; "other" for unknown names.
std::string_view part_of(std::string_view name);

struct Part {
  std::string_view name;
  std::uint64_t arrays = 0;
  std::uint64_t numbers = 0;
  Statistics statistics = {};
};

struct Survey {
  std::vector<Part> parts;              ///< In the order of the paper.
  std::vector<Statistics> arrays;       ///< By place in the file.
  std::vector<std::string_view> types;  ///< The different types of numbers: "F32".
  std::uint64_t numbers = 0;
};

Survey survey(const store::ArrayFile& file, cli::Progress* progress = nullptr);

}  // namespace awend::tools
