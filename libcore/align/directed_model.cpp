#include "align/directed_model.hpp"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/numbers.hpp"
#include "base/parallel.hpp"
#include "text/pair_table.hpp"

namespace awend::align {
namespace {

// Pairs are dealt to threads in parts of this many.
constexpr std::size_t kPart = 256;

// Calls visit(worker, i) for all pairs, on all threads.
template <class Visit>
void for_each_pair(std::size_t pairs, unsigned threads, const Visit& visit) {
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(threads, [&](unsigned worker) {
    for (std::size_t begin; (begin = next.fetch_add(kPart)) < pairs;) {
      for (auto i = begin; i < std::min(pairs, begin + kPart); ++i) visit(worker, i);
    }
  });
}

std::uint64_t mixed(WordId word) {
  return (word + 1) * 0x9E3779B97F4A7C15U >> 32;
}

// Counts of the pairs of words of one share of the source words.
class PairCounts {
 public:
  void add(WordId source, WordId target, std::uint64_t count) {
    const auto number = numbers_.find_or_insert(text::make_pair_key(source, target),
                                                static_cast<std::uint32_t>(entries_.size()));
    if (number == entries_.size()) entries_.push_back({source, target, 0});
    entries_[number].count += count;
  }

  // Pairs with a share of at least `least` of the count of their source word.
  std::vector<LexiconEntry> entries(double least) const {
    std::unordered_map<WordId, std::uint64_t> totals;
    for (const auto& entry : entries_) totals[entry.source] += entry.count;
    std::vector<LexiconEntry> kept;
    for (const auto& entry : entries_) {
      const auto total = static_cast<double>(totals[entry.source]);
      if (entry.source == kNoWord || static_cast<double>(entry.count) >= least * total)
        kept.push_back(entry);
    }
    return kept;
  }

 private:
  text::PairTable numbers_;
  std::vector<LexiconEntry> entries_;
};

}  // namespace

SentencePair DirectedModel::pair(std::size_t i) const {
  return bitext_.pair(i, direction_);
}

DirectedModel::DirectedModel(const Bitext& bitext, Direction direction,
                             const ModelSettings& settings, const PriorCounts& prior,
                             const std::function<void(int)>& progress)
    : bitext_(bitext),
      direction_(direction),
      settings_(settings),
      lexicon_(collect(prior)),
      repetitions_(source_words()) {
  lexicon_.estimate(0, settings.threads);
  progress(1);
  const int iterations = settings.diagonal_iterations + settings.markov_iterations;
  for (int iteration = 1; iteration < iterations; ++iteration) {
    const bool is_markov = iteration >= settings.diagonal_iterations;
    if (iteration == settings.diagonal_iterations) lexicon_.prune();
    auto jumps = expect(is_markov ? Positions::kMarkov : Positions::kDiagonal);
    add(prior, jumps);
    lexicon_.estimate(settings.alpha, settings.threads);
    if (is_markov) {
      jumps_.estimate(jumps);
      repetitions_.estimate();
    }
    progress(iteration + 1);
  }
}

// The first iteration, in which all words of a sentence are equally probable.  It meets all pairs
// of words that occur together, of which there may be more than fit in memory: source words are
// divided into shares that fit, and in each pass over the text a thread counts one share.
Lexicon DirectedModel::collect(const PriorCounts& prior) const {
  constexpr std::uint64_t kPairBytes = 40;
  // The least share of the count of a source word: rarer pairs have no influence, but are most of
  // all pairs.
  constexpr double kLeastShare = 1e-4;
  const auto threads = std::uint64_t{settings_.threads};
  // More shares than source words would only read the text again.
  const auto passes = std::min<std::uint64_t>(
      1 + bitext_.cells() * kPairBytes / std::max<std::uint64_t>(1, settings_.memory_bytes),
      base::divide_up<std::uint64_t>(source_words(), threads));
  std::vector<std::vector<LexiconEntry>> parts(threads * passes);
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    base::run_on_threads(settings_.threads, [&](unsigned worker) {
      const auto share = pass * threads + worker;
      PairCounts counts;
      std::vector<std::uint32_t> own;
      const auto is_own = [&](WordId word) { return mixed(word) % parts.size() == share; };
      for (std::size_t i = 0; i < bitext_.size(); ++i) {
        const auto [source, target] = pair(i);
        if (source.empty() || target.empty()) continue;
        const auto count = to_count(1 / static_cast<double>(source.size() + 1));
        own.clear();
        if (is_own(kNoWord)) own.push_back(kNoWord);
        std::copy_if(source.begin(), source.end(), std::back_inserter(own), is_own);
        for (const auto s : own) {
          for (const auto t : target) counts.add(s, t, count);
        }
      }
      for (const auto& entry : prior.lexicon) {
        if (is_own(entry.source)) counts.add(entry.source, entry.target, entry.count);
      }
      parts[share] = counts.entries(kLeastShare);
    });
  }
  return Lexicon(parts, source_words());
}

std::size_t DirectedModel::source_words() const {
  return direction_ == Direction::kForward ? bitext_.source_words.size()
                                           : bitext_.target_words.size();
}

