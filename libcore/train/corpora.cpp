#include "train/corpora.hpp"

#include "base/error.hpp"

namespace awend::train {
namespace {

constexpr double suspicious_share = 0.01;
constexpr double hopeless_share = 0.5;

std::string percent(double share) {
  const auto tenths = static_cast<std::uint64_t>(share * 1000 + 0.5);
  return base::concat(tenths / 10, '.', tenths % 10, " %");
}

data::SentencePairs read(const data::CorpusFiles& files, const text::Vocabulary& vocabulary,
                         std::uint32_t longest_tokens, const base::Report& report) {
  data::Corpus corpus = data::read_corpus(files, vocabulary, longest_tokens);
  judge(files, corpus.counts, report);
  if (corpus.counts.long_pairs > 0) {
    report.warning(base::concat(
        files.source, ", ", files.target, ": ", corpus.counts.long_pairs, " of ",
        corpus.counts.lines, " pairs left out, a side has more than ", longest_tokens, " tokens"));
  }
  return std::move(corpus.pairs);
}

}  // namespace

void judge(const data::CorpusFiles& files, const data::CorpusCounts& counts,
           const base::Report& report) {
  const auto names = base::concat(files.source, ", ", files.target);
  const double share =
      static_cast<double>(counts.unknown_pieces) / static_cast<double>(counts.pieces);
  report.note(base::concat(names, ": ", counts.lines, " pairs, ", counts.pieces, " pieces, ",
                           counts.empty_pairs, " pairs with an empty side left out, ",
                           percent(share), " of the pieces unknown"));
  if (share <= suspicious_share) return;
  const auto what = base::concat(names, ": ", percent(share),
                                 " of the pieces are unknown, the first is ", counts.first_unknown);
  if (share > hopeless_share) throw base::Error(what + "; the text does not fit the vocabulary");
  report.warning(what);
}

Corpora read_corpora(const CorporaFiles& files, const text::Vocabulary& vocabulary,
                     std::uint32_t longest_tokens, const base::Report& report) {
  Corpora corpora{read(files.training, vocabulary, longest_tokens, report), std::nullopt};
  if (files.validation)
    corpora.validation = read(*files.validation, vocabulary, longest_tokens, report);
  return corpora;
}

}  // namespace awend::train
