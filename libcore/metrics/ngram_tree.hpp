// The n-grams of references, for all orders up to a maximum, and their matches in a hypothesis.
//
// An n-gram is represented by the slot of its first n - 1 symbols in a table and one more symbol:
// two numbers, so that equality is exact for any alphabet and order.  An n-gram of the hypothesis
// need not be looked up if its prefix was not found.  Test:
// tests/unit/metrics/ngram_tree_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

class NgramTree {
 public:
  using Symbols = std::vector<std::uint32_t>;

  /// Counts the n-grams of the references of the hypotheses that follow.  Of several references,
  /// each n-gram has the highest count.
  void set_references(std::size_t orders, std::span<const Symbols> references);

  /// Sets matches[n - 1] to the number of n-grams of the hypothesis that the references contain,
  /// each at most as often as there; `matches` has one number per order.  Symbols are below 2^32 -
  /// 1.
  void count_matches(std::span<const std::uint32_t> symbols, std::span<std::int64_t> matches);

 private:
  struct Node {
    std::uint64_t key = 0;    // 0: free
    std::uint32_t count = 0;  // in the references
    std::uint32_t seen = 0;   // in the text being counted
  };

  std::uint64_t place_of(std::uint64_t key) const;
  void clear(std::size_t size);
  bool add(std::span<const std::uint32_t> symbols);
  void forget_seen();

  std::vector<Node> nodes_;  // a power of two in use, about half of them occupied
  std::size_t mask_ = 0;     // that power minus one
  int shift_ = 0;            // maps a 64-bit hash to a slot
  std::size_t taken_ = 0;
  std::size_t orders_ = 0;
  std::vector<std::uint32_t> visited_;  // nodes whose `seen` is not 0, with duplicates
};

}  // namespace awend::metrics
