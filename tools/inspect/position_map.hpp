// The tables of positions of a model as pictures: mostly a row for each position, a column for each
// dimension (paper, section 3.5).  Test: tests/unit/inspect/position_map_test.cpp,
// tests/cli/inspect_positions.sh.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/array_file.hpp"

namespace awend::tools {

struct PositionAxis {
  std::string_view name;  ///< "position"
  std::uint32_t first;    ///< The number of the first row or column.
  std::uint32_t count;
};

struct PositionTable {
  std::string title;
  PositionAxis rows, columns;
  std::vector<float> values;  ///< Row-major.
};

/// The tables of a checkpoint, each with at most its first 100 rows: computed sinusoids, learned
/// positions, biases of relative positions, or the temporal encoding of a memory network.  Throws
/// Error naming the file if the model has none.
std::vector<PositionTable> position_tables(const store::ArrayFile& file);

/// An SVG file that names the model.  Requires: there is a table, and none is empty.
std::string position_map_svg(std::string_view model, const std::vector<PositionTable>& tables);

}  // namespace awend::tools
