#include "data/fingerprint.hpp"

#include <bit>

namespace awend::data {
namespace {

std::uint64_t fingerprint_of(const CorpusView& corpus) {
  Fingerprint fingerprint;
  std::vector<std::uint32_t> source, target, links;
  for (std::size_t i = 0; i < corpus.size; ++i) {
    source.clear();
    target.clear();
    corpus.source.append_to(source, i);
    corpus.target.append_to(target, i);
    auto word = pair_word(source, target);
    if (corpus.alignments) {
      links.clear();
      corpus.alignments->append_to(links, i);
      word = aligned_word(word, links);
    }
    fingerprint.add(word);
  }
  return fingerprint.value();
}

}  // namespace

std::uint64_t pair_word(std::span<const std::uint32_t> source,
                        std::span<const std::uint32_t> target) {
  Fingerprint word;
  word.add(source.size());
  word.add(source);
  word.add(target);
  return word.value();
}

std::uint64_t aligned_word(std::uint64_t pair_word, std::span<const std::uint32_t> links) {
  Fingerprint word;
  word.add(pair_word);
  word.add(links.size());
  word.add(links);
  return word.value();
}

std::uint64_t joint_fingerprint(std::span<const WeightedFingerprint> corpora) {
  if (corpora.size() == 1 && corpora[0].weight == 1) return corpora[0].corpus;
  Fingerprint joint;
  for (const auto& [corpus, weight] : corpora) {
    joint.add(corpus);
    joint.add(std::bit_cast<std::uint64_t>(weight));
  }
  return joint.value();
}

std::uint64_t fingerprint(const PairsView& pairs) {
  std::vector<WeightedFingerprint> each;
  for (const auto& corpus : pairs.corpora())
    each.push_back({fingerprint_of(corpus), corpus.weight});
  return joint_fingerprint(each);
}

}  // namespace awend::data
