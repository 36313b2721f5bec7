// Writes what attention_file.cpp reads.
#include <charconv>

#include "base/concat.hpp"
#include "base/json.hpp"
#include "store/attention_file.hpp"

namespace awend::store {
namespace {

/// Four significant digits are enough for pictures and alignments.
void append_weight(float weight, std::string& out) {
  char text[32];
  out.append(text,
             std::to_chars(text, text + sizeof text, weight, std::chars_format::general, 4).ptr);
}

/// Calls item(i, out) for `count` items between brackets and commas.
template <class Item>
void append_list(std::size_t count, std::string& out, Item item) {
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    item(i, out);
  }
  out += ']';
}

void append_tokens(const std::vector<std::string>& tokens, std::string& out) {
  append_list(tokens.size(), out,
              [&](std::size_t i, std::string& text) { text += base::json_string(tokens[i]); });
}

/// (layers, heads, rows, columns); zeros at the end of a row are omitted.
void append_maps(const AttentionMaps& maps, std::string& out) {
  append_list(maps.layers, out, [&](std::size_t layer, std::string& of_layer) {
    append_list(maps.heads, of_layer, [&](std::size_t head, std::string& of_head) {
      append_list(maps.rows, of_head, [&](std::size_t row, std::string& of_row) {
        const auto weights = maps.row(layer, head, row);
        std::size_t count = weights.size();
        while (count > 0 && weights[count - 1] == 0) --count;
        append_list(count, of_row, [&](std::size_t column, std::string& text) {
          append_weight(weights[column], text);
        });
      });
    });
  });
}

}  // namespace

std::string attention_header(const AttentionLayout& layout) {
  const bool differ = layout.heads_of_decoder() != layout.heads;
  return base::concat(
      "{\"format\":\"awend-attention 1\",\"encoder_layers\":", layout.encoder_layers,
      ",\"decoder_layers\":", layout.decoder_layers, ",\"heads\":", layout.heads,
      differ ? base::concat(",\"decoder_heads\":", layout.decoder_heads) : "", "}\n");
}

std::string to_json(const AttendedLine& line) {
  std::string text = base::concat("{\"line\":", line.line, ",\"source\":");
  append_tokens(line.source, text);
  text += ",\"target\":";
  append_tokens(line.target, text);
  text += ",\"encoder\":";
  append_maps(line.encoder, text);
  text += ",\"decoder\":";
  append_maps(line.decoder, text);
  text += ",\"cross\":";
  append_maps(line.cross, text);
  return text + "}\n";
}

}  // namespace awend::store
