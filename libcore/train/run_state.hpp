// The state and identity of a run, which a training state contains in addition to weights and
// moments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/batch_plan.hpp"
#include "model/config.hpp"
#include "store/lexical_shortlist.hpp"
#include "train/best.hpp"
#include "train/recipe.hpp"
#include "train/update.hpp"
#include "train/window.hpp"

namespace awend::train {

/// The state of a run, without weights and moments.
struct RunState {
  UpdateCounts counts;
  data::BatchPosition position;
  std::uint32_t pass_rows = 0;  ///< Of the passes so far; others would round sums differently.
  double seconds = 0;
  Window window;
  BestValidations best;
  bool owes_validation = false;  ///< The validation after this update was interrupted.
  /// Where the table of the run begins in its log file, in bytes; nothing if it has none.
  std::optional<std::uint64_t> log_begin = {};
  std::string log_first_line = {};  ///< Of that table (LogPlace).
};

/// What must be the same when a run resumes, and what all its checkpoints contain.
struct Identity {
  model::Config config;
  Recipe recipe;
  std::string vocabulary;              ///< The whole file.
  std::uint64_t corpus_fingerprint;    ///< See data/fingerprint.hpp.
  std::string source_vocabulary = {};  ///< The same of the source, if it has its own.
  /// The defaults of the search in the checkpoint that the run starts from: a converted model is
  /// searched as before after it has been trained further.  Empty if there are none.
  std::string search = {};
  /// Its lexical shortlist, if it has one for these vocabularies.
  std::optional<store::LexicalShortlist> shortlist = std::nullopt;
};

}  // namespace awend::train
