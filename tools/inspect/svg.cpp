#include "inspect/svg.hpp"

#include <cmath>
#include <iterator>

#include "base/concat.hpp"
#include "base/utf8.hpp"
#include "inspect/page/assets.hpp"

namespace awend::tools {
namespace {

// Shapes around a point, as relative commands of a path.
constexpr std::string_view kMarks[] = {
    "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",             // circle
    "m-3.1-3.1h6.2v6.2h-6.2z",                                      // square
    "m0-4.4l4.2 7.2h-8.4z",                                         // triangle
    "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z",                            // diamond
    "m0 4.4l4.2-7.2h-8.4z",                                         // triangle
    "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",  // plus
    "m-4-4h8l-8 8h8z",                                              // hourglass
    "m0-2l2.2-2.2l2 2l-2.2 2.2l2.2 2.2l-2 2l-2.2-2.2l-2.2 2.2l-2-2l2.2-2.2l-2.2-2.2l2-2z",  // cross
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string valid, out;
  base::append_valid_utf8(valid, text);
  for (const char c : valid) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += "\xEF\xBF\xBD";
    } else {
      out += c;
    }
  }
  return out;
}

std::string coordinate(double value) {
  const double rounded = std::round(value * 10) / 10;
  return base::concat(rounded == 0 ? 0.0 : rounded);
}

std::string svg_text(const TextAt& place, std::string_view text) {
  return base::concat("<text x=\"", coordinate(place.x), "\" y=\"", coordinate(place.y),
                      "\" class=\"", place.style, "\">", escaped(text), "</text>\n");
}

std::string svg_line(const Segment& segment, std::string_view style) {
  return base::concat("<line x1=\"", coordinate(segment.x1), "\" y1=\"", coordinate(segment.y1),
                      "\" x2=\"", coordinate(segment.x2), "\" y2=\"", coordinate(segment.y2),
                      "\" class=\"", style, "\"/>\n");
}

std::string svg_mark(const MarkAt& place, std::size_t series) {
  const auto shape = (series + series / kColors) % std::size(kMarks);
  return base::concat("<path d=\"M", coordinate(place.x), " ", coordinate(place.y), kMarks[shape],
                      "\" class=\"mark f", series % kColors, "\"/>\n");
}

std::string svg_document(const SvgPicture& picture) {
  const auto width = coordinate(picture.width), height = coordinate(picture.height);
  const auto both = base::concat("width=\"", width, "\" height=\"", height, "\"");
  return base::concat("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" ", both,
                      " viewBox=\"0 0 ", width, " ", height, "\">\n<title>", escaped(picture.title),
                      "</title>\n<desc>", escaped(picture.description), "</desc>\n<style>\n",
                      page::curves_css, "</style>\n<rect class=\"paper\" ", both, "/>\n",
                      picture.body, "</svg>\n");
}

}  // namespace awend::tools
