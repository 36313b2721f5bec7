// Reads what decode/attention_file.hpp writes, the file of translate --attention: for each line the
// weights of every head (the paper, section 3.2).  A line is a JSON object; man/awend-attention.5
// describes them.
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

/// For the reader of an attention file: a line may be long, but not endless.
inline constexpr base::LineLimits kAttentionLimits = {.line_bytes = std::uint64_t{1} << 30};

/// The first line: what the model has.
struct AttentionLayout {
  std::uint32_t encoder_layers = 0;
  std::uint32_t decoder_layers = 0;
  std::uint32_t heads = 0;
};

/// Weights (layers, heads, rows, columns): how much each row looks at each column.
struct AttentionMaps {
  std::uint32_t layers = 0, heads = 0, rows = 0, columns = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t layer, std::size_t head, std::size_t row) const {
    return std::span(values).subspan(((layer * heads + head) * rows + row) * columns, columns);
  }
};

/// One translated line; its tokens end with the one for the end of the sentence.
struct AttendedLine {
  std::uint64_t line = 0;  ///< From 0.
  std::vector<std::string> source, target;
  AttentionMaps encoder;  ///< (E, H, S, S)
  AttentionMaps decoder;  ///< (D, H, T, T), nothing behind the diagonal
  AttentionMaps cross;    ///< (D, H, T, S)
};

/// Throws Error, without the file's name, if the text is not such a line or is of another version.
AttentionLayout parse_attention_header(std::string_view text);

/// Throws Error, without the file's name, naming what is wrong: a member that is missing, another
/// number of layers, heads, rows or weights, a row that does not sum to 1.
AttendedLine parse_attended_line(std::string_view text, const AttentionLayout& shape);

}  // namespace awend::store
