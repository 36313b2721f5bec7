// The files of models: settings and vocabularies in checkpoints, and shortlists.
//
// Test: tests/cli/ensemble.sh, tests/cli/shortlist.sh.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decode/open_options.hpp"
#include "decode/sentence_shortlist.hpp"
#include "model/config.hpp"
#include "store/array_file.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

using Checkpoint = std::unique_ptr<const store::ArrayFile>;

/// Opens a checkpoint, or the best one in a directory of train.  Throws Error naming the file if
/// it is not a checkpoint.
Checkpoint open_checkpoint(const std::string& path);

/// The vocabulary of the model's output, or of an encoder.  Throws Error naming the file if there
/// is none, or if the model has another number of tokens.
text::Vocabulary vocabulary_of(const store::ArrayFile& checkpoint);

/// The vocabularies of a model, or of all models of an ensemble.
struct ModelVocabularies {
  text::Vocabulary target;                 ///< And of the source …
  std::optional<text::Vocabulary> source;  ///< … unless it has its own.

  text::Vocabularies both() const { return {source ? *source : target, target}; }
};

/// Throws Error naming the file if a vocabulary does not match its model, or that of the first one.
ModelVocabularies vocabularies_of(const store::ArrayFile& checkpoint);
ModelVocabularies vocabularies_of(const std::vector<Checkpoint>& checkpoints);

/// The settings of the search that the checkpoint contains, and defaults for others.  Throws Error
/// naming the file if one is not known.
SearchSettings search_settings_of(const store::ArrayFile& checkpoint);

/// The tokens that translations may have; without both members, all.
struct AllowedTokens {
  std::vector<std::uint32_t> of_all = {};                      ///< Of all sentences.
  std::unique_ptr<const SentenceShortlist> of_each = nullptr;  ///< Of each sentence its own.
};

/// Those of a file, or of the first model.  Throws Error naming the file, and the line if its words
/// are not in the vocabularies.
AllowedTokens read_allowed_tokens(const ShortlistFile& file, const store::ArrayFile& checkpoint,
                                  const ModelVocabularies& vocabularies);

}  // namespace awend::decode
