// Writes what attention_file.cpp reads.
#include <numeric>

#include "base/format.hpp"
#include "base/json.hpp"
#include "store/attention_file.hpp"

namespace awend::store {
namespace {

/// Four significant digits are enough for pictures and alignments.
std::string weight_json(float weight) {
  return base::significant(weight, 4);
}

/// Zeros at the end of a row are omitted.
std::string row_json(std::span<const float> row) {
  while (!row.empty() && row.back() == 0) row = row.first(row.size() - 1);
  return base::json_list(row, weight_json);
}

/// json(0), json(1), and so on.
template <class Json>
std::string list_of(std::uint32_t count, Json json) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0u);
  return base::json_list(places, json);
}

/// (layers, heads, rows, columns)
std::string maps_json(const AttentionMaps& maps) {
  return list_of(maps.layers, [&](std::uint32_t layer) {
    return list_of(maps.heads, [&](std::uint32_t head) {
      return list_of(maps.rows,
                     [&](std::uint32_t row) { return row_json(maps.row(layer, head, row)); });
    });
  });
}

}  // namespace

std::string attention_header(const AttentionLayout& layout) {
  base::JsonObject object;
  object.text("format", "awend-attention 1").count("encoder_layers", layout.encoder_layers);
  object.count("decoder_layers", layout.decoder_layers).count("heads", layout.heads);
  if (layout.heads_of_decoder() != layout.heads)
    object.count("decoder_heads", layout.decoder_heads);
  if (layout.cross_sum == CrossSum::kAtMostOne) object.text("cross_sum", "at most 1");
  return object.str() + "\n";
}

std::string to_json(const AttendedLine& line) {
  base::JsonObject object;
  object.count("line", line.line).value("source", base::json_list(line.source, base::json_string));
  object.value("target", base::json_list(line.target, base::json_string));
  if (!line.question.empty()) object.text("question", line.question);
  object.value("encoder", maps_json(line.encoder)).value("decoder", maps_json(line.decoder));
  return object.value("cross", maps_json(line.cross)).str() + "\n";
}

}  // namespace awend::store
