// The file of translate and encode --attention: for each line the attention weights of every head
// (section 3.2 of the paper).  Each line is a JSON object, described in man/awend-attention.5.
//
// Test: tests/unit/store/attention_file_test.cpp, tests/unit/store/attention_file_writer_test.cpp,
// tests/fuzz/attention_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::store {

/// Limits for reading an attention file.
inline constexpr base::LineLimits kAttentionLimits = {.line_bytes = std::uint64_t{1} << 30};

/// The sum of the weights in a row of encoder-decoder attention.
enum class CrossSum { kOne, kAtMostOne };

/// The first line: the layers and heads of the model.
struct AttentionLayout {
  std::uint32_t encoder_layers = 0;
  std::uint32_t decoder_layers = 0;
  std::uint32_t heads = 0;
  std::uint32_t decoder_heads = 0;  ///< Of the decoder, if another number; otherwise 0.
  CrossSum cross_sum = CrossSum::kOne;

  std::uint32_t heads_of_decoder() const { return decoder_heads == 0 ? heads : decoder_heads; }
};

/// Weights (layers, heads, rows, columns): how much each row attends to each column; 0 outside of
/// its attention range.
struct AttentionMaps {
  std::uint32_t layers = 0, heads = 0, rows = 0, columns = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t layer, std::size_t head, std::size_t row) const {
    return std::span(values).subspan(((layer * heads + head) * rows + row) * columns, columns);
  }
};

/// One translated line; its tokens end with the end of the sentence.  Or a line that BERT has
/// encoded, without a target.
struct AttendedLine {
  std::uint64_t line = 0;  ///< From 0.
  std::vector<std::string> source, target;
  std::string question = {};  ///< If the source is sentences of a story; otherwise empty.
  AttentionMaps encoder;      ///< (E, H, S, S)
  AttentionMaps decoder;      ///< (D, H, T, T), zero above the diagonal; (0, H, T, T) without any
  AttentionMaps cross;        ///< (D, H, T, S)
};

/// The first line of a file, with its line feed, and a line for each sentence.
std::string attention_header(const AttentionLayout& layout);
std::string to_json(const AttendedLine& line);

/// Throws Error, without the file's name, if the text is not such a line or is of another version.
AttentionLayout parse_attention_header(std::string_view text);

/// Throws Error, without the file's name, for a missing member, a wrong number of layers,
/// heads, rows or weights, or a row that does not sum to 1 or, as the layout may allow, less.
AttendedLine parse_attended_line(std::string_view text, const AttentionLayout& shape);

}  // namespace awend::store
