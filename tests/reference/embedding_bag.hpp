// Weighted sums of embeddings: y[bag] = Σ weight ∘ table[id] over the rows [begin, end) of the bag.
//
// The weight is 1, or the position encoding of Sukhbaatar et al. (2015, section 4.1): word j of J
// has in column k of d the weight 2 ((1 − j/J) − (k/d)(1 − 2j/J)); j and k count from 1.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

struct EmbeddingBag {
  Matrix table;
  std::vector<std::uint32_t> ids;
  std::vector<std::pair<std::size_t, std::size_t>> bags;  // ranges of rows
  bool encodes_position;

  double weight(std::size_t bag, std::size_t row, std::size_t column) const {
    if (!encodes_position) return 1;
    const auto [begin, end] = bags[bag];
    const double share = static_cast<double>(row - begin + 1) / static_cast<double>(end - begin);
    const double k = static_cast<double>(column + 1) / static_cast<double>(table.columns);
    return 2 * ((1 - share) - k * (1 - 2 * share));
  }
};

inline Matrix embedding_bag(const EmbeddingBag& e) {
  Matrix y(e.bags.size(), e.table.columns);
  for (std::size_t bag = 0; bag < e.bags.size(); ++bag) {
    for (std::size_t row = e.bags[bag].first; row < e.bags[bag].second; ++row) {
      for (std::size_t column = 0; column < y.columns; ++column)
        y(bag, column) += e.weight(bag, row, column) * e.table(e.ids[row], column);
    }
  }
  return y;
}

/// The gradient of the table.
inline Matrix embedding_bag_backward(const EmbeddingBag& e, const Matrix& dy) {
  Matrix dtable(e.table.rows, e.table.columns);
  for (std::size_t bag = 0; bag < e.bags.size(); ++bag) {
    for (std::size_t row = e.bags[bag].first; row < e.bags[bag].second; ++row) {
      for (std::size_t column = 0; column < dy.columns; ++column)
        dtable(e.ids[row], column) += e.weight(bag, row, column) * dy(bag, column);
    }
  }
  return dtable;
}

}  // namespace awend::reference
