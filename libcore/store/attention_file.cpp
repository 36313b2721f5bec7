#include "store/attention_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "awend-attention 1";
constexpr std::uint32_t kMaxLayers = 1000;
// Weights have four or five digits, and a row may have a thousand of them.
constexpr double kRounding = 0.02;
// Zeros at the end of a row are omitted, so that a line may describe more weights than it has
// bytes.  Beyond this ratio, it was not written by translate.
constexpr double kMaxWeights = 1 << 24;
constexpr double kMaxWeightsPerByte = 64;

const Json& member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) base::fail("no '", name, "'");
  return *found;
}

std::uint32_t size_at(const Json& object, const char* name, std::uint64_t minimum) {
  const auto& value = member(object, name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < minimum ||
      value.get<std::uint64_t>() > kMaxLayers) {
    base::fail("'", name, "' is not a number from ", minimum, " to ", kMaxLayers);
  }
  return value.get<std::uint32_t>();
}

std::vector<std::string> tokens_at(const Json& object, const char* name) {
  const auto& list = member(object, name);
  if (!list.is_array() || list.empty()) base::fail("'", name, "' is not a list of tokens");
  std::vector<std::string> tokens;
  for (const auto& token : list) {
    if (!token.is_string()) base::fail("'", name, "' is not a list of tokens");
    tokens.push_back(token.get<std::string>());
  }
  return tokens;
}

/// A list of exactly this many members.
const Json& list_of(const Json& value, std::size_t count, const std::string& where) {
  if (!value.is_array()) base::fail(where, " is not a list");
  if (value.size() != count) base::fail(where, " has ", value.size(), " members, not ", count);
  return value;
}

std::vector<std::string> target_at(const Json& object, const AttentionLayout& shape) {
  if (shape.decoder_layers > 0) return tokens_at(object, "target");
  if (member(object, "target") != Json::array()) base::fail("'target' is not an empty list");
  return {};
}

enum class Rows { kWhole, kCausal };

/// Zeros at the end of a row may be omitted; causal rows end at the diagonal.
void read_row(const Json& row, std::span<float> values, CrossSum sum_to, const std::string& where) {
  if (!row.is_array()) base::fail(where, " is not a list");
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double weight = row[i].is_number() ? row[i].get<double>() : -1;
    if (!(weight >= 0 && weight <= 1 + kRounding))
      base::fail(where, " has an element that is not a weight");
    if (i >= values.size() && weight > 0)
      base::fail(where, " has ", row.size(), " weights, not ", values.size());
    if (i < values.size()) values[i] = static_cast<float>(weight);
    sum += weight;
  }
  if (sum > 1 + kRounding || (sum < 1 - kRounding && sum_to == CrossSum::kOne))
    base::fail(where, " sums to ", std::round(sum * 1e4) / 1e4, ", not to 1");
}

/// Error unless that many weights are in proportion to a line of `line_bytes`.
void require_proportion(const AttentionMaps& shape, std::size_t line_bytes) {
  const double weights = double{1} * shape.layers * shape.heads * shape.rows * shape.columns;
  if (weights > kMaxWeights + kMaxWeightsPerByte * static_cast<double>(line_bytes))
    base::fail("too many weights for a line of ", line_bytes, " bytes");
}

AttentionMaps weights_at(const Json& object, const char* name, AttentionMaps shape, Rows kind,
                         CrossSum sum = CrossSum::kOne) {
  const auto quoted = base::concat("'", name, "'");
  const auto& layers = list_of(member(object, name), shape.layers, quoted);
  AttentionMaps weights = shape;
  weights.values.resize(std::size_t{shape.layers} * shape.heads * shape.rows * shape.columns);
  auto place = weights.values.begin();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto layer = base::concat(name, " layer ", l);
    const auto& heads = list_of(layers[l], shape.heads, layer);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const auto head = base::concat(layer, " head ", h);
      const auto& rows = list_of(heads[h], shape.rows, head);
      for (std::size_t r = 0; r < rows.size(); ++r, place += shape.columns) {
        const std::size_t seen = kind == Rows::kCausal ? r + 1 : shape.columns;
        read_row(rows[r], std::span(place, place + seen), sum, base::concat(head, " row ", r));
      }
    }
  }
  return weights;
}

Json object_of(std::string_view text) {
  auto object = parse_json(text);
  if (!object.is_object()) base::fail("not a JSON object");
  return object;
}

}  // namespace

AttentionLayout parse_attention_header(std::string_view text) {
  Json header;
  try {
    header = object_of(text);
  } catch (const base::Error&) {
    base::fail("not an attention file");
  }
  const auto format = header.find("format");
  if (format == header.end() || !format->is_string()) base::fail("not an attention file");
  if (*format != kFormat)
    base::fail("format '", format->get<std::string>(), "' is not supported, expected '", kFormat,
               "'");
  const auto sum = header.find("cross_sum");
  if (sum != header.end() && *sum != "at most 1") base::fail("'cross_sum' is not 'at most 1'");
  // A recurrent encoder has no attention, and BERT has no decoder.
  const auto encoder_layers = size_at(header, "encoder_layers", 0);
  return {
      .encoder_layers = encoder_layers,
      .decoder_layers = size_at(header, "decoder_layers", encoder_layers > 0 ? 0 : 1),
      .heads = size_at(header, "heads", 1),
      .decoder_heads = header.contains("decoder_heads") ? size_at(header, "decoder_heads", 1) : 0,
      .cross_sum = sum == header.end() ? CrossSum::kOne : CrossSum::kAtMostOne};
}

AttendedLine parse_attended_line(std::string_view text, const AttentionLayout& shape) {
  const auto object = object_of(text);
  AttendedLine line{.line = 0,
                    .source = tokens_at(object, "source"),
                    .target = target_at(object, shape),
                    .encoder = {},
                    .decoder = {},
                    .cross = {}};
  if (const auto question = object.find("question"); question != object.end()) {
    if (!question->is_string()) base::fail("'question' is not a string");
    line.question = question->get<std::string>();
  }
  const auto& number = member(object, "line");
  if (!number.is_number_unsigned()) base::fail("'line' is not a number from 0");
  line.line = number.get<std::uint64_t>();
  const auto s = static_cast<std::uint32_t>(line.source.size());
  const auto t = static_cast<std::uint32_t>(line.target.size());
  const std::uint32_t encoders = shape.encoder_layers, decoders = shape.decoder_layers;
  const std::uint32_t heads = shape.heads, decoder_heads = shape.heads_of_decoder();
  require_proportion({encoders, heads, s, s, {}}, text.size());
  require_proportion({decoders, decoder_heads, t, std::max(s, t), {}}, text.size());
  line.encoder = weights_at(object, "encoder", {encoders, heads, s, s, {}}, Rows::kWhole);
  // A recurrent decoder has no self-attention.
  const std::uint32_t of_decoder = member(object, "decoder").empty() ? 0 : decoders;
  line.decoder =
      weights_at(object, "decoder", {of_decoder, decoder_heads, t, t, {}}, Rows::kCausal);
  line.cross = weights_at(object, "cross", {decoders, decoder_heads, t, s, {}}, Rows::kWhole,
                          shape.cross_sum);
  return line;
}

}  // namespace awend::store
