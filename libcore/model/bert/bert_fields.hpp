// The settings that only BERT has, and its presets.
//
// Test: tests/unit/model/config_test.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/config.hpp"

namespace awend::model {

std::span<const base::Field<Config>> bert_fields();

/// Throws Error for settings that contradict each other.
void require_consistent_bert(const Config& config);

/// The settings of a Transformer's encoder that BERT has and that are not configurable.
Config with_fixed_settings(Config config);

/// bert-base (Devlin et al., 2019), or bert-tiny for a CPU.
Config bert_preset(std::string_view name);

}  // namespace awend::model
