#include "text/markup/parser.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "text/markup/entities.hpp"
#include "text/markup/segment_builder.hpp"
#include "text/markup/white_space.hpp"

namespace awend::text {
namespace {

using Item = MarkupItem;
using Event = SegmentEvent;

/// The text of an item without references, in pieces with what must be kept.
class TextReader {
 public:
  TextReader(std::string_view line, MarkupLanguage language, ProtectedSpans& spans)
      : line_(line), language_(language), spans_(spans) {}

  template <class Add>
  void read(const Item& item, const Add& add) {
    begin_piece(item.range.begin);
    const bool has_references = language_ != MarkupLanguage::kNone && !item.is_raw;
    for (std::size_t at = item.range.begin; at < item.range.end;) {
      const std::size_t sign =
          has_references ? std::min(line_.find('&', at), item.range.end) : item.range.end;
      text_ += line_.substr(at, sign - at);
      at = sign;
      if (at == item.range.end) break;
      const auto reference = read_reference(line_.substr(at, item.range.end - at), language_);
      if (reference && !reference->character) {
        end_piece(at, add);
        const TextRange range{at, at + reference->size_bytes};
        // A number is a control character; a name may be any text.
        add(Event{.kind = line_[at + 1] == '#' ? Event::Kind::kPoint : Event::Kind::kObject,
                  .range = range});
        begin_piece(at = range.end);
        continue;
      }
      places_.push_back({text_.size(), at});
      if (reference) {
        base::append_code_point(text_, *reference->character);
      } else {
        text_ += '&';
      }
      at += reference ? reference->size_bytes : 1;
      places_.push_back({text_.size(), at});
    }
    end_piece(item.range.end, add);
  }

 private:
  void begin_piece(std::size_t at) {
    text_.clear();
    places_ = {{0, at}};
  }

  /// The place in the line of a place in the text; calls have increasing places.
  std::size_t in_line(std::size_t position) {
    while (next_place_ + 1 < places_.size() && places_[next_place_ + 1].first <= position)
      ++next_place_;
    return places_[next_place_].second + (position - places_[next_place_].first);
  }

  template <class Add>
  void end_piece(std::size_t line_end, const Add& add) {
    next_place_ = 0;
    std::size_t done = 0, line_done = places_.front().second;
    const auto add_text = [&](std::size_t end, std::size_t end_in_line) {
      if (end > done) {
        add(Event{.kind = Event::Kind::kText,
                  .range = {line_done, end_in_line},
                  .text = text_.substr(done, end - done)});
      }
      done = end;
      line_done = end_in_line;
    };
    for (const TextRange& span : spans_.find(text_)) {
      const std::size_t begin = in_line(span.begin), end = in_line(span.end);
      add_text(span.begin, begin);
      add(Event{.kind = Event::Kind::kObject, .range = {begin, end}});
      done = span.end;
      line_done = end;
    }
    add_text(text_.size(), line_end);
  }

  std::string_view line_;
  MarkupLanguage language_;
  ProtectedSpans& spans_;
  std::string text_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // in the text and in the line
  std::size_t next_place_ = 0;
};

class Parser {
 public:
  Parser(std::string_view line, MarkupLanguage language, ProtectedSpans& spans)
      : line_(line), texts_(line, language, spans) {
    auto structure = read_markup_structure(line, language);
    items_ = std::move(structure.items);
    result_.problem = std::move(structure.problem);
  }

  MarkupLine parse() {
    open_earlier_elements();
    builder_.begin();
    for (const Item& item : items_) {
      if (item.ends_sentence) {
        end_segment();
        copy(item.range);
      } else {
        add(item);
      }
    }
    end_segment();
    trim();
    return std::move(result_);
  }

 private:
  /// Those that end on this line without a beginning, the outer ones first.
  void open_earlier_elements() {
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
      if (item->kind == Item::Kind::kEnd && item->partner == Item::kNoPartner &&
          !item->ends_sentence)
        builder_.open({.close = item->range});
    }
  }

  void add(const Item& item) {
    switch (item.kind) {
      case Item::Kind::kText:
        texts_.read(item, [&](Event event) { builder_.add(std::move(event)); });
        break;
      case Item::Kind::kBegin: {
        const bool has_end = item.partner != Item::kNoPartner;
        builder_.add({.kind = Event::Kind::kBegin, .range = item.range});
        builder_.open({.open = item.range,
                       .close = has_end ? items_[item.partner].range : TextRange{},
                       .is_raw = item.is_raw});
        break;
      }
      case Item::Kind::kEnd:
        builder_.add({.kind = Event::Kind::kEnd, .range = item.range});
        builder_.close();
        break;
      case Item::Kind::kPoint:
        builder_.add(
            {.kind = Event::Kind::kPoint, .range = item.range, .separates = item.separates});
        break;
      case Item::Kind::kObject:
        builder_.add({.kind = Event::Kind::kObject, .range = item.range, .is_open = item.is_open});
        break;
    }
  }

  void end_segment() {
    if (builder_.empty()) return;
    const bool is_line = result_.parts.empty() && builder_.range() == TextRange{0, line_.size()};
    auto segment =
        builder_.build(is_line ? SegmentBuilder::Blank::kText : SegmentBuilder::Blank::kCopy);
    if (segment) {
      result_.parts.push_back({.segment = std::move(segment)});
    } else {
      copy(builder_.range());
    }
    builder_.begin();
  }

  void copy(const TextRange& range) {
    auto& parts = result_.parts;
    if (!parts.empty() && !parts.back().segment) {
      parts.back().copied.end = range.end;
    } else {
      parts.push_back({.copied = range});
    }
  }

  /// White space at the ends of a text that is not the whole line is not part of a sentence.
  void trim() {
    if (result_.parts.size() < 2) return;
    for (auto& part : result_.parts) {
      if (part.segment) trim(*part.segment);
    }
  }

  static void trim(MarkupSegment& segment) {
    const std::size_t begin = segment.text.find_first_not_of(kMarkupWhite),
                      end = segment.text.find_last_not_of(kMarkupWhite) + 1;
    segment.before = segment.text.substr(0, begin);
    segment.after = segment.text.substr(end);
    segment.text = segment.text.substr(begin, end - begin);
    for (auto& node : segment.nodes) {
      for (auto* const place : {&node.range.begin, &node.range.end})
        *place = std::clamp(*place, begin, end) - begin;
    }
  }

  std::string_view line_;
  TextReader texts_;
  std::vector<Item> items_;
  SegmentBuilder builder_;
  MarkupLine result_;
};

}  // namespace

MarkupLine parse_markup(std::string_view line, MarkupLanguage language, ProtectedSpans& spans) {
  return Parser(line, language, spans).parse();
}

}  // namespace awend::text
