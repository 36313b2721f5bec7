// Cross entropy of the first and the last row of a span of each sentence (Devlin et al., 2019,
// section 4.2): the softmax of a column of the logits is over the rows of the sentence.
#pragma once

#include "tests/reference/loss.hpp"
#include "tests/reference/mean_rows.hpp"

namespace awend::reference {

/// The first and the last row of the span of each sentence.
using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

struct SpanLoss {
  double loss = 0;  // the sum over all sentences
  Matrix dlogits;   // of `gradient_scale` times the loss
};

/// `logits` are (rows, 2).
inline SpanLoss span_loss(const Matrix& logits, const Ranges& ranges, const Spans& spans,
                          double gradient_scale) {
  SpanLoss result{0, Matrix(logits.rows, logits.columns)};
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const auto [begin, end] = ranges[s];
    for (std::size_t column = 0; column < 2; ++column) {
      Matrix own(1, end - begin);
      for (std::size_t row = begin; row < end; ++row) own(0, row - begin) = logits(row, column);
      const auto target =
          static_cast<std::uint32_t>((column == 0 ? spans[s].first : spans[s].second) - begin);
      const auto entropy = cross_entropy(own, {target}, 0, gradient_scale);
      result.loss += entropy.loss[0];
      for (std::size_t row = begin; row < end; ++row)
        result.dlogits(row, column) = entropy.dlogits(0, row - begin);
    }
  }
  return result;
}

}  // namespace awend::reference
