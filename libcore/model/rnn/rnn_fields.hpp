// The settings that only recurrent encoder-decoders have, and their presets.
//
// Test: tests/unit/model/config_test.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/config.hpp"

namespace awend::model {

std::span<const base::Field<Config>> rnn_fields();

/// Throws Error for settings that contradict each other.
void require_consistent_rnn(const Config& config);

/// The networks of the papers, cho, sutskever, bahdanau, luong and gnmt, and rnn-small and
/// rnn-tiny.
Config rnn_preset(std::string_view name);

}  // namespace awend::model
