#include "text/markup/node_places.hpp"

#include <algorithm>
#include <utility>

#include "text/markup/white_space.hpp"

namespace awend::text {
namespace {

using Kind = NodePlace::Kind;

/// The words of the translation for each source word.
class Hits {
 public:
  Hits(std::size_t words, const std::vector<std::optional<std::uint32_t>>& sources)
      : begins_(words + 1) {
    for (const auto& source : sources) {
      if (source) ++begins_[*source + 1];
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    targets_.resize(begins_.back());
    auto next = begins_;
    for (std::uint32_t target = 0; target < sources.size(); ++target) {
      if (sources[target]) targets_[next[*sources[target]]++] = target;
    }
  }
  std::span<const std::uint32_t> of(std::uint32_t word) const {
    return std::span(targets_).subspan(begins_[word], begins_[word + 1] - begins_[word]);
  }

 private:
  std::vector<std::uint32_t> begins_, targets_;
};

/// The nodes in one node.
struct Family {
  std::uint32_t parent;
  WordRange inside;                         // the words of the parent
  std::vector<std::int64_t> child_of_word;  // for the words inside; -1: the parent's own
  std::vector<std::vector<std::uint32_t>> words_of_child;
  std::vector<std::uint32_t> taken = {},
                             own = {};   // before each word: those of children, of the parent
  std::vector<NodePlace> elements = {};  // with words, in order
};

class Placing {
 public:
  Placing(const MarkupSegment& segment, const SourceTree& tree, const AlignedWords& words,
          const std::vector<bool>& is_placed)
      : segment_(segment),
        words_(words),
        is_placed_(is_placed),
        tree_(tree),
        hits_(words.source.size(), words.sources),
        places_(segment.nodes.size() + 1) {}

  std::vector<std::vector<NodePlace>> run() {
    place_in(tree_.root(), {0, static_cast<std::uint32_t>(words_.sources.size())});
    return std::move(places_);
  }

 private:
  const MarkupNode& node(std::uint32_t number) const { return segment_.nodes[number]; }

  void place_in(std::uint32_t parent, WordRange inside) {
    const auto& children = tree_.children(parent);
    if (children.empty()) return;
    Family family = family_of(parent, inside);
    for (std::size_t i = 0; i < children.size(); ++i) rescue(family, i);
    count(family);
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (is_placed_[children[i]]) continue;
      const auto words = words_for(family, i);
      if (words) {
        family.elements.push_back({children[i], Kind::kWords, *words});
      } else {
        points.push_back(children[i]);
      }
    }
    std::ranges::stable_sort(family.elements, {},
                             [](const NodePlace& place) { return place.words.begin; });
    arrange(family, points);
    for (const auto& element : family.elements) place_in(element.node, element.words);
  }

  Family family_of(std::uint32_t parent, WordRange inside) const {
    const auto& children = tree_.children(parent);
    Family family{.parent = parent,
                  .inside = inside,
                  .child_of_word = std::vector<std::int64_t>(inside.size(), -1),
                  .words_of_child = std::vector<std::vector<std::uint32_t>>(children.size())};
    for (std::uint32_t word = inside.begin; word < inside.end; ++word) {
      if (!words_.sources[word]) continue;
      const auto owner = tree_.owner(*words_.sources[word]);
      if (owner == parent || owner == tree_.root() || !tree_.contains(parent, owner)) continue;
      const auto child = std::ranges::upper_bound(children, owner) - children.begin() - 1;
      family.child_of_word[word - inside.begin] = child;
      family.words_of_child[static_cast<std::size_t>(child)].push_back(word);
    }
    return family;
  }

  /// An element whose words are nowhere aligned gets the word that fits one of them best, unless
  /// that belongs to another element.
  void rescue(Family& family, std::size_t index) const {
    const auto child = tree_.children(family.parent)[index];
    if (!family.words_of_child[index].empty() || is_anchored(child) ||
        node(child).kind != MarkupNode::Kind::kElement || words_.targets.empty())
      return;
    const auto words = tree_.words(child);
    for (std::uint32_t word = words.begin; word < words.end; ++word) {
      const auto target = words_.targets[word];
      if (!target || !family.inside.has(*target) || words_.is_taken[*target]) continue;
      auto& owner = family.child_of_word[*target - family.inside.begin];
      if (owner >= 0) continue;
      owner = static_cast<std::int64_t>(index);
      family.words_of_child[index] = {*target};
      return;
    }
  }

