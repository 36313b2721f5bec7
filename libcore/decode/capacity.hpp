// How much of a model's decoding is in work at once, worked out from the device's memory and
// limits.
//
// Test: tests/unit/decode/capacity_test.cpp, on limits made by hand.
#pragma once

#include <cstdint>
#include <span>

#include "decode/beam.hpp"
#include "decode/stepper.hpp"

namespace awend::decode {

struct CapacityWish {
  std::uint32_t batch_tokens;   ///< 0: what memory is good for.
  std::uint32_t longest_piece;  ///< Source tokens of one sentence, without its end.
};

/// Source tokens in work that a quarter of the device's memory holds with all that belongs to them;
/// no more than pays.
std::uint32_t default_batch_tokens(const vulkan::Limits& limits,
                                   const model::DecodingFootprint& model,
                                   const SearchSettings& search);

/// Throws Error if the beam is too large for the device.
StepperCapacity capacity_for(const vulkan::Limits& limits, const model::DecodingFootprint& model,
                             const SearchSettings& search, const CapacityWish& wish);

/// What several models, each with such caches, hold at once.
StepperCapacity common_capacity(std::span<const StepperCapacity> models);

/// Of models that share the engine's device.
StepperCapacity capacity_for(const nn::Engine& engine, const Ensemble& ensemble,
                             const SearchSettings& search, const CapacityWish& wish);

/// The longest sentence, without its end, that such caches hold in one piece: the one wished for
/// unless it or the longest translation that it may have does not fit.
std::uint32_t longest_piece(const StepperCapacity& capacity, const model::DecodingFootprint& model,
                            const SearchSettings& search, std::uint32_t wished);

}  // namespace awend::decode
