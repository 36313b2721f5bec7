// Chooses the rows of a pass so that training fits into the device's memory.
//
// An update has the number of tokens in the recipe, split into as many passes as needed.  Test:
// tests/learn/pass_rows_test.cpp, tests/cli/train.sh.
#pragma once

#include <cstdint>

#include "forward/pass.hpp"

namespace awend::train {

struct PassBounds {
  std::uint32_t min_rows = 1;  ///< Of the longest sentence.
  std::uint32_t max_rows = 0;  ///< Of an update.
  bool validates = false;      ///< A pass without gradients also needs memory.
  bool translates = false;     ///< Validations have a beam, whose memory is already allocated.
  /// The device memory of this process; 0: its share of usable_bytes().
  std::uint64_t budget_bytes = 0;
  std::uint32_t sharers = 1;  ///< Processes that compute on the device.
  std::optional<nn::GuidedAlignment> guided_alignment = {};  ///< Of training passes.
  std::uint64_t optimizer_bytes = 0;                         ///< See Trainer::optimizer_bytes().
};

/// The bytes of device memory of a process that may have `requested`, or if that is 0, its share.
std::uint64_t memory_budget(const nn::Engine& engine, std::uint64_t requested,
                            std::uint32_t sharers);

/// The rows of a pass: all rows of an update if they fit, otherwise a half, a third and so on.
/// Memory that is already allocated counts.  Throws Error with the required memory if not even the
/// longest sentence fits.
std::uint32_t rows_that_fit(nn::Engine& engine, const model::ModelView& model,
                            const PassBounds& bounds);

}  // namespace awend::train
