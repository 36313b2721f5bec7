// Elements of an SVG file.  Test: tests/unit/inspect/curves_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace awend::tools {

/// A text for XML: markup is escaped, and characters that XML lacks become U+FFFD.
std::string escaped(std::string_view text);

/// A coordinate with at most one decimal place.
std::string coordinate(double value);

struct TextAt {
  double x, y;
  std::string_view style = {};  ///< The value of the attribute class; may be empty.
};
std::string svg_text(const TextAt& place, std::string_view text);

struct Segment {
  double x1, y1, x2, y2;
};
std::string svg_line(const Segment& segment, std::string_view style);

/// The style sheet has that many colors: s0 to s7 of lines, f0 to f7 of areas.
inline constexpr std::size_t kColors = 8;

struct MarkAt {
  double x, y;
};
/// The mark of a series, by its number from 0: a color and a shape, different for 64 series, so
/// that a picture does not depend on colors alone.
std::string svg_mark(const MarkAt& place, std::size_t series);

struct SvgPicture {
  std::string title, description;  ///< Text, for readers who do not see the picture.
  double width, height;
  std::string_view body;  ///< Elements.
};
/// The file, with the styles of all pictures and a background.
std::string svg_document(const SvgPicture& picture);

}  // namespace awend::tools
