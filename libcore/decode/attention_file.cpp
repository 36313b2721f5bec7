#include "decode/attention_file.hpp"

#include <charconv>

#include "base/concat.hpp"
#include "base/json.hpp"

namespace awend::decode {
namespace {

// Four digits are more than an eye can see.
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

void append_tokens(std::span<const std::string_view> tokens, std::string& out) {
  append_list(tokens.size() + 1, out, [&](std::size_t i, std::string& text) {
    text += i < tokens.size() ? base::json_string(tokens[i]) : "\"</s>\"";
  });
}

/// (layers, heads, rows, columns); what a row does not see at its end is left out.
void append_layers(const std::vector<AttentionMap>& layers, std::string& out) {
  append_list(layers.size(), out, [&](std::size_t layer, std::string& of_layer) {
    const AttentionMap& map = layers[layer];
    append_list(map.heads, of_layer, [&](std::size_t head, std::string& of_head) {
      append_list(map.rows, of_head, [&](std::size_t row, std::string& of_row) {
        const auto at = [&](std::size_t column) {
          return map.at(static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(row),
                        static_cast<std::uint32_t>(column));
        };
        std::size_t seen = map.columns;
        while (seen > 0 && at(seen - 1) == 0) --seen;
        append_list(seen, of_row, [&](std::size_t column, std::string& text) {
          append_weight(at(column), text);
        });
      });
    });
  });
}

}  // namespace

std::string attention_header(const store::AttentionLayout& layout) {
  return base::concat(
      "{\"format\":\"awend-attention 1\",\"encoder_layers\":", layout.encoder_layers,
      ",\"decoder_layers\":", layout.decoder_layers, ",\"heads\":", layout.heads, "}\n");
}

std::string to_json(const AttentionLine& line) {
  std::string text = base::concat("{\"line\":", line.line, ",\"source\":");
  append_tokens(line.source, text);
  text += ",\"target\":";
  append_tokens(line.target, text);
  text += ",\"encoder\":";
  append_layers(line.attentions.encoder, text);
  text += ",\"decoder\":";
  append_layers(line.attentions.decoder, text);
  text += ",\"cross\":";
  append_layers(line.attentions.cross, text);
  return text + "}\n";
}

}  // namespace awend::decode