Jumps::Counts DirectedModel::expect(Positions positions) {
  std::vector<PairAligner> aligners(settings_.threads);
  std::vector<Jumps::Counts> jumps(settings_.threads);
  for_each_pair(bitext_.size(), settings_.threads, [&](unsigned worker, std::size_t i) {
    const auto words = pair(i);
    if (words.source.empty() || words.target.empty()) return;
    aligners[worker].compute({lexicon_, jumps_, repetitions_, settings_.no_word}, words, positions);
    aligners[worker].add_counts(words, lexicon_, jumps[worker], repetitions_);
  });
  for (std::size_t i = 1; i < jumps.size(); ++i) {
    for (std::size_t j = 0; j < jumps[0].size(); ++j) jumps[0][j] += jumps[i][j];
  }
  return jumps[0];
}

void DirectedModel::add(const PriorCounts& prior, Jumps::Counts& jumps) {
  for (const auto& entry : prior.lexicon) {
    lexicon_.add(lexicon_.find(entry.source, entry.target),
                 static_cast<double>(entry.count) / kCountUnit);
  }
  for (std::size_t i = 0; i < jumps.size(); ++i) jumps[i] += prior.jumps[i];
}

PriorCounts DirectedModel::counts(const PriorCounts& prior) {
  auto jumps = expect(Positions::kMarkov);
  add(prior, jumps);
  return {.lexicon = lexicon_.counts(), .jumps = jumps};
}

// A long text has enough evidence in each sweep.  A sweep takes time in proportion to the cells,
// the products of the lengths: in all, no more than a sweep of kPairs pairs of 44 words.
int DirectedModel::sweeps() const {
  constexpr std::uint64_t kLeast = 5, kPairs = 100'000, kCells = kPairs * 44 * 44;
  if (settings_.sweeps) return *settings_.sweeps;
  const auto more = std::min(kPairs / std::max<std::uint64_t>(1, bitext_.size()),
                             kCells / std::max<std::uint64_t>(1, bitext_.cells()));
  return static_cast<int>(kLeast + more);
}

void DirectedModel::begin_chains() {
  if (sweeps() == 0) return;
  places_ = std::make_unique<PairPlaces>(bitext_, direction_, lexicon_, settings_.memory_bytes / 2,
                                         settings_.threads);
  start_.assign(places_->first_word(bitext_.size()), GibbsChain::kNoLink);
  std::vector<PairAligner> aligners(settings_.threads);
  for_each_pair(bitext_.size(), settings_.threads, [&](unsigned worker, std::size_t i) {
    std::ranges::copy(align_by_markov(i, aligners[worker]),
                      start_.begin() + static_cast<std::ptrdiff_t>(places_->first_word(i)));
  });
  chains_.resize(chains());
}

// Those of a short text differ more.
unsigned DirectedModel::chains() const {
  constexpr std::size_t kShort = 10'000;
  return bitext_.size() <= kShort ? 4 : 2;
}

void DirectedModel::run_chain(unsigned chain, const PriorCounts& prior) {
  if (chains_.empty()) return;
  auto made = std::make_unique<GibbsChain>(*places_, source_words(), start_,
                                           GibbsChain::Prior{prior.lexicon, prior.jumps},
                                           settings_.seed << kChainBits | chain);
  for (int sweep = 0; sweep < sweeps(); ++sweep) made->sweep();
  chains_[chain] = std::move(made);
}

std::vector<int> DirectedModel::align(std::size_t i, Scratch& scratch) const {
  const auto words = pair(i);
  if (chains_.empty() || words.source.empty()) return align_by_markov(i, scratch.aligner);
  std::vector<int> alignment(words.target.size(), GibbsChain::kNoLink);
  const auto width = words.source.size() + 1;
  scratch.sums.assign(words.target.size() * width, 0);
  for (const auto& chain : chains_) chain->add_probabilities(i, scratch.chain, scratch.sums);
  for (std::size_t t = 0; t < words.target.size(); ++t) {
    const auto sums = std::span(scratch.sums).subspan(t * width, width);
    alignment[t] = static_cast<int>(std::ranges::max_element(sums) - sums.begin()) - 1;
  }
  return alignment;
}

double DirectedModel::log_probability(std::size_t i, PairAligner& aligner) const {
  const auto words = pair(i);
  if (words.source.empty() || words.target.empty()) return 0;
  aligner.compute({lexicon_, jumps_, repetitions_, settings_.no_word}, words, Positions::kMarkov);
  return aligner.log_probability();
}

std::vector<int> DirectedModel::align_by_markov(std::size_t i, PairAligner& aligner) const {
  const auto words = pair(i);
  std::vector<int> alignment(words.target.size(), GibbsChain::kNoLink);
  if (words.source.empty() || words.target.empty()) return alignment;
  aligner.compute({lexicon_, jumps_, repetitions_, settings_.no_word}, words, Positions::kMarkov);
  for (std::size_t t = 0; t < words.target.size(); ++t) {
    float best = aligner.no_link(t);
    for (std::size_t s = 0; s < words.source.size(); ++s) {
      if (aligner.link(s, t) <= best) continue;
      best = aligner.link(s, t);
      alignment[t] = static_cast<int>(s);
    }
  }
  return alignment;
}

}  // namespace awend::align
