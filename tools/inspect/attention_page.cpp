#include "inspect/attention_page.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/utf8.hpp"
#include "inspect/page/assets.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr double kLargest = 4095;

constexpr std::string_view kHead =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Attention</title>\n";

/// Text must not contain markup.
std::string without_markup(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string line_json(const store::AttendedLine& line) {
  base::JsonObject object;
  object.count("line", line.line).value("source", base::json_list(line.source, base::json_string));
  object.value("target", base::json_list(line.target, base::json_string));
  if (!line.question.empty()) object.text("question", line.question);
  object.text("encoder", packed(line.encoder, Packing::kWhole));
  object.text("decoder", packed(line.decoder, Packing::kCausal));
  return object.text("cross", packed(line.cross, Packing::kWhole)).str();
}

std::string data_json(base::LineReader& lines, cli::Progress* progress) {
  std::string_view text;
  if (!lines.next(text)) base::fail(lines.name(), ": not an attention file");
  const auto shape = base::at_line(lines, [&] { return store::parse_attention_header(text); });
  std::vector<std::string> objects;
  while (lines.next(text)) {
    const auto line = base::at_line(lines, [&] { return store::parse_attended_line(text, shape); });
    objects.push_back(line_json(line));
    if (progress != nullptr)
      progress->update({.done = lines.line_number(), .bytes = lines.position_bytes()});
  }
  if (objects.empty()) base::fail(lines.name(), ": no sentences");
  base::JsonObject object;
  std::string name;
  base::append_valid_utf8(name, lines.name());
  object.text("name", name).count("encoder_layers", shape.encoder_layers);
  object.count("decoder_layers", shape.decoder_layers).count("heads", shape.heads);
  object.count("decoder_heads", shape.heads_of_decoder());
  return object.value("lines", base::json_values(objects)).str();
}

}  // namespace

std::string packed(const store::AttentionMaps& weights, Packing packing) {
  std::string text;
  for (std::size_t matrix = 0; matrix < weights.layers * weights.heads; ++matrix) {
    for (std::size_t r = 0; r < weights.rows; ++r) {
      auto row = weights.row(0, matrix, r);
      if (packing == Packing::kCausal) row = row.first(r + 1);
      for (const double weight : row) {
        const auto level = std::lround(std::clamp(weight, 0.0, 1.0) * kLargest);
        text += kDigits[static_cast<std::size_t>(level / 64)];
        text += kDigits[static_cast<std::size_t>(level % 64)];
      }
    }
  }
  return text;
}

std::string attention_page(base::LineReader& lines, cli::Progress* progress) {
  const auto data = without_markup(data_json(lines, progress));
  return base::concat(kHead, "<style>\n", page::attention_css, "</style>\n</head>\n<body>\n",
                      page::attention_html, "<script type=\"application/json\" id=\"data\">", data,
                      "</script>\n<script>\n", page::attention_js, "</script>\n</body>\n</html>\n");
}

}  // namespace awend::tools
