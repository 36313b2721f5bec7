#include "data/epoch_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace awend::data {
namespace {

// Separates the selection of pairs by fractional weights from other random numbers of the same
// seed: "part" in ASCII, above the epoch.
constexpr std::uint64_t kPartStream = std::uint64_t{0x70617274} << 32;

/// Selects the fractional part of the weight of a corpus, pair by pair: exactly this many pairs,
/// all subsets equally likely (Knuth, "The art of computer programming", 3.4.2, algorithm S).
class Share {
 public:
  Share(base::Random& random, std::size_t all, double share)
      : random_(random),
        rest_(all),
        wanted_(static_cast<std::size_t>(std::llround(static_cast<double>(all) * share))) {}

  bool takes_next() {
    if (wanted_ == 0) return false;
    const bool taken = random_.below(static_cast<std::uint32_t>(rest_--)) < wanted_;
    wanted_ -= taken ? 1 : 0;
    return taken;
  }

 private:
  base::Random& random_;
  std::size_t rest_, wanted_;
};

/// Calls visit(entry) for every occurrence of a pair in an epoch; deterministic in the arguments.
template <class Visit>
void visit_epoch(const PairsView& corpus, std::uint64_t seed, std::uint64_t epoch, Visit visit) {
  base::Random random(seed, kPartStream | epoch);
  std::uint32_t pair = 0;
  for (const auto& part : corpus.corpora()) {
    const double whole = std::floor(part.weight);
    Share share(random, part.size, part.weight - whole);
    for (std::size_t i = 0; i < part.size; ++i, ++pair) {
      const auto times = static_cast<std::uint64_t>(whole) + (share.takes_next() ? 1 : 0);
      const auto [source, target] = corpus.packing() == nullptr
                                        ? PairRows{part.source.tokens(i), part.target.tokens(i)}
                                        : corpus.rows({pair, epoch});
      if (source == 0) continue;
      base::check(std::max(source, target) <= kLongestSentence, "a sentence is not too long");
      const PlannedPair entry{pair, static_cast<std::uint16_t>(source),
                              static_cast<std::uint16_t>(target)};
      for (std::uint64_t time = 0; time < times; ++time) visit(entry);
      if (pair % kPairsBetweenForgetting == 0) corpus.forget();
    }
  }
  corpus.forget();
}

/// The class of each length: classes grow by a tenth and begin at eight tokens, so that a class of
/// short sentences contains more than a few lengths.
std::vector<std::uint16_t> length_classes() {
  std::vector<std::uint16_t> classes(std::size_t{kLongestSentence} + 1);
  std::uint32_t limit = 8;
  for (std::uint32_t tokens = 1; tokens <= kLongestSentence; ++tokens) {
    classes[tokens] = classes[tokens - 1];
    if (tokens > limit) {
      ++classes[tokens];
      limit = std::max(limit + 1, limit + limit / 10);
    }
  }
  return classes;
}

/// Pairs of an epoch are numbered with 32 bits.
void check_size(const PairsView& corpus) {
  double pairs = 0;
  for (const auto& part : corpus.corpora()) pairs += static_cast<double>(part.size) * part.weight;
  if (pairs >= 0x1p32 - 1) base::fail("an epoch has more than 2^32 pairs: lower the weights");
}

}  // namespace

std::vector<PlannedPair> epoch_order(const PairsView& corpus, std::uint64_t seed,
                                     std::uint64_t epoch, base::Random& random) {
  check_size(corpus);
  const auto classes = length_classes();
  std::vector<std::size_t> ends(std::size_t{classes.back()} + 2);
  visit_epoch(corpus, seed, epoch, [&](PlannedPair entry) { ++ends[classes[entry.length()] + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<PlannedPair> entries(ends.back());
  // The begin of each class advances to its end while the class is filled.
  visit_epoch(corpus, seed, epoch,
              [&](PlannedPair entry) { entries[ends[classes[entry.length()]]++] = entry; });
  std::size_t begin = 0;
  for (const auto end : ends) {
    random.shuffle(std::span(entries).subspan(begin, end - begin));
    begin = end;
  }
  return entries;
}

}  // namespace awend::data
