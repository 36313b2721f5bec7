// The texts of a run, read and judged: what was left out is said, and a text that the vocabulary
// does not fit is refused.
#pragma once

#include <optional>

#include "base/report.hpp"
#include "data/corpus.hpp"

namespace awend::train {

struct Corpora {
  data::SentencePairs training;
  std::optional<data::SentencePairs> validation;
};

struct CorporaFiles {
  data::CorpusFiles training;
  std::optional<data::CorpusFiles> validation;
};

/// Leaves out pairs with a side of more than `longest_tokens` tokens.  Throws Error if more than
/// half of a text's pieces are unknown; more than a hundredth is a warning.
Corpora read_corpora(const CorporaFiles& files, const text::Vocabulary& vocabulary,
                     std::uint32_t longest_tokens, const base::Report& report);

/// Judges what was counted while `files` were read.
void judge(const data::CorpusFiles& files, const data::CorpusCounts& counts,
           const base::Report& report);

}  // namespace awend::train
