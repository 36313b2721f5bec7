// How the pairs of a corpus become rows of a batch, if they are not a source and its translation.
//
// The rows of a pair may depend on the epoch, such as by the tokens that are masked.  Test:
// tests/unit/data/masked_text_test.cpp, tests/unit/data/labeled_text_test.cpp.
#pragma once

#include <cstdint>
#include <span>

namespace awend::batch {
struct PackedBatch;
}

namespace awend::data {

class PairsView;

/// A pair of a corpus in an epoch.
struct EpochPair {
  std::uint32_t pair;
  std::uint64_t epoch = 0;
};

/// Several of them.
struct EpochPairs {
  EpochPairs(std::span<const std::uint32_t> numbers, std::span<const std::uint64_t> their_epochs)
      : pairs(numbers), epochs(their_epochs) {}
  template <class Numbers>
  EpochPairs(const Numbers& numbers)  // NOLINT: a span of numbers, all of epoch 0
      : pairs(numbers) {}

  std::size_t size() const { return pairs.size(); }
  EpochPair operator[](std::size_t i) const { return {pairs[i], epochs.empty() ? 0 : epochs[i]}; }
  EpochPairs part(std::size_t begin, std::size_t end) const {
    return {pairs.subspan(begin, end - begin),
            epochs.empty() ? epochs : epochs.subspan(begin, end - begin)};
  }

  std::span<const std::uint32_t> pairs;
  std::span<const std::uint64_t> epochs;  ///< Of each; empty: 0.
};

/// The rows of a pair on both sides of a batch.
struct PairRows {
  std::uint32_t source, target;
};

class Packing {
 public:
  virtual ~Packing() = default;

  /// Both are 0 for a pair that takes no part.
  virtual PairRows rows(const PairsView& corpus, const EpochPair& pair) const = 0;
  /// The most source rows of a pair in any epoch; reads all lengths.
  virtual std::uint32_t longest(const PairsView& corpus) const = 0;
  /// Appends the rows of a pair to `batch`.
  virtual void add(const PairsView& corpus, const EpochPair& pair,
                   batch::PackedBatch& batch) const = 0;
};

}  // namespace awend::data
