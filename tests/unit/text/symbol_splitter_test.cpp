// Symbols in texts, and which there can be.
#include "text/symbol_splitter.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "text/learn/learn.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

// The parts with '|' between, symbols as [index].
std::string parts(const SymbolSplitter& splitter, std::string_view text) {
  std::string out;
  splitter.split(text, [&](std::string_view part, std::optional<std::size_t> symbol) {
    out += out.empty() ? "" : "|";
    out += symbol ? "[" + std::to_string(*symbol) + "]" : std::string(part);
  });
  return out;
}

TEST_CASE("symbols are found from left to right, the longest first") {
  const SymbolSplitter splitter({"<a>", "<a>b", "★"});
  CHECK(parts(splitter, "x<a>y★") == "x|[0]|y|[2]");
  CHECK(parts(splitter, "<a>b<a>") == "[1]|[0]");
  CHECK(parts(splitter, "<a") == "<a");
  CHECK(parts(splitter, "<<a>>") == "<|[0]|>");
  CHECK(parts(splitter, "") == "");
  CHECK(parts(SymbolSplitter(), "<a>") == "<a>");
}

TEST_CASE("symbols that a vocabulary cannot have are refused") {
  const auto complaint = [](const SymbolLists& symbols, const TextForm& form = {}) {
    return message_of([&] { check_symbols(symbols, form); });
  };
  CHECK(complaint({.control = {"<2de>"}, .user = {"★", "word", "<x"}}).empty());
  CHECK(complaint({.control = {}, .user = {""}}) == "a symbol is empty");
  CHECK(complaint({.control = {}, .user = {"a b"}}) ==
        "the symbol 'a b' has white space, a control character or U+2581 in it");
  CHECK(complaint({.control = {}, .user = {"a\u3000"}}).ends_with("or U+2581 in it"));
  CHECK(complaint({.control = {}, .user = {"▁a"}}).ends_with("or U+2581 in it"));
  CHECK(complaint({.control = {}, .user = {"\xff"}}).ends_with("' is not UTF-8"));
  CHECK(complaint({.control = {"<a>"}, .user = {"<a>"}}) == "the symbol '<a>' exists already");
  CHECK(complaint({.control = {}, .user = {"</s>"}}) == "the symbol '</s>' exists already");
  CHECK(complaint({.control = {"tag"}, .user = {}}) ==
        "the control symbol 'tag' is not like <this>");
  CHECK(complaint({.control = {"<>"}, .user = {}}).ends_with("is not like <this>"));
  CHECK(complaint({.control = {"<\u0301>"}, .user = {}}).ends_with("is not like <this>"));
  CHECK(complaint({.control = {"<日本>", "<é>"}, .user = {}}).empty());
  CHECK(complaint({.control = {}, .user = {"<DE>"}}, {.letter_case = LetterCase::kLower}) ==
        "the symbol '<DE>' is '<de>' after normalization");
}

Vocabulary learned(VocabularyType type) {
  const LearnSettings settings = {
      .type = type, .size = 300, .symbols = {.control = {"<2fr>"}, .user = {"<2de>", "low"}}};
  WordCounter counter({.symbols = settings.symbols.user});
  for (int i = 0; i < 3; ++i) counter.add(0, "<2de> the lowest <unk> follows slow <2fr><2de>");
  return learn(counter.finish().words(), settings, [](std::uint32_t) {});
}

TEST_CASE("user symbols are whole and counted, control symbols are no text") {
  for (const auto type : {VocabularyType::kBpe, VocabularyType::kWordPiece}) {
    const Vocabulary vocabulary = learned(type);
    CHECK(vocabulary.piece(258) == "<2fr>");
    CHECK(vocabulary.piece(259) == "<2de>");
    CHECK(vocabulary.piece(260) == "low");
    CHECK(vocabulary.count(258) == 0);
    CHECK(vocabulary.count(259) == 6);
    CHECK(vocabulary.count(260) == 9);
    for (std::uint32_t id = vocabulary.first_learned(); id < vocabulary.size(); ++id)
      CHECK(vocabulary.piece(id).find("low") == std::string::npos);

    Tokenizer tokenizer(vocabulary);
    const auto pieces = [&](std::string_view line) {
      return " " + join_pieces(vocabulary, tokenizer.encode(line)) + " ";
    };
    for (const std::string_view line : {"<2de> the lowest", "a<2de>b <2de><2de> ",
                                        "<2fr> <unk> </s> <0x41>", "low", "▁low<2de>"}) {
      INFO(line << ": " << pieces(line));
      CHECK(decode(vocabulary, tokenizer.encode(line)) == line);
      CHECK((pieces(line).find(" <2de> ") != std::string::npos) ==
            (line.find("<2de>") != line.npos));
      CHECK(pieces(line).find(" <2fr> ") == std::string::npos);
    }
    CHECK(tokenizer.encode("<unk>").front() != Vocabulary::kUnknown);
    CHECK(decode(vocabulary, Ids{258, 260, 258}) == "low");
    CHECK(split_pieces(vocabulary, "<2fr> low") == Ids{258, 260});
    if (type == VocabularyType::kBpe) {
      const auto dropped = tokenizer.encode("the lowest <2de>", {0.5, awend::base::Random(1, 1)});
      CHECK(decode(vocabulary, dropped) == "the lowest <2de>");
    }
  }
}

}  // namespace
