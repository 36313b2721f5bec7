#include "text/markup/placer.hpp"

#include <algorithm>

#include "text/markup/stand_ins.hpp"
#include "text/markup/words.hpp"
#include "text/markup/writer.hpp"

namespace awend::text {
namespace {

// A word of the translation with at least this part of its weight on a stand-in represents it.
constexpr double kMinWeight = 0.5;

using Kind = MarkupNode::Kind;

}  // namespace

MarkupPlacer::MarkupPlacer(std::string_view line, const MarkupSegment& segment,
                           std::string_view translation, WordBreaker& breaker)
    : line_(line), segment_(segment), text_(translation) {
  const auto& nodes = segment.nodes;
  std::vector<TextRange> objects;
  for (const auto& node : nodes) {
    if (node.kind == Kind::kObject && !node.range.empty()) objects.push_back(node.range);
  }
  source_words_ = markup_words(segment.text, objects, breaker);
  words_ = markup_words(translation, find_stand_ins(), breaker);
  object_words_.resize(nodes.size());
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind != Kind::kObject || nodes[i].range.empty()) continue;
    while (source_words_[word] != nodes[i].range) ++word;
    object_words_[i] = word;
  }
  word = 0;
  for (auto& occurrence : occurrences_) {
    while (words_[word] != occurrence.range) ++word;
    occurrence.word = word;
  }
}

/// Those with other case count if there is no other, and only the first.
std::vector<TextRange> MarkupPlacer::find_stand_ins() {
  for (std::uint32_t i = 0; i < segment_.nodes.size(); ++i) {
    const auto& node = segment_.nodes[i];
    if (node.kind != Kind::kObject || node.range.empty()) continue;
    const auto stand_in = node.range.of(segment_.text);
    const auto found = find_stand_in(stand_in, text_);
    const std::size_t before = occurrences_.size();
    for (const TextRange& range : found) {
      if (range.of(text_) == stand_in) occurrences_.push_back({range, i});
    }
    if (occurrences_.size() == before && !found.empty()) occurrences_.push_back({found[0], i});
  }
  std::ranges::sort(occurrences_, {}, [](const Occurrence& one) { return one.range.begin; });
  std::vector<TextRange> ranges;
  for (const auto& occurrence : occurrences_) ranges.push_back(occurrence.range);
  return ranges;
}

MarkupAlignment MarkupPlacer::diagonal() const {
  MarkupAlignment alignment;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (source_words_.empty()) break;
    const auto source = i * source_words_.size() / words_.size();
    alignment.sources.push_back({{static_cast<std::uint32_t>(source), 0}});
  }
  alignment.sources.resize(words_.size());
  return alignment;
}

/// Decides which words of the translation the objects replace, and which are removed.
void MarkupPlacer::place_objects(const MarkupAlignment& alignment, AlignedWords& words,
                                 MarkupText& text) const {
  const auto replace = [&](std::uint32_t word, std::uint32_t node) {
    text.changes[word].object = node;
    text.is_placed[node] = words.is_taken[word] = true;
    words.sources[word] = object_words_[node];
  };
  // The stand-in that is aligned with its own, otherwise the first one.
  for (const auto aligned : {true, false}) {
    for (const auto& one : occurrences_) {
      if (text.is_placed[one.node]) continue;
      if (!aligned || words.sources[one.word] == object_words_[one.node])
        replace(one.word, one.node);
    }
  }
  for (const auto& one : occurrences_) {
    if (text.changes[one.word].object) continue;
    text.changes[one.word].is_removed = words.is_taken[one.word] = true;
    words.sources[one.word].reset();
  }
  std::vector<std::optional<std::uint32_t>> missing(source_words_.size());
  for (std::uint32_t node = 0; node < object_words_.size(); ++node) {
    if (object_words_[node] && !text.is_placed[node]) missing[*object_words_[node]] = node;
  }
  for (std::uint32_t word = 0; word < words_.size(); ++word) {
    const auto& link = alignment.sources[word];
    if (!link || link->weight < kMinWeight || words.is_taken[word]) continue;
    const auto node = missing[link->word];
    if (node && !text.is_placed[*node]) replace(word, *node);
  }
}

std::string MarkupPlacer::place(const MarkupAlignment& alignment, MarkupLanguage language) const {
  AlignedWords words{.source = source_words_, .targets = alignment.targets};
  for (const auto& link : alignment.sources)
    words.sources.push_back(link ? std::optional(link->word) : std::nullopt);
  words.is_taken.resize(words_.size());
  MarkupText text{.line = line_,
                  .segment = segment_,
                  .translation = text_,
                  .words = words_,
                  .changes = std::vector<MarkupText::Word>(words_.size()),
                  .is_placed = std::vector<bool>(segment_.nodes.size()),
                  .language = language};
  place_objects(alignment, words, text);
  text.places = place_nodes(segment_, words, text.is_placed);
  return write_markup(text);
}

}  // namespace awend::text
