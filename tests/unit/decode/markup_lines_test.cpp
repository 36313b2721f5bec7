#include "decode/markup_lines.hpp"

#include "tests/catch.hpp"

namespace {

using namespace awend;
using namespace awend::decode;

const text::Vocabulary& vocabulary() {
  static const text::Vocabulary kVocabulary = [] {
    text::VocabularyContent content;
    content.pieces = text::special_pieces();
    return text::Vocabulary(content);
  }();
  return kVocabulary;
}

/// Tokens, and for each of them the source token that it attends to.
Translation translation(std::vector<std::string> tokens, std::string text,
                        const std::vector<std::uint32_t>& sources = {}, std::uint32_t columns = 0) {
  Translation result{.hypothesis = {}, .tokens = std::move(tokens), .text = std::move(text)};
  result.hypothesis.score = -1.5;
  if (sources.empty()) return result;
  const auto rows = static_cast<std::uint32_t>(sources.size());
  Alignment weights{rows, columns, std::vector<double>(std::size_t{rows} * columns)};
  for (std::uint32_t row = 0; row < rows; ++row)
    weights.weights[std::size_t{row} * columns + sources[row]] = 1;
  result.weights = std::move(weights);
  return result;
}

TEST_CASE("a line is the translations of its texts") {
  MarkupLines lines({.language = text::MarkupLanguage::kHtml}, vocabulary());
  auto line = lines.parse("<li>a <b>b</b></li><li>c</li>");
  REQUIRE(line.texts.size() == 2);
  CHECK(line.texts[0].text == "a b");
  CHECK(line.texts[0].needs_weights);
  CHECK(line.texts[1].text == "c");
  CHECK_FALSE(line.texts[1].needs_weights);
  line.texts[0].tokens = {"▁a", "▁b"};
  lines.put(std::move(line));
  lines.put(lines.parse("<br>"));
  // Two tokens are a word; the last row and column are the ends.
  CHECK_FALSE(lines.add(translation({"▁B", "b", "▁A"}, "Bb A", {1, 1, 0, 2}, 3)));
  const auto first = lines.add(translation({"▁C"}, "C"));
  REQUIRE(first);
  CHECK(first->line() == "<li><b>Bb</b> A</li><li>C</li>");
  CHECK(first->score() == -3);
  // A line without text has an empty one.
  const auto second = lines.add(translation({}, ""));
  REQUIRE(second);
  CHECK(second->line() == "<br>");
}

TEST_CASE("a line without weights is aligned by positions") {
  MarkupLines lines({.language = text::MarkupLanguage::kXml}, vocabulary());
  lines.put(lines.parse("a <b>b</b> <!-- c -->d"));
  const auto line = lines.add(translation({"▁A", "▁B", "▁D"}, "A B D"));
  REQUIRE(line);
  CHECK(line->line() == "A <b>B</b> <!-- c -->D");
}

TEST_CASE("weights of more or fewer words than there are") {
  MarkupLines lines({.language = text::MarkupLanguage::kHtml}, vocabulary());
  // The last word has no token of its own.
  auto line = lines.parse("a, <b>b!</b>");
  line.texts[0].tokens = {"▁a,", "▁b!"};
  lines.put(std::move(line));
  const auto result = lines.add(translation({"▁A,", "▁B!"}, "A, B!", {0, 1, 2}, 3));
  REQUIRE(result);
  CHECK(result->line() == "A, <b>B!</b>");
}

}  // namespace
