// Inputs that architectures share: rows grouped by a key, and ranges of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "batch/packed_batch.hpp"
#include "nn/operations.hpp"

namespace awend::model {

/// Rows grouped by one of `keys` keys.
nn::Segments declare_segments(nn::Program& program, const nn::Count& rows, std::uint32_t keys);
void write_segments(nn::Program& program, const batch::RowsByKey& from,
                    const std::optional<nn::Segments>& to);

void write_words(const nn::Program& program, std::span<const std::uint32_t> from,
                 const nn::Tensor& to);

/// Writes range_of(row, sentence) for each row of `side`.
template <class RangeOf>
void write_ranges(const nn::Program& program, const batch::PackedSide& side, const nn::Tensor& to,
                  RangeOf range_of) {
  const auto values = program.host<std::uint32_t>(to);
  for (std::size_t sentence = 0; sentence + 1 < side.begins.size(); ++sentence) {
    for (std::uint32_t row = side.begins[sentence]; row < side.begins[sentence + 1]; ++row) {
      const batch::RowRange range = range_of(row, sentence);
      values[2 * row] = range.begin;
      values[2 * row + 1] = range.end;
    }
  }
}

/// For write_ranges(): the rows of the same sentence in `side`.
inline auto sentence_in(const batch::PackedSide& side) {
  return [&side](std::uint32_t, std::size_t sentence) {
    return batch::RowRange{side.begins[sentence], side.begins[sentence + 1]};
  };
}

}  // namespace awend::model
