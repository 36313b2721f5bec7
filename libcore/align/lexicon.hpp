// Translation probabilities p(target word | source word), and their counts while they are
// estimated.
//
// Counts are integers, in units of 2^-32: sums do not depend on the order in which threads add
// them.  Test: tests/unit/align/hmm_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "align/bitext.hpp"

namespace awend::align {

/// A count of 1.
inline constexpr double kCountUnit = 0x1p32;
inline std::uint64_t to_count(double value) {
  return static_cast<std::uint64_t>(value * kCountUnit + 0.5);
}

/// e to the digamma function, the expectation of a parameter in variational Bayes.  Requires: x >
/// 0.
double exp_digamma(double x);

/// The pairs of words that a lexicon has.
struct LexiconEntry {
  WordId source, target;
  std::uint64_t count;
};

class Lexicon {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// Of pairs that are not in the table.
  static constexpr float kLeastProbability = 1e-9F;

  Lexicon() = default;
  /// A table of these pairs, each of which must occur once, with their counts; probabilities follow
  /// by estimate().
  Lexicon(std::span<const std::vector<LexiconEntry>> parts, std::size_t source_words);

  /// The place of a pair, or kNone.
  std::uint32_t find(WordId source, WordId target) const {
    for (std::size_t at = home(source, target);; at = (at + 1) & mask_) {
      const auto& slot = slots_[at];
      if (slot.source == source && slot.target == target) return static_cast<std::uint32_t>(at);
      if (slot.source == kFree) return kNone;
    }
  }
  float probability(std::uint32_t place) const {
    return place == kNone ? kLeastProbability : slots_[place].probability;
  }
  /// Adds to the count of a pair; any thread.
  void add(std::uint32_t place, double count) {
    if (place == kNone) return;
    std::atomic_ref(slots_[place].count).fetch_add(to_count(count), std::memory_order_relaxed);
  }
  /// Brings a place into the cache before it is searched.
  void prefetch(WordId source, WordId target) const {
    __builtin_prefetch(&slots_[home(source, target)]);
  }

  /// Sets the probabilities by the counts, which then begin at 0: relative frequencies if `alpha`
  /// is 0, otherwise by variational Bayes with a symmetric Dirichlet prior, which makes rare pairs
  /// of frequent words improbable (Riley and Gildea 2012).
  void estimate(double alpha, unsigned threads);

  /// Removes improbable pairs, most of all, so that the table fits into caches.  Counts must be 0.
  void prune();

  /// All pairs with a count, in no order.
  std::vector<LexiconEntry> counts() const;
  std::size_t size() const { return size_; }
  /// One more than the largest place.
  std::size_t places() const { return slots_.size(); }
  /// Calls visit(source word) for each pair.
  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    for (const auto& slot : slots_) {
      if (slot.source != kFree) visit(slot.source);
    }
  }

 private:
  static constexpr WordId kFree = UINT32_MAX;
  struct Slot {
    WordId source = kFree, target = 0;
    std::uint64_t count = 0;
    float probability = 0;
  };

  std::size_t home(WordId source, WordId target) const {
    const auto key = std::uint64_t{source} << 32 | target;
    return (key * 0x9E3779B97F4A7C15U >> 32) & mask_;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1);
  std::size_t mask_ = 0, size_ = 0, source_words_ = 0;
};

}  // namespace awend::align
