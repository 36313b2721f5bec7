// Writes a translation with the nodes of its segment at their places.
//
// Test: tests/unit/text/markup/placer_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/markup/language.hpp"
#include "text/markup/node_places.hpp"
#include "text/markup/segment.hpp"

namespace awend::text {

struct MarkupText {
  std::string_view line;  ///< Of the segment.
  const MarkupSegment& segment;
  std::string_view translation;
  std::span<const TextRange> words;  ///< Of the translation.
  struct Word {
    std::optional<std::uint32_t> object = {};  ///< The node that replaces it.
    bool is_removed = false;
  };
  std::vector<Word> changes;                        ///< For each word.
  std::vector<bool> is_placed;                      ///< For each node, whether it replaces a word.
  std::vector<std::vector<NodePlace>> places = {};  ///< Of place_nodes().
  MarkupLanguage language;
};

std::string write_markup(const MarkupText& text);

}  // namespace awend::text
