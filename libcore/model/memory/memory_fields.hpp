// The settings that only memory networks have, and their presets.
//
// Test: tests/unit/model/config_test.cpp, tests/unit/model/memory_test.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/config.hpp"
#include "store/array_file.hpp"

namespace awend::model {

std::span<const base::Field<Config>> memory_fields();

/// What is wrong with a checkpoint of an earlier version of memory networks, which predicted the
/// end of an answer like a token; nullopt for other checkpoints.
std::optional<std::string> outdated_memory(const store::Settings& settings,
                                           const store::ArrayFile& file);

/// Throws Error for settings that contradict each other.
void require_consistent_memory(const Config& config);

/// The network of the paper for one task or for all tasks together: memory-3hop or memory-joint.
Config memory_preset(std::string_view name);

}  // namespace awend::model
