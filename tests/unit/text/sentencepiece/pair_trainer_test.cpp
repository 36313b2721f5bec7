// Byte pairs in SentencePiece models, against the definition: count all pairs again before every
// merge.
#include "text/sentencepiece/pair_trainer.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/sentencepiece/piece_rule.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;
using Type = SentencePieceTraining::Type;

std::string learned(const SentencePieceTraining& settings, const std::vector<std::string>& lines) {
  const PairTrainer trainer(settings);
  WordCounter counter({.rule = WordRule::kPieces, .pieces = &trainer.words()});
  for (const std::string& line : lines) counter.add(0, line);
  const WordList words = counter.finish();
  return trainer.learn(words.words(), std::pmr::get_default_resource(), [](std::size_t) {});
}

std::vector<std::string> pieces_of(const std::string& bytes) {
  std::vector<std::string> pieces;
  for (const ModelPiece& piece : sentencepiece_content(bytes).pieces) pieces.push_back(piece.text);
  return pieces;
}

// The merges by the book.  The words are ASCII, after U+2581.
std::vector<std::string> plain_merges(const std::vector<std::string>& words, std::size_t count,
                                      DigitRule digits) {
  std::vector<std::vector<std::string>> cut;
  for (const std::string& word : words) {
    cut.push_back({"▁"});
    for (const char c : word) cut.back().emplace_back(1, c);
  }
  std::vector<std::string> merges;
  std::set<std::pair<std::string, std::string>> met;
  while (merges.size() < count) {
    std::map<std::pair<std::string, std::string>, int> pairs;
    for (const auto& pair : met) pairs[pair] = 0;
    for (const auto& symbols : cut) {
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) ++pairs[{symbols[i], symbols[i + 1]}];
    }
    const std::pair<std::string, std::string>* best = nullptr;
    std::tuple<int, std::size_t, std::string> best_order;
    for (const auto& [pair, frequency] : pairs) {
      met.insert(pair);
      const std::string text = pair.first + pair.second;
      if (!is_possible_piece(text, digits) || std::ranges::count(merges, text) > 0) continue;
      // U+2581 is three bytes.
      const std::size_t size = text.size() - (text.starts_with("▁") ? 2 : 0);
      const std::tuple order(-frequency, size, text);
      if (best == nullptr || order < best_order) {
        best = &pair;
        best_order = order;
      }
    }
    if (best == nullptr) break;
    const auto [left, right] = *best;
    merges.push_back(left + right);
    for (auto& symbols : cut) {
      std::vector<std::string> merged;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
        merged.push_back(here ? left + right : symbols[i]);
        // For a moment, the result is before a symbol that the same merge takes.
        if (here && i + 2 < symbols.size()) met.insert({left + right, symbols[i + 2]});
        i += here ? 1 : 0;
      }
      symbols = merged;
    }
  }
  return merges;
}

TEST_CASE("SentencePiece's byte pairs are those of a simple recount") {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> words, lines;
    for (int i = 0; i < 60; ++i) {
      std::string word;
      for (std::size_t size = 1 + random() % 7; size > 0; --size) word += "aabcxy12."[random() % 9];
      words.push_back(word);
      if (i % 5 == 0)
        lines.push_back(word);
      else
        lines.back() += " " + word;
    }
    const bool split_digits = round % 2 == 1;
    const auto digits = split_digits ? DigitRule::kEach : DigitRule::kTogether;
    const std::uint32_t size = round % 3 == 0 ? 2000 : 60;
    const auto pieces = pieces_of(learned(
        {.type = Type::kBpe, .size = size, .character_coverage = 1, .split_digits = split_digits},
        lines));
    std::set<std::string> characters = {"▁"};
    for (const std::string& word : words) {
      for (const char c : word) characters.emplace(1, c);
    }
    const auto merges = plain_merges(words, size - 3 - characters.size(), digits);
    REQUIRE(pieces.size() == 3 + merges.size() + characters.size());
    CHECK(std::vector(pieces.begin() + 3,
                      pieces.begin() + 3 + static_cast<std::ptrdiff_t>(merges.size())) == merges);
  }
}

