// The tables of positions of a model as pictures: a row for each position, a column for each
// dimension (paper, section 3.5).  Test: tests/unit/inspect/position_map_test.cpp,
// tests/cli/inspect_positions.sh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/array_file.hpp"

namespace awend::tools {

struct PositionTable {
  std::string title;
  std::uint32_t first;  ///< The position of the first row.
  std::uint32_t rows, columns;
  std::vector<float> values;  ///< Row-major.
};

/// The tables of a checkpoint, each with at most its first 100 rows: computed sinusoids, learned
/// positions, or the temporal encoding of a memory network.  Throws Error naming the file if the
/// model has none.
std::vector<PositionTable> position_tables(const store::ArrayFile& file);

/// An SVG file.  Requires: there is a table, and none is empty.
std::string position_map_svg(const std::vector<PositionTable>& tables);

}  // namespace awend::tools
