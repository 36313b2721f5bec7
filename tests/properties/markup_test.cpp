// Any tree of markup with any translation and alignment: what was well-formed is, each tag is there
// once, in its parent, and the text is that of the translation.
#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "tests/catch.hpp"
#include "text/markup/entities.hpp"
#include "text/markup/parser.hpp"
#include "text/markup/placer.hpp"

namespace {

using namespace awend;
using text::MarkupLanguage;

class RandomMarkup {
 public:
  /// After each tag and word.
  enum class Spaces { kSometimes, kAlways };
  RandomMarkup(base::Random& random, MarkupLanguage language, Spaces spaces)
      : random_(random), is_html_(language == MarkupLanguage::kHtml), spaces_(spaces) {}

  std::string line() {
    std::string out = content(4);
    // Elements of several lines.
    if (below(4) == 0) out = "one" + close("i") + " " + out;
    if (below(4) == 0) out += " " + open("b") + "two";
    if (below(4) == 0) {
      objects_.push_back(open("x translate=\"no\"") + "three");
      out += " " + objects_.back();
    }
    return out;
  }

  const std::vector<std::string>& objects() const { return objects_; }

 private:
  std::size_t below(std::uint32_t limit) { return random_.below(limit); }
  std::string open(const std::string& name) {
    return "<" + name + " id=\"" + std::to_string(next_++) + "\">";
  }
  static std::string close(const std::string& name) { return "</" + name + ">"; }

  std::string content(std::size_t depth) {
    std::string out;
    for (std::size_t items = below(6); items-- > 0;) {
      out += item(depth);
      if (spaces_ == Spaces::kAlways || below(2) == 0) out += ' ';
    }
    return out;
  }

  std::string item(std::size_t depth) {
    static const std::string kWords[] = {"one", "two,", "a &amp; b", "X", "3.5", "\u00E4", " "};
    static const std::string kNames[] = {"b", "i", "span", "p", "td", "a"};
    const auto number = std::to_string(next_++);
    switch (below(8)) {
      case 0:
        return is_html_ ? "<br id=\"" + number + "\">" : "<x id=\"" + number + "\"/>";
      case 1:
        return "<!--" + number + "-->";
      case 2:
        objects_.push_back("{n" + number + "}");
        return " " + objects_.back() + " ";
      case 3:
      case 4:
      case 5:
        if (depth > 0) {
          const auto& name = kNames[below(std::size(kNames))];
          const auto* const space = spaces_ == Spaces::kAlways ? " " : "";
          return open(name) + space + content(depth - 1) + close(name);
        }
        return kWords[0];
      default:
        return kWords[below(std::size(kWords))];
    }
  }

