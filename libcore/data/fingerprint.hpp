// A number that another corpus, or the same one in another order, would not give: what a run that
// goes on compares.  It comes from the ids alone, so that it does not matter whether they came from
// files, pipes or a cache.  FNV-1a over words, 64 bits wide.  Test:
// tests/unit/data/fingerprint_test.cpp.
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

/// The word that a pair adds to its corpus' fingerprint.
std::uint64_t pair_word(std::span<const std::uint32_t> source,
                        std::span<const std::uint32_t> target);

/// A corpus among others.
struct WeightedFingerprint {
  std::uint64_t corpus;
  double weight;
};

/// Of several corpora; that of a single one with the weight 1 is its own.
std::uint64_t joint_fingerprint(std::span<const WeightedFingerprint> corpora);

/// Of what a view shows; reads all of it.
std::uint64_t fingerprint(const PairsView& pairs);

}  // namespace awend::data