  void count(Family& family) const {
    std::uint32_t taken = 0, own = 0;
    for (std::uint32_t word = family.inside.begin; word < family.inside.end; ++word) {
      family.taken.push_back(taken);
      family.own.push_back(own);
      const bool is_of_child = family.child_of_word[word - family.inside.begin] >= 0;
      taken += is_of_child ? 1 : 0;
      own += !is_of_child && divides(word) ? 1 : 0;
    }
  }

  /// Whether a word that is not of an element counts against it.
  bool divides(std::uint32_t word) const { return words_.sources[word] && !words_.is_mark[word]; }

  bool is_anchored(std::uint32_t number) const {
    return node(number).begins_before || node(number).ends_after;
  }

  /// Nothing for what is between words.
  std::optional<WordRange> words_for(const Family& family, std::size_t index) const {
    const auto child = tree_.children(family.parent)[index];
    if (node(child).kind != MarkupNode::Kind::kElement) return std::nullopt;
    const auto words = tree_.words(child);
    if (!words.empty() && words == tree_.words(family.parent)) return family.inside;
    if (node(child).begins_before) return {{family.inside.begin, end_of(family, index)}};
    if (node(child).ends_after) return {{begin_of(family, index), family.inside.end}};
    if (family.words_of_child[index].empty()) return std::nullopt;
    return best_run(family, family.words_of_child[index]);
  }

  static WordRange best_run(const Family& family, std::span<const std::uint32_t> words) {
    const auto at = [&](std::uint32_t word) { return word - family.inside.begin; };
    WordRange best{words[0], words[0] + 1};
    std::uint32_t begin = words[0];
    std::int64_t score = 1, best_score = 1;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto last = at(words[i - 1]), word = at(words[i]);
      const bool is_blocked = family.taken[word] > family.taken[last] + 1;
      score = is_blocked ? 0 : score - std::int64_t{family.own[word] - family.own[last]};
      if (score <= 0) {
        score = 0;
        begin = words[i];
      }
      if (++score <= best_score) continue;
      best_score = score;
      best = {begin, words[i] + 1};
    }
    return best;
  }

  /// What a word adds to an element at an end of the words inside; nothing if it must not contain
  /// it.
  std::optional<std::int64_t> gain(const Family& family, std::size_t index,
                                   std::uint32_t word) const {
    const auto child = family.child_of_word[word - family.inside.begin];
    if (child >= 0 && child != static_cast<std::int64_t>(index)) return std::nullopt;
    if (child >= 0) return 1;
    return divides(word) ? -1 : 0;
  }

  std::uint32_t end_of(const Family& family, std::size_t index) const {
    std::int64_t score = 0, best = 0;
    std::uint32_t end = family.inside.begin;
    for (std::uint32_t word = family.inside.begin; word < family.inside.end; ++word) {
      const auto added = gain(family, index, word);
      if (!added) break;
      score += *added;
      if (score <= best) continue;
      best = score;
      end = word + 1;
    }
    return end;
  }

  std::uint32_t begin_of(const Family& family, std::size_t index) const {
    std::int64_t score = 0, best = 0;
    std::uint32_t begin = family.inside.end;
    for (std::uint32_t word = family.inside.end; word-- > family.inside.begin;) {
      const auto added = gain(family, index, word);
      if (!added) break;
      score += *added;
      if (score <= best) continue;
      best = score;
      begin = word;
    }
    return begin;
  }

  /// Orders the elements and points of a node.
  void arrange(const Family& family, const std::vector<std::uint32_t>& points) {
    auto& places = places_[family.parent];
    places = family.elements;
    for (const auto point : points) places.push_back(between_words(family, point));
    // A point is before the element that begins there, unless that began before the segment.
    const auto rank = [&](const NodePlace& place) {
      if (place.kind != Kind::kWords) return 1;
      return node(place.node).begins_before ? 0 : 2;
    };
    std::ranges::stable_sort(places, [&](const NodePlace& a, const NodePlace& b) {
      return a.words.begin != b.words.begin ? a.words.begin < b.words.begin : rank(a) < rank(b);
    });
  }

