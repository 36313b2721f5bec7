// A hash that differs for other corpora and other orders, which a resumed run compares.  It
// depends only on the ids, and not on whether they come from files, pipes or a cache.  FNV-1a over
// words, 64 bits wide.  Test: tests/unit/data/fingerprint_test.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "data/pairs_view.hpp"

namespace awend::data {

class Fingerprint {
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3; }
  void add(std::span<const std::uint32_t> words) {
    for (const auto word : words) add(word);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// The contribution of a pair to the fingerprint of its corpus.
std::uint64_t pair_word(std::span<const std::uint32_t> source,
                        std::span<const std::uint32_t> target);

/// The same of a pair with a word alignment (see SentencePairs::alignments), from that without.
std::uint64_t aligned_word(std::uint64_t pair_word, std::span<const std::uint32_t> links);

/// One of several corpora.
struct WeightedFingerprint {
  std::uint64_t corpus;
  double weight;
};

/// The fingerprint of several corpora; for a single one with weight 1, its own.
std::uint64_t joint_fingerprint(std::span<const WeightedFingerprint> corpora);

/// The fingerprint of the pairs in a view; reads all of it.
std::uint64_t fingerprint(const PairsView& pairs);

}  // namespace awend::data
