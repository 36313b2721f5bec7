// A model between two formats: everything that a checkpoint contains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interchange/model_weights.hpp"
#include "model/config.hpp"
#include "store/activation_scales.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/stored_settings.hpp"
#include "text/vocabulary.hpp"

namespace awend::interchange {

struct ConvertedModel {
  model::Config config;
  ModelWeights weights;
  std::optional<text::Vocabulary> vocabulary;         ///< Of the target, and of the source …
  std::optional<text::Vocabulary> source_vocabulary;  ///< … unless it has its own.
  /// The lexical shortlist that belongs to the model, in the ids of these vocabularies.
  std::optional<store::LexicalShortlist> shortlist = {};
  /// The fixed scales of 8-bit products: by the names of matrices, what their left operands are
  /// multiplied with.
  store::ActivationScales activation_scales = {};
  /// How the original translates, by the names of decode/search_settings.hpp.
  store::Settings search;
  /// What the conversion cannot express.
  std::vector<std::string> notes;
  /// What a user should hear of the files.
  std::vector<std::string> warnings;
  /// Why the source is assumed to have an end, if the files do not tell.
  std::optional<std::string> assumed_source_end;
};

}  // namespace awend::interchange
