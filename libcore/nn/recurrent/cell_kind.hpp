// The kinds of recurrent cells.
#pragma once

#include <cstdint>

namespace awend::nn {

enum class Cell { kLstm, kGru };

/// The number of gates, G.
constexpr std::uint32_t gates_of(Cell cell) {
  return cell == Cell::kLstm ? 4 : 3;
}

}  // namespace awend::nn
