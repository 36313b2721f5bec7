// The texts of a run, read and judged: what was left out is said, and a text that the vocabulary
// does not fit is refused.  Test: tests/unit/train/corpora_test.cpp, tests/cli/train_corpus.sh.
#pragma once

#include <optional>
#include <vector>

#include "base/report.hpp"
#include "data/corpus_cache.hpp"

namespace awend::train {

/// One corpus of a run's.
struct TrainingFiles {
  data::CorpusFiles files;
  double weight = 1;  ///< The times an epoch meets each of its pairs; above 0.
};

struct CorporaFiles {
  std::vector<TrainingFiles> training;
  std::optional<data::CorpusFiles> validation;
};

struct CorporaSettings {
  const text::Vocabulary& vocabulary;
  /// The most tokens of a side, its end counted.
  std::uint32_t longest_training = data::kLongestSentence;
  std::uint32_t longest_validation = data::kLongestSentence;
  std::string cache;  ///< A folder.
};

/// Validation stands in memory, training in its caches.
class Corpora {
 public:
  /// Validation is read first, as it is soon done.  Throws Error if more than half of a text's
  /// pieces are unknown; more than a hundredth is a warning.
  Corpora(const CorporaFiles& files, const CorporaSettings& settings, const base::Report& report);

  /// Valid while the object lives.
  data::PairsView training() const;
  const std::optional<data::SentencePairs>& validation() const { return validation_; }
  /// That of training() (see data/fingerprint.hpp), which need not be read for it.
  std::uint64_t fingerprint() const;

 private:
  struct Training {
    data::CorpusCache cache;
    double weight;
  };

  std::uint32_t end_of_sentence_;
  std::optional<data::SentencePairs> validation_;
  std::vector<Training> training_;
};

/// Judges what was counted while `files` were read.
void judge(const data::CorpusFiles& files, const data::CorpusCounts& counts,
           const base::Report& report);

}  // namespace awend::train
