#include "text/markup/writer.hpp"

#include "text/markup/entities.hpp"
#include "text/markup/white_space.hpp"

namespace awend::text {
namespace {

using Kind = NodePlace::Kind;
using Node = MarkupNode;

class Writer {
 public:
  explicit Writer(const MarkupText& text) : text_(text) {}

  std::string write() {
    out_ = text_.segment.before;
    write_in(static_cast<std::uint32_t>(text_.segment.nodes.size()));
    write_until(text_.words.size());
    flush();
    return out_ + text_.segment.after;
  }

 private:
  /// What is written between two words.
  struct Event {
    enum class Side { kBeforeSpace, kAfterSpace } side;
    std::string bytes;
    enum class Raw { kNone, kBegins, kEnds } raw = Raw::kNone;
    bool has_space_before = false, has_space_after = false;
  };
  using Side = Event::Side;

  const Node& node(std::uint32_t number) const { return text_.segment.nodes[number]; }
  std::string bytes(const TextRange& range) const { return std::string(range.of(text_.line)); }

  void write_in(std::uint32_t parent) {
    for (const NodePlace& place : text_.places[parent]) {
      write_until(place.words.begin);
      if (place.kind != Kind::kWords) {
        add_point(place);
        continue;
      }
      using Raw = Event::Raw;
      const bool is_raw = node(place.node).is_raw;
      events_.push_back({.side = Side::kAfterSpace,
                         .bytes = bytes(node(place.node).open),
                         .raw = is_raw ? Raw::kBegins : Raw::kNone});
      write_in(place.node);
      write_until(place.words.end);
      events_.push_back({.side = Side::kBeforeSpace,
                         .bytes = bytes(node(place.node).close),
                         .raw = is_raw ? Raw::kEnds : Raw::kNone});
    }
  }

  /// A node between words, with those in it.
  void add_point(const NodePlace& place) {
    Event event{.side = place.kind == Kind::kAfter ? Side::kBeforeSpace : Side::kAfterSpace,
                .bytes = {}};
    const auto& nodes = text_.segment.nodes;
    std::vector<std::uint32_t> open;
    const auto close_until = [&](std::uint32_t depth) {
      for (; !open.empty() && node(open.back()).depth >= depth; open.pop_back())
        event.bytes += bytes(node(open.back()).close);
    };
    for (std::uint32_t i = place.node; i < nodes.size(); ++i) {
      if (i > place.node && nodes[i].depth <= nodes[place.node].depth) break;
      close_until(nodes[i].depth);
      if (text_.is_placed[i]) continue;
      event.bytes += bytes(nodes[i].open);
      open.push_back(i);
    }
    close_until(0);
    event.has_space_before = nodes[place.node].has_space_before;
    event.has_space_after = nodes[place.node].has_space_after;
    events_.push_back(std::move(event));
  }

  void write_until(std::size_t word) {
    for (; next_ < word; ++next_) {
      flush();
      const auto& change = text_.changes[next_];
      skips_space_ = change.is_removed && (next_ == 0 || skips_space_);
      if (change.object) {
        out_ += bytes(node(*change.object).open);
      } else if (!change.is_removed) {
        append_text(text_.words[next_].of(text_.translation));
      }
    }
  }

  /// The events and the white space before the next word.
  void flush() {
    const std::size_t begin = next_ == 0 ? 0 : text_.words[next_ - 1].end;
    const std::size_t end =
        next_ < text_.words.size() ? text_.words[next_].begin : text_.translation.size();
    const bool skips =
        skips_space_ || (next_ < text_.words.size() && text_.changes[next_].is_removed);
    const auto space = skips ? std::string_view() : TextRange{begin, end}.of(text_.translation);
    std::size_t before = events_.size();
    while (before > 0 && events_[before - 1].side == Side::kAfterSpace) --before;
    for (std::size_t i = 0; i < before; ++i) write(events_[i]);
    append_text(space);
    for (std::size_t i = before; i < events_.size(); ++i) write(events_[i]);
    events_.clear();
  }

  void write(const Event& event) {
    if (event.raw == Event::Raw::kEnds) --raw_depth_;
    if (event.has_space_before && next_ > 0 && !out_.empty() && !is_markup_white(out_.back()))
      out_ += ' ';
    out_ += event.bytes;
    const bool is_before_word =
        next_ < text_.words.size() && event.side == Side::kAfterSpace && !event.bytes.empty();
    if (event.has_space_after && is_before_word) out_ += ' ';
    if (event.raw == Event::Raw::kBegins) ++raw_depth_;
  }

  void append_text(std::string_view text) {
    if (raw_depth_ == 0) return append_escaped(text, text_.language, out_);
    for (const char byte : text) {
      // Two sections separate the characters that would end one.
      if (byte == '>' && out_.ends_with("]]")) out_ += "]]><![CDATA[";
      out_ += byte;
    }
  }

  const MarkupText& text_;
  std::vector<Event> events_;
  std::size_t next_ = 0;  // word
  std::size_t raw_depth_ = 0;
  bool skips_space_ = false;  // after words that were removed at the beginning
  std::string out_;
};

}  // namespace

std::string write_markup(const MarkupText& text) {
  return Writer(text).write();
}

}  // namespace awend::text
