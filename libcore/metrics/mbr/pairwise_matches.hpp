// The n-grams that texts share, for all pairs of texts and all orders, as decoding by a metric
// needs them: the n-grams of each text are counted once, and the texts that contain an n-gram are
// listed once, instead of a look-up for each pair.
//
// An n-gram is represented by its first n - 1 symbols and one more, as in metrics/ngram_tree.hpp.
// Test: tests/unit/metrics/mbr/pairwise_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

class PairwiseMatches {
 public:
  using Symbols = std::vector<std::uint32_t>;

  explicit PairwiseMatches(std::size_t orders);

  /// Counts for all pairs of a row and a column.  Symbols are below 2^32 - 1.
  void count(std::span<const Symbols> rows, std::span<const Symbols> columns);
  /// The same if the texts of the columns are those of the rows, which is faster.
  void count(std::span<const Symbols> texts);

  /// The n-grams of `order` symbols in both texts, each as often as in the text with fewer.
  std::int64_t matches(std::size_t order, std::size_t row, std::size_t column) const {
    return matches_[((order - 1) * rows_ + row) * stride_ + column];
  }

 private:
  struct Node {
    std::uint64_t key;
    std::uint32_t order;
    std::uint32_t last_posting;  // number plus one; 0: none
  };
  /// A text that contains an n-gram.
  struct Posting {
    std::uint32_t text, count;
    std::uint32_t previous;  // of the n-gram, number plus one
  };
  /// A row or column, and how often it contains the n-gram.
  struct Holder {
    std::uint32_t place, count;
  };

  void clear(std::span<const Symbols> rows, std::span<const Symbols> columns);
  void index(std::span<const Symbols> texts);
  std::uint32_t node_of(std::uint64_t key, std::uint32_t order);
  void grow();
  void add_up();
  void find_holders(const Node& node);
  template <class Count>
  void add_up_in();

  std::size_t orders_, rows_ = 0, columns_ = 0;
  std::size_t stride_ = 0;            // columns, padded to whole vectors
  std::size_t first_column_ = 0;      // number of the text of the first column; 0: the rows' texts
  std::size_t longest_ = 0;           // text, in symbols
  std::vector<std::uint32_t> slots_;  // number of a node plus one; 0: free
  std::vector<Node> nodes_;
  std::vector<Posting> postings_;
  std::uint32_t texts_ = 0;  // indexed
  std::vector<Holder> row_holders_, column_holders_;
  std::vector<std::int32_t> matches_;  // (orders, rows, stride)
};

}  // namespace awend::metrics
