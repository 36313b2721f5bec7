// Builds the segments of a line of markup from what is between the tags that end sentences.
//
// Test: tests/unit/text/markup/parser_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/markup/segment.hpp"
#include "text/text_range.hpp"

namespace awend::text {

struct SegmentEvent {
  enum class Kind { kText, kBegin, kEnd, kPoint, kObject };
  Kind kind = Kind::kText;
  TextRange range = {};  ///< In the line.
  std::string text = {};
  bool separates = false;  ///< A point that divides words.
  bool is_open = false;    ///< An object without an end tag.
};

class SegmentBuilder {
 public:
  /// An element that is open.
  struct Element {
    TextRange open = {}, close = {};  ///< In the line; empty: not on it.
    bool is_raw = false;
  };

  /// Begins the next segment, in the elements that are open.
  void begin();
  /// Appends to the segment.  The events of a segment are adjacent in the line.
  void add(SegmentEvent event) { events_.push_back(std::move(event)); }
  /// After the event of its beginning.
  void open(const Element& element);
  /// After the event of its end.
  void close() { open_.pop_back(); }

  bool empty() const { return events_.empty(); }
  /// Requires: !empty().
  TextRange range() const { return {events_.front().range.begin, events_.back().range.end}; }
  /// What a line of nothing but white space is.
  enum class Blank { kCopy, kText };
  /// Nothing if there is nothing to translate.
  std::optional<MarkupSegment> build(Blank blank);

 private:
  bool has_text(Blank blank) const;
  /// How many of the elements around the segment do not end in it: they are not nodes of it.
  std::size_t open_at_least() const;

  std::vector<SegmentEvent> events_;
  std::vector<Element> elements_;           // begun on the line, or before
  std::vector<std::size_t> open_, opened_;  // now, and at the beginning of the segment
  std::size_t first_ = 0;                   // the number of elements at its beginning
};

}  // namespace awend::text
