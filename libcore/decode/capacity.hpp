// How many tokens and hypotheses are decoded at once, computed from the memory and limits of the
// device.  Test: tests/unit/decode/capacity_test.cpp, with given limits.
#pragma once

#include <cstdint>
#include <span>

#include "decode/beam.hpp"
#include "decode/device_step_model.hpp"

namespace awend::decode {

struct CapacityRequest {
  std::uint32_t batch_tokens;   ///< 0: chosen by memory.
  std::uint32_t longest_piece;  ///< Source tokens of one sentence, without the end.
};

/// Source tokens in flight for which a quarter of the device's memory suffices, caches and
/// activations included, up to the most that increase throughput.
std::uint32_t default_batch_tokens(const vulkan::Limits& limits,
                                   const model::DecodingFootprint& model,
                                   const SearchSettings& search);

/// Throws Error if the beam is too large for the device.
SearchCapacity capacity_for(const vulkan::Limits& limits, const model::DecodingFootprint& model,
                            const SearchSettings& search, const CapacityRequest& request);

/// The capacity that all of several models have.
SearchCapacity common_capacity(std::span<const SearchCapacity> models);

/// The capacity of models that share a device.
SearchCapacity capacity_for(const nn::Engine& engine, const Ensemble& ensemble,
                            const SearchSettings& search, const CapacityRequest& request);

/// The longest sentence, without its end, that is translated in one piece: `requested`, unless it
/// or its longest possible translation exceeds the capacity.
std::uint32_t longest_piece(const SearchCapacity& capacity, const model::DecodingFootprint& model,
                            const SearchSettings& search, std::uint32_t requested);

}  // namespace awend::decode
