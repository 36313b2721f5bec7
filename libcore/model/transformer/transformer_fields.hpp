// The settings of the Transformer, some of which other architectures have, too.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/config.hpp"

namespace awend::model {

/// In the order of checkpoints.
std::span<const base::Field<Config>> transformer_fields();

/// base, big, small or tiny; nullopt for another name.
std::optional<Config> transformer_preset(std::string_view name);

/// Throws Error for settings that exclude each other.
void require_consistent_transformer(const Config& config);

/// Throws Error for ids that are not below the size of the vocabulary, and for shared embeddings of
/// two vocabularies.
void require_valid_ids(const Config& config);

}  // namespace awend::model
