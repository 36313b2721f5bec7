// Reads and checks the texts of a run: reports skipped pairs, and refuses a text that does not
// match the vocabulary.  Test: tests/unit/train/corpora_test.cpp, tests/cli/train_corpus.sh.
#pragma once

#include <optional>
#include <vector>

#include "base/numbers.hpp"
#include "base/report.hpp"
#include "data/corpus_cache.hpp"
#include "data/examples.hpp"
#include "train/task_view.hpp"

namespace awend::train {

/// How often an epoch may contain the pairs of a corpus.
inline constexpr base::RealRange kCorpusWeightRange{0.001, 1000};

/// One training corpus.
struct TrainingFiles {
  data::CorpusFiles files;
  double weight = 1;  ///< How often an epoch contains each of its pairs.
};

struct CorporaFiles {
  std::vector<TrainingFiles> training;
  std::optional<data::CorpusFiles> validation;
};

struct CorporaSettings {
  text::Vocabularies vocabularies;
  /// The maximum length of a side in tokens, its end included.
  std::uint32_t longest_training = data::kLongestSentence;
  std::uint32_t longest_validation = data::kLongestSentence;
  std::string cache;  ///< A directory.
  std::optional<data::PairCheck> pair_check = {};
  data::ExampleSettings examples = {};  ///< Of a model for given text.
  ShowTask show_task = show_nothing;
};

/// The validation text is in memory, the training text in its caches.
class Corpora {
 public:
  /// The validation text is read first, because it is short.  Throws Error if more than half of a
  /// text's pieces are unknown, and warns of more than a hundredth.
  Corpora(const CorporaFiles& files, const CorporaSettings& settings, const base::Report& report);

  /// Valid during the lifetime of the object.
  data::PairsView training() const;
  const std::optional<data::SentencePairs>& validation() const { return validation_; }
  /// Requires: a validation text.  Its examples do not depend on the seed of the run.
  data::PairsView validation_view() const;
  /// Whether training texts have word alignments.
  bool has_alignments() const;
  /// The fingerprint of training() (see data/fingerprint.hpp), without reading it.
  std::uint64_t fingerprint() const;

 private:
  struct Training {
    data::CorpusCache cache;
    double weight;
  };

  std::uint32_t end_of_sentence_;
  std::unique_ptr<data::Packing> packing_, validation_packing_;  // null for pairs
  std::optional<data::SentencePairs> validation_;
  std::vector<Training> training_;
};

/// Checks the counts of `files`: reports them, warns, or throws Error.
void judge(const data::CorpusFiles& files, const data::CorpusCounts& counts,
           const base::Report& report);

}  // namespace awend::train
