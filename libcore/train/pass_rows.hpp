// How many rows a pass may have, so that training fits the device's memory: nobody finds a batch
// size by running out of it.
//
// An update has the tokens that the recipe says, in as many passes as that takes.  Test:
// tests/learn/pass_rows_test.cpp, tests/cli/train.sh.
#pragma once

#include <cstdint>

#include "forward/pass.hpp"

namespace awend::train {

struct PassBounds {
  std::uint32_t least_rows = 1;  ///< Of the longest sentence.
  std::uint32_t most_rows = 0;   ///< Of an update.
  bool validates = false;        ///< A pass without gradients stands beside it.
  /// Of all that this process has on the device; 0: its share of usable_bytes().
  std::uint64_t budget_bytes = 0;
  std::uint32_t sharers = 1;  ///< Processes that compute on the device.
};

/// The rows of passes: all in one if that fits, else in two, three and so on of equal size.  What
/// the device's arenas hold already counts.  Throws Error naming the demand and what lowers it if
/// not even the longest sentence fits.
std::uint32_t rows_that_fit(nn::Engine& engine, const model::ModelView& model,
                            const PassBounds& bounds);

}  // namespace awend::train