TEST_CASE("special symbols separate words, and lines with U+2585 are ignored") {
  const SentencePieceTraining settings{.type = Type::kBpe,
                                       .size = 14,
                                       .character_coverage = 1,
                                       .user_symbols = {"<b>", "wx▁y"},
                                       .control_symbols = {"<c>"}};
  const auto pieces = pieces_of(learned(settings, {"a<b>a a<b>a wx yz", "q▅", ""}));
  // No piece crosses <b> or wx▁y, so that z has no neighbor.
  CHECK(pieces == std::vector<std::string>{"<unk>", "<s>", "</s>", "<c>", "<b>", "wx▁y", "▁a", "a",
                                           "▁", "z"});
}

TEST_CASE("a tab is a character where the normalization keeps it") {
  const auto pieces = pieces_of(
      learned({.type = Type::kBpe, .size = 9, .character_coverage = 1, .normalization = "identity"},
              {".\t.\t.\x1F."}));
  CHECK(pieces ==
        std::vector<std::string>{"<unk>", "<s>", "</s>", "\t.", "▁.", "\t.\t.", ".", "\t", "▁"});
}

TEST_CASE("models of byte pairs have the settings of the trainer") {
  const std::string bytes = learned({.type = Type::kBpe,
                                     .size = 300,
                                     .byte_fallback = true,
                                     .normalization = "nmt_nfkc_cf",
                                     .unknown = {5, "[U]"},
                                     .begin_of_sentence = {std::nullopt, "<s>"},
                                     .padding = {0, "[P]"},
                                     .unknown_surface = "?"},
                                    {"ABC abc ÄÖ", "1 ½"});
  const auto content = sentencepiece_content(bytes);
  CHECK(content.type == SentencePieceContent::Type::kBpe);
  CHECK(content.byte_fallback);
  const SentencePieceModel model(bytes, "m");
  CHECK(model.unknown() == 5);
  CHECK_FALSE(model.find("<s>"));
  CHECK(model.end_of_sentence() == 2U);
  CHECK(model.find("[P]") == 0U);
  CHECK(model.find("<0xFF>"));
  CHECK(model.decode(model.encode("ABC ÄÖ")) == "abc äö");
  CHECK(model.decode(std::vector<std::uint32_t>{5}) == "?");
}

TEST_CASE("special pieces must have a place") {
  const auto learn = [](std::uint32_t id, std::uint32_t size) {
    SentencePieceTraining settings{.type = Type::kBpe, .size = size};
    settings.padding.id = id;
    return pieces_of(learned(settings, {"ab ab"}));
  };
  CHECK(learn(6, 100)[6] == "<pad>");
  CHECK_THAT(message_of([&] { learn(50, 100); }),
             Catch::Matchers::StartsWith("SentencePiece: no piece precedes the special piece "
                                         "'<pad>' with id 50"));
  CHECK_THAT(message_of([&] { learn(100000, 200000); }),
             Catch::Matchers::StartsWith("SentencePiece: the id 100000 of a special piece"));
  CHECK_THAT(message_of([&] { learn(3, 5); }),
             Catch::Matchers::StartsWith("SentencePiece: a vocabulary of 5 ids is too small"));
}

TEST_CASE("possible pieces") {
  const auto possible = [](std::string_view text) {
    return is_possible_piece(text, DigitRule::kTogether);
  };
  for (const std::string_view text :
       {"▁a", "ab", "12", "▁1", "日本", "日の", "ーの", "e\u0301", "a\u0301b", "..", "▁", "١٢"})
    CHECK(possible(text));
  for (const std::string_view text : {"", "a▁", "▁▁", "a1", "a.", "aд", "日a", "1.a"})
    CHECK_FALSE(possible(text));
  // Characters whose scripts are newer than Unicode 9, as version 0.2.3 treats them.
  for (const std::string_view text : {"\u0561\u0589", "\u0627\u061C", "a\u0953", "\u4E00\U0002CEB0",
                                      "\u10D0\u1C90", "\U000104B0."})
    CHECK_FALSE(possible(text));
  for (const std::string_view text :
       {"\u0915\u0953", "\U00010980\U00010981", ".\U0002CEB0", ".\U000F8860"})
    CHECK(possible(text));
  CHECK(possible(std::string(16, 'a')));
  CHECK_FALSE(possible(std::string(17, 'a')));
  CHECK(is_possible_piece("1", DigitRule::kEach));
  for (const std::string_view text : {"12", "▁1", "１２"})
    CHECK_FALSE(is_possible_piece(text, DigitRule::kEach));
}

}  // namespace
