// Embedding and position (sections 3.4 and 3.5 of the paper):
// y = dropout(table[id] * scale + position); the scale of the paper is sqrt(d_model).
//
// table (vocabulary, d_model), positions (longest, d_model) or empty for sinusoids, y (rows,
// d_model).  The id kNoToken is the zero vector, the first decoder input, to which only the
// position is added.
#pragma once

#include <cmath>
#include <optional>

#include "tests/reference/dropout.hpp"

namespace awend::reference {

inline constexpr std::uint32_t kNoToken = 0xFFFFFFFF;

/// PE(position, 2i) = sin(position / 10000^(2i / d_model)), PE(position, 2i + 1) the cosine of the
/// same.
inline double sinusoid(std::size_t position, std::size_t column, std::size_t d_model) {
  const auto even = static_cast<double>(column - column % 2);
  const double angle =
      static_cast<double>(position) / std::pow(10000.0, even / static_cast<double>(d_model));
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

struct Embedding {
  Matrix table;
  Matrix positions;  // learned; empty: sinusoids
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> places;  // of each row within its sentence, from 0
  Dropout dropout;
  std::optional<double> scale = std::nullopt;  // default: sqrt(d_model)

  double factor() const { return scale.value_or(std::sqrt(static_cast<double>(table.columns))); }
};

inline Matrix embedding(const Embedding& e) {
  const std::size_t d_model = e.table.columns;
  Matrix y(e.ids.size(), d_model);
  for (std::size_t row = 0; row < y.rows; ++row) {
    for (std::size_t column = 0; column < d_model; ++column) {
      double& value = y(row, column);
      if (e.ids[row] != kNoToken) {
        value = e.table(e.ids[row], column) * e.factor();
      }
      value += e.positions.values.empty() ? sinusoid(e.places[row], column, d_model)
                                          : e.positions(e.places[row], column);
    }
  }
  return dropped(y, e.dropout);
}

struct EmbeddingGradient {
  Matrix dtable;
  Matrix dpositions;  // empty if positions are sinusoids
};

inline EmbeddingGradient embedding_backward(const Embedding& e, const Matrix& dy) {
  const std::size_t d_model = e.table.columns;
  const Matrix dsum = dropped(dy, e.dropout);
  EmbeddingGradient result{Matrix(e.table.rows, d_model),
                           Matrix(e.positions.rows, e.positions.columns)};
  for (std::size_t row = 0; row < dy.rows; ++row) {
    for (std::size_t column = 0; column < d_model; ++column) {
      if (e.ids[row] != kNoToken) {
        result.dtable(e.ids[row], column) += dsum(row, column) * e.factor();
      }
      if (!e.positions.values.empty()) {
        result.dpositions(e.places[row], column) += dsum(row, column);
      }
    }
  }
  return result;
}

}  // namespace awend::reference