  base::Random& random_;
  bool is_html_;
  Spaces spaces_;
  std::size_t next_ = 0;
  std::vector<std::string> objects_;
};

/// What a line consists of, by a parser that knows only the lines above.
struct Content {
  std::map<std::string, std::string> parents;   // of each tag and comment
  std::string words;                            // the text without white space
  std::map<std::string, std::string> words_in;  // that of each element itself
  bool is_well_formed = true;
};

Content content_of(std::string_view line) {
  Content content;
  std::vector<std::string> open = {"line"};
  std::size_t earlier = 0;
  while (!line.empty()) {
    const bool is_tag = line[0] == '<';
    const std::size_t size = is_tag ? line.find('>') + 1 : std::min(line.find('<'), line.size());
    const std::string item(line.substr(0, size));
    line.remove_prefix(size);
    if (!is_tag) {
      auto words = item;
      std::erase(words, ' ');
      content.words += words;
      if (!words.empty()) content.words_in[open.back()] += words;
      continue;
    }
    if (item.starts_with("</")) {
      const auto name = item.substr(2, item.size() - 3);
      if (open.size() == 1) {
        ++earlier;  // It began before the line.
        content.parents[item + std::to_string(earlier)] = "line";
      } else {
        if (!open.back().starts_with("<" + name + " ")) content.is_well_formed = false;
        open.pop_back();
      }
      continue;
    }
    if (content.parents.contains(item)) content.is_well_formed = false;
    content.parents[item] = open.back();
    const bool is_point =
        item.starts_with("<!--") || item.starts_with("<br") || item.ends_with("/>");
    if (!is_point) open.push_back(item);
  }
  return content;
}

/// A translation: words of the text in another order, some of them missing, some doubled.
std::string shuffled(std::string_view text, base::Random& random) {
  std::vector<std::string> words = {"neu"};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const auto copies = random.below(4) == 0 ? random.below(3) : 1;
    for (std::size_t i = 0; i < copies; ++i) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  random.shuffle(std::span(words));
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

text::MarkupAlignment random_alignment(const text::MarkupPlacer& placer, base::Random& random) {
  const std::size_t sources = placer.source_words().size(), targets = placer.words().size();
  std::vector<double> values(targets * (sources + 1));
  const auto power = 1 + random.below(6);
  for (std::size_t row = 0; row < targets; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column <= sources; ++column) {
      double value = 1;
      for (std::size_t i = 0; i < power; ++i) value *= random.uniform();
      sum += values[row * (sources + 1) + column] = value;
    }
    for (std::size_t column = 0; column <= sources; ++column)
      values[row * (sources + 1) + column] /= sum;
  }
  auto alignment = placer.align({.targets = targets, .sources = sources, .values = values});
  if (random.below(2) == 0) alignment.targets.clear();
  return alignment;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

void check(base::Random& random, MarkupLanguage language) {
  RandomMarkup markup(random, language, RandomMarkup::Spaces::kSometimes);
  const auto line = markup.line();
  text::ProtectedSpans spans({.placeholders = text::ProtectionSettings::Placeholders::kKeep});
  const auto parsed = text::parse_markup(line, language, spans);
  text::WordBreaker breaker;
  std::string out, words;
  for (const auto& part : parsed.parts) {
    if (!part.segment) {
      out += part.copied.of(line);
      words += content_of(part.copied.of(line)).words;
      continue;
    }
    const auto translation = shuffled(part.segment->text, random);
    const text::MarkupPlacer placer(line, *part.segment, translation, breaker);
    out += placer.place(random_alignment(placer, random), language);
    text::append_escaped(translation, language, words);
  }
  CAPTURE(line, out);
  const auto before = content_of(line), after = content_of(out);
  REQUIRE(before.is_well_formed);
  REQUIRE(parsed.problem.empty());
  REQUIRE(after.is_well_formed);
  REQUIRE(after.parents == before.parents);
  for (const auto& object : markup.objects()) REQUIRE(count(out, object) == 1);
  if (!markup.objects().empty()) return;
  std::erase(words, ' ');
  REQUIRE(after.words == words);
}

/// The line with its texts as their translations.
std::string rewritten(std::string_view line, MarkupLanguage language) {
  static text::ProtectedSpans spans(
      {.placeholders = text::ProtectionSettings::Placeholders::kKeep});
  static text::WordBreaker breaker;
  const auto parsed = text::parse_markup(line, language, spans);
  std::string out;
  for (const auto& part : parsed.parts) {
    if (!part.segment) {
      out += part.copied.of(line);
      continue;
    }
    const text::MarkupPlacer placer(line, *part.segment, part.segment->text, breaker);
    const auto text = placer.place(placer.diagonal(), language);
    for (const auto& node : part.segment->nodes) {
      for (const auto& tag : {node.open, node.close}) REQUIRE(text.find(tag.of(line)) != text.npos);
    }
    out += text;
  }
  return out;
}

TEST_CASE("whatever the line, its markup is copied, and what is written is well-formed") {
  constexpr std::string_view kPieces[] = {"<",       ">",        "/",
                                          "<b>",     "</b>",     "<i a='",
                                          "\"",      "'",        "=",
                                          "<!--",    "-->",      "<![CDATA[",
                                          "]]>",     "<?",       "?>",
                                          "&",       "amp;",     "&#10;",
                                          "&lt;",    "word",     " ",
                                          "{a}",     "%s",       "<br/>",
                                          "<p>",     "</p>",     "<code>",
                                          "</code>", "<script>", "</script>",
                                          "\u00A0",  "\u00E4",   "<x translate=no>",
                                          "</x>",    ".",        "<p translate=no>"};
  base::Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    std::string line;
    for (auto pieces = random.below(12); pieces-- > 0;)
      line += kPieces[random.below(std::size(kPieces))];
    CAPTURE(line);
    rewritten(line, MarkupLanguage::kHtml);
    const auto out = rewritten(line, MarkupLanguage::kXml);
    CAPTURE(out);
    // What is not translated is copied, whatever it is.
    if (line.find("translate") != line.npos) continue;
    REQUIRE(text::read_markup_structure(out, MarkupLanguage::kXml).problem == "");
  }
}

TEST_CASE("elements keep their words if these stay in their order") {
  base::Random random(3);
  for (int i = 0; i < 5'000; ++i) {
    for (const auto language : {MarkupLanguage::kHtml, MarkupLanguage::kXml}) {
      RandomMarkup markup(random, language, RandomMarkup::Spaces::kAlways);
      const auto line = markup.line(), out = rewritten(line, language);
      CAPTURE(line, out);
      REQUIRE(content_of(out).words_in == content_of(line).words_in);
    }
  }
}

TEST_CASE("markup survives any alignment") {
  base::Random random(1);
  for (int i = 0; i < 5'000; ++i) {
    check(random, MarkupLanguage::kHtml);
    check(random, MarkupLanguage::kXml);
  }
}

}  // namespace
