// Puts the tags of a segment into its translation, around the words that are aligned with theirs,
// and what was protected in place of its substitutes.
//
// Whatever the alignment, each node is written once, in the order of its parents, and white space
// is outside of the elements that begin or end next to it.  A substitute that the translation lacks
// is replaced by the word most of whose weight is aligned with it; if there is no such word, the
// protected text is inserted between the words that are next to it in the source.  Test:
// tests/unit/text/markup/placer_test.cpp, tests/properties/markup_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/markup/language.hpp"
#include "text/markup/node_places.hpp"
#include "text/markup/segment.hpp"
#include "text/markup/source_tree.hpp"
#include "text/markup/writer.hpp"
#include "text/words.hpp"

namespace awend::text {

/// Weights of the words of a text for each word of its translation; 0 for those that the matrix
/// lacks.
struct WordWeights {
  std::size_t targets = 0;         ///< Words of the translation.
  std::size_t sources = 0;         ///< Words of the text; there is one more column, for its end.
  std::span<const double> values;  ///< (targets, sources + 1), rows sum to 1.

  double at(std::size_t target, std::size_t source) const {
    return values[target * (sources + 1) + source];
  }
};

/// An alignment of words.
struct MarkupAlignment {
  struct Link {
    std::uint32_t word;
    double weight;
  };
  std::vector<std::optional<Link>> sources;  ///< For each word of the translation.
  /// For each source word, the word of the translation with the largest weight; may be empty.
  std::vector<std::optional<std::uint32_t>> targets = {};
};

class MarkupPlacer {
 public:
  /// All must outlive the object; `translation` is that of segment.text.
  MarkupPlacer(std::string_view line, const MarkupSegment& segment, std::string_view translation,
               WordBreaker& breaker);

  /// The words that an alignment counts: substitutes are words.
  const std::vector<TextRange>& source_words() const { return source_words_; }
  const std::vector<TextRange>& words() const { return words_; }

  /// The source word with the largest weight, of those in the element that has most of the weight,
  /// if one has.
  MarkupAlignment align(const WordWeights& weights) const;
  /// An alignment in proportion to the positions of the words.
  MarkupAlignment diagonal() const;

  /// The translation with its markup, and with the white space around the segment.
  std::string place(const MarkupAlignment& alignment, MarkupLanguage language) const;

 private:
  /// A substitute in the translation.
  struct Occurrence {
    TextRange range;
    std::uint32_t node;
    std::uint32_t word = 0;
  };
  std::vector<TextRange> find_substitutes();
  void place_objects(const MarkupAlignment& alignment, AlignedWords& words, MarkupText& text) const;

  std::string_view line_;
  const MarkupSegment& segment_;
  std::string_view text_;
  std::vector<Occurrence> occurrences_;
  std::vector<TextRange> source_words_, words_;
  SourceTree tree_;
  std::vector<std::optional<std::uint32_t>> object_words_;  // of nodes, in the source
};

}  // namespace awend::text
