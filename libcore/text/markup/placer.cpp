#include "text/markup/placer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/markup/substitutes.hpp"
#include "text/markup/words.hpp"
#include "text/markup/writer.hpp"

namespace awend::text {
namespace {

// A word of the translation with at least this part of its weight on a substitute represents it.
constexpr double kMinWeight = 0.5;

// An element without aligned words takes a word of the translation that has at least this weight on
// one of its own.
constexpr double kMinTargetWeight = 0.1;

using Kind = MarkupNode::Kind;

std::vector<TextRange> source_words_of(const MarkupSegment& segment, WordBreaker& breaker) {
  std::vector<TextRange> objects;
  for (const auto& node : segment.nodes) {
    if (node.kind == Kind::kObject && !node.range.empty()) objects.push_back(node.range);
  }
  return markup_words(segment.text, objects, breaker);
}

/// Punctuation, whose attention is not reliable.
bool is_mark(std::string_view word) {
  const auto character = base::utf8_step(word, 0).code_point;
  return is_punctuation(character) || is_symbol(character);
}

double sum(const WordWeights& weights, std::uint32_t target, WordRange range) {
  double sum = 0;
  const auto end = std::min(range.end, static_cast<std::uint32_t>(weights.sources));
  for (auto word = range.begin; word < end; ++word) sum += weights.at(target, word);
  return sum;
}

/// The deepest element with more than half of the weight, or the root.  Only the elements around
/// the median can be one.
std::uint32_t heaviest_node(const SourceTree& tree, const WordWeights& weights,
                            std::uint32_t target) {
  double before = 0;
  std::uint32_t median = 0;
  while (median + 1 < weights.sources && (before += weights.at(target, median)) <= 0.5) ++median;
  auto node = tree.owner(median);
  while (node != tree.root() && sum(weights, target, tree.words(node)) <= 0.5)
    node = tree.parent(node);
  return node;
}

std::optional<std::uint32_t> best_target(const WordWeights& weights, std::uint32_t source) {
  std::uint32_t best = 0;
  for (std::uint32_t target = 1; target < weights.targets; ++target) {
    if (weights.at(target, source) > weights.at(best, source)) best = target;
  }
  if (weights.at(best, source) < kMinTargetWeight) return std::nullopt;
  return best;
}

}  // namespace

MarkupPlacer::MarkupPlacer(std::string_view line, const MarkupSegment& segment,
                           std::string_view translation, WordBreaker& breaker)
    : line_(line),
      segment_(segment),
      text_(translation),
      source_words_(source_words_of(segment, breaker)),
      words_(markup_words(translation, find_substitutes(), breaker)),
      tree_(segment, source_words_) {
  const auto& nodes = segment.nodes;
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
std::vector<TextRange> MarkupPlacer::find_substitutes() {
  for (std::uint32_t i = 0; i < segment_.nodes.size(); ++i) {
    const auto& node = segment_.nodes[i];
    if (node.kind != Kind::kObject || node.range.empty()) continue;
    const auto substitute = node.range.of(segment_.text);
    const auto found = find_substitute(substitute, text_);
    const std::size_t before = occurrences_.size();
    for (const TextRange& range : found) {
      if (range.of(text_) == substitute) occurrences_.push_back({range, i});
    }
    if (occurrences_.size() == before && !found.empty()) occurrences_.push_back({found[0], i});
  }
  std::ranges::sort(occurrences_, {}, [](const Occurrence& one) { return one.range.begin; });
  std::vector<TextRange> ranges;
  for (const auto& occurrence : occurrences_) ranges.push_back(occurrence.range);
  return ranges;
}

MarkupAlignment MarkupPlacer::align(const WordWeights& all) const {
  MarkupAlignment alignment;
  alignment.sources.resize(words_.size());
  alignment.targets.resize(source_words_.size());
  WordWeights weights = all;
  weights.targets = std::min(all.targets, words_.size());
  if (weights.targets == 0 || all.sources == 0) return alignment;
  base::check(all.sources <= source_words_.size(), "the weights are those of the words");
  for (std::uint32_t target = 0; target < weights.targets; ++target) {
    auto range = tree_.words(heaviest_node(tree_, weights, target));
    // The end of the sentence is one of all words.
    const auto end = static_cast<std::uint32_t>(all.sources);
    range.end = range == tree_.words(tree_.root()) ? end + 1 : std::min(range.end, end);
    auto best = range.begin;
    for (auto word = best; word < range.end; ++word) {
      if (weights.at(target, word) > weights.at(target, best)) best = word;
    }
    if (best < end && weights.at(target, best) > 0)
      alignment.sources[target] = {best, weights.at(target, best)};
  }
  // A word in the token of the word before it is aligned as that.
  for (std::size_t target = 1; target < words_.size(); ++target) {
    const bool has_token =
        target < weights.targets &&
        std::ranges::any_of(all.values.subspan(target * (all.sources + 1), all.sources + 1),
                            [](double weight) { return weight > 0; });
    if (!has_token && words_[target].begin == words_[target - 1].end)
      alignment.sources[target] = alignment.sources[target - 1];
  }
  for (std::uint32_t source = 0; source < all.sources; ++source)
    alignment.targets[source] = best_target(weights, source);
  return alignment;
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
  // The substitute that is aligned with its own, otherwise the first one.
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
  for (const auto& word : words_) words.is_mark.push_back(is_mark(word.of(text_)));
  MarkupText text{.line = line_,
                  .segment = segment_,
                  .translation = text_,
                  .words = words_,
                  .changes = std::vector<MarkupText::Word>(words_.size()),
                  .is_placed = std::vector<bool>(segment_.nodes.size()),
                  .language = language};
  place_objects(alignment, words, text);
  text.places = place_nodes(segment_, tree_, words, text.is_placed);
  return write_markup(text);
}

}  // namespace awend::text
