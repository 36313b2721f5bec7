#include "text/markup/segment_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/markup/substitutes.hpp"
#include "text/markup/white_space.hpp"
#include "text/protected_spans.hpp"

namespace awend::text {
namespace {

using Event = SegmentEvent;
using Node = MarkupNode;

template <class Is>
bool any_character(std::string_view text, const Is& is) {
  for (std::size_t i = 0; i < text.size();) {
    const auto step = base::utf8_step(text, i);
    if (is(step.code_point)) return true;
    i += step.size_bytes;
  }
  return false;
}

/// White space of any kind, such as the no-break space of an empty cell.
bool is_space(char32_t character) {
  return is_separator(character) || is_control(character) || is_format(character);
}

bool is_blank(std::string_view text) {
  return !any_character(text, [](char32_t character) { return !is_space(character); });
}

/// Letters, digits, and signs that might be broken markup and must be written as references.
bool needs_translation(std::string_view text) {
  return any_character(text, [](char32_t character) {
    return character == '<' || character == '&' ||
           !(is_space(character) || is_punctuation(character) || is_symbol(character));
  });
}

/// The text after an event.
struct TextAfter {
  bool is_word = false;  // of a Latin script
  bool is_white = true;  // or nothing
};

std::vector<TextAfter> texts_after(const std::vector<Event>& events) {
  std::vector<TextAfter> after(events.size());
  TextAfter next;
  for (std::size_t i = events.size(); i-- > 0;) {
    after[i] = next;
    const auto& text = events[i].text;
    if (events[i].kind == Event::Kind::kText)
      next = {is_latin_word(text, 0), is_markup_white(text[0])};
    if (events[i].kind == Event::Kind::kObject) next = {false, false};
  }
  return after;
}

/// Whether white space is next to an event, with no tag in between.
struct Spaces {
  bool before, after;
};

Spaces spaces_around(const std::vector<Event>& events, std::size_t i) {
  const auto is_text = [&](std::size_t other) {
    return other < events.size() && events[other].kind == Event::Kind::kText;
  };
  return {.before = i > 0 && is_text(i - 1) && is_markup_white(events[i - 1].text.back()),
          .after = is_text(i + 1) && is_markup_white(events[i + 1].text.front())};
}

Substitutes substitutes_for(const std::vector<Event>& events) {
  std::vector<std::string_view> texts;
  for (const Event& event : events) texts.push_back(event.text);
  return Substitutes(texts);
}

/// Appends the events to a segment.
class Assembly {
 public:
  void open(const SegmentBuilder::Element& element, bool begins_before) {
    push({.kind = Node::Kind::kElement,
          .open = begins_before ? TextRange{} : element.open,
          .close = element.close,
          .begins_before = begins_before,
          .is_raw = element.is_raw});
    open_.push_back(static_cast<std::uint32_t>(segment_.nodes.size() - 1));
  }
  void close() {
    segment_.nodes[open_.back()].range.end = segment_.text.size();
    open_.pop_back();
  }
  void add_text(std::string_view text) {
    if (std::exchange(drops_space_, false)) text.remove_prefix(1);
    segment_.text += text;
  }

  void add_point(const Event& event, const TextAfter& after, const Spaces& spaces) {
    push({.kind = Node::Kind::kPoint,
          .open = event.range,
          .has_space_before = spaces.before,
          .has_space_after = spaces.after});
    drops_space_ = is_space_before() && spaces.after;
    if (event.separates && after.is_word && is_word_before()) segment_.text += ' ';
  }

  void add_object(const Event& event, const TextAfter& after, Substitutes& substitutes) {
    // In a CDATA section, the substitute could leave it, with text that has no references.
    const bool is_raw = !open_.empty() && segment_.nodes[open_.back()].is_raw;
    const bool is_space_after = after.is_white && !event.is_open;
    push({.kind = Node::Kind::kObject,
          .open = event.range,
          .ends_after = event.is_open,
          .has_space_before = is_space_before(),
          .has_space_after = is_space_after});
    std::string substitute;
    // Nor has an open object one, which would contain the text after it in the translation.
    if (!after.is_word && !is_word_before() && !is_raw && !event.is_open)
      substitute = substitutes.next().value_or("");
    // Without it, one space is enough.
    drops_space_ = substitute.empty() && is_space_before() && is_space_after;
    segment_.text += substitute;
    segment_.nodes.back().range.end = segment_.text.size();
  }

