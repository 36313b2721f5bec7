// Reading attention files of translate, which decode/attention_file.hpp writes: for each line the
// weights of every head (section 3.2 of the paper).  A line is a JSON object;
// man/awend-attention.5 describes it.
//
// Test: tests/unit/store/attention_file_test.cpp, tests/fuzz/attention_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::store {

/// The limit for readers of attention files: a line may be long, but not unbounded.
inline constexpr base::LineLimits kAttentionLimits = {.line_bytes = std::uint64_t{1} << 30};

/// The first line, which describes the model.
struct AttentionShape {
  std::uint32_t encoder_layers = 0;
  std::uint32_t decoder_layers = 0;
  std::uint32_t heads = 0;
};

/// Weights (layers, heads, rows, columns): the attention of each row to each column.
struct AttentionWeights {
  std::uint32_t layers = 0, heads = 0, rows = 0, columns = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t layer, std::size_t head, std::size_t row) const {
    return std::span(values).subspan(((layer * heads + head) * rows + row) * columns, columns);
  }
};

/// One translated line; its tokens end with the end of the sentence.
struct AttendedLine {
  std::uint64_t line = 0;  ///< From 0.
  std::vector<std::string> source, target;
  AttentionWeights encoder;  ///< (E, H, S, S)
  AttentionWeights decoder;  ///< (D, H, T, T), zero above the diagonal
  AttentionWeights cross;    ///< (D, H, T, S)
};

/// Throws Error, without the name of the file, if the text is not such a line or has another
/// version.
AttentionShape parse_attention_header(std::string_view text);

/// Throws Error, without the name of the file, for a missing member, a wrong number of layers,
/// heads, rows or weights, or a row that does not sum to 1.
AttendedLine parse_attended_line(std::string_view text, const AttentionShape& shape);

}  // namespace awend::store