  NodePlace between_words(const Family& family, std::uint32_t point) const {
    const auto [words_before, words_after] = neighbors(family, point);
    const bool is_glued = is_at_word_end(point) && !node(point).ends_after;
    const auto place = [&](Kind kind, std::uint32_t word) {
      return NodePlace{point, kind, {snapped(family, kind, word), 0}};
    };
    if (words_before.empty())
      return place(is_glued ? Kind::kAfter : Kind::kBefore, family.inside.begin);
    if (words_after.empty())
      return place(is_glued ? Kind::kAfter : Kind::kBefore, family.inside.end);
    const auto next = target_of(family, words_after.begin, Kind::kBefore);
    const auto last = target_of(family, words_before.end - 1, Kind::kAfter);
    if (last && (is_glued || !next)) return place(Kind::kAfter, *last + 1);
    if (next) return place(Kind::kBefore, *next);
    const auto share = std::uint64_t{words_before.size()} * family.inside.size() /
                       tree_.words(family.parent).size();
    return place(Kind::kBefore, family.inside.begin + static_cast<std::uint32_t>(share));
  }

  /// The source words of the parent before a node, and those after it or around it.
  std::pair<WordRange, WordRange> neighbors(const Family& family, std::uint32_t point) const {
    const auto all = tree_.words(family.parent);
    auto own = tree_.words(point);
    if (own.empty()) {
      const auto found =
          std::ranges::upper_bound(words_.source, node(point).range.begin, {}, &TextRange::end);
      own.begin = own.end = static_cast<std::uint32_t>(found - words_.source.begin());
    }
    return {{all.begin, std::min(own.begin, all.end)}, {std::max(own.end, all.begin), all.end}};
  }

  /// White space after it, but not before it.
  bool is_at_word_end(std::uint32_t point) const {
    const auto& [begin, end] = node(point).range;
    const std::string& text = segment_.text;
    return begin == end && (begin == 0 || !is_markup_white(text[begin - 1])) &&
           (begin == text.size() || is_markup_white(text[begin]));
  }

  std::optional<std::uint32_t> target_of(const Family& family, std::uint32_t word,
                                         Kind kind) const {
    const auto hits = hits_.of(word);
    const auto first = std::ranges::lower_bound(hits, family.inside.begin);
    const auto end = std::ranges::lower_bound(hits, family.inside.end);
    if (first < end) return kind == Kind::kBefore ? *first : *(end - 1);
    if (words_.targets.empty()) return std::nullopt;
    const auto target = words_.targets[word];
    return target && family.inside.has(*target) ? target : std::nullopt;
  }

  /// Moves a place out of the elements of the family.
  std::uint32_t snapped(const Family& family, Kind kind, std::uint32_t word) const {
    const auto& elements = family.elements;
    if (elements.empty()) return word;
    const auto& first = elements.front();
    if (node(first.node).begins_before) word = std::max(word, first.words.end);
    const auto& last = elements.back();
    if (node(last.node).ends_after) word = std::min(word, last.words.begin);
    const auto after = std::ranges::lower_bound(
        elements, word, {}, [](const NodePlace& place) { return place.words.begin; });
    if (after == elements.begin()) return word;
    const auto& around = *(after - 1);
    if (word >= around.words.end) return word;
    return kind == Kind::kBefore && !node(around.node).begins_before ? around.words.begin
                                                                     : around.words.end;
  }

  const MarkupSegment& segment_;
  const AlignedWords& words_;
  const std::vector<bool>& is_placed_;
  const SourceTree& tree_;
  Hits hits_;
  std::vector<std::vector<NodePlace>> places_;
};

}  // namespace

std::vector<std::vector<NodePlace>> place_nodes(const MarkupSegment& segment,
                                                const SourceTree& tree, const AlignedWords& words,
                                                const std::vector<bool>& is_placed) {
  return Placing(segment, tree, words, is_placed).run();
}

}  // namespace awend::text