  MarkupSegment finish() {
    for (const auto node : open_) {
      segment_.nodes[node].ends_after = true;
      segment_.nodes[node].close = {};
      segment_.nodes[node].range.end = segment_.text.size();
    }
    return std::move(segment_);
  }

 private:
  bool is_space_before() const {
    return segment_.text.empty() || is_markup_white(segment_.text.back());
  }
  bool is_word_before() const {
    return !segment_.text.empty() && is_latin_word(segment_.text, segment_.text.size() - 1);
  }
  void push(Node node) {
    node.parent = open_.empty() ? Node::kNoParent : open_.back();
    node.depth = static_cast<std::uint32_t>(open_.size());
    node.range = {segment_.text.size(), segment_.text.size()};
    segment_.nodes.push_back(node);
  }

  MarkupSegment segment_;
  std::vector<std::uint32_t> open_;
  bool drops_space_ = false;
};

}  // namespace

bool MarkupSegment::needs_alignment() const {
  const std::size_t first = text.find_first_not_of(kMarkupWhite),
                    last = text.find_last_not_of(kMarkupWhite);
  return std::ranges::any_of(nodes, [&](const Node& node) {
    const bool begins = node.range.begin <= first, ends = node.range.end > last;
    if (node.kind == Node::Kind::kElement && !node.range.empty()) return !begins || !ends;
    return node.kind == Node::Kind::kObject || (!begins && !ends);
  });
}

void SegmentBuilder::begin() {
  events_.clear();
  opened_ = open_;
  first_ = elements_.size();
}

void SegmentBuilder::open(const Element& element) {
  open_.push_back(elements_.size());
  elements_.push_back(element);
}

bool SegmentBuilder::has_text(Blank blank) const {
  using Kind = Event::Kind;
  const auto any = [&](Kind kind, auto is) {
    return std::ranges::any_of(
        events_, [&](const Event& event) { return event.kind == kind && is(event.text); });
  };
  if (any(Kind::kObject, [](std::string_view) { return true; }))
    return any(Kind::kText, needs_translation);
  return any(Kind::kText, [](std::string_view text) { return !is_blank(text); }) ||
         (blank == Blank::kText && events_.size() == 1 && events_[0].kind == Kind::kText);
}

std::size_t SegmentBuilder::open_at_least() const {
  std::size_t depth = opened_.size(), least = depth;
  for (const Event& event : events_) {
    if (event.kind == Event::Kind::kBegin) ++depth;
    if (event.kind == Event::Kind::kEnd) least = std::min(least, --depth);
  }
  return least;
}

std::optional<MarkupSegment> SegmentBuilder::build(Blank blank) {
  if (!has_text(blank)) return std::nullopt;
  Assembly assembly;
  for (auto i = open_at_least(); i < opened_.size(); ++i)
    assembly.open(elements_[opened_[i]], true);
  const auto after = texts_after(events_);
  std::optional<Substitutes> substitutes;
  std::size_t next = first_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    switch (event.kind) {
      case Event::Kind::kText:
        assembly.add_text(event.text);
        break;
      case Event::Kind::kBegin:
        assembly.open(elements_[next++], false);
        break;
      case Event::Kind::kEnd:
        assembly.close();
        break;
      case Event::Kind::kPoint:
        assembly.add_point(event, after[i], spaces_around(events_, i));
        break;
      case Event::Kind::kObject:
        if (!substitutes) substitutes = substitutes_for(events_);
        assembly.add_object(event, after[i], *substitutes);
        break;
    }
  }
  return assembly.finish();
}

}  // namespace awend::text
