// The vocabulary's reader against damaged files: it reads them, and then what it read is whole, or
// throws an Error that names the file.  Mutations are drawn from a fixed seed, so that a failure
// can be repeated.
#include <random>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/import.hpp"
#include "text/learn/learn.hpp"
#include "text/token_codec.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;

std::string sample() {
  const std::vector<WordCount> words = {{" the", 9}, {" then", 5}, {"ä", 3}, {" we", 4}};
  return learn(words, {.size = 275}, [](std::uint32_t) {}).serialize();
}

std::string sample_with_symbols() {
  const std::vector<WordCount> words = {{" the", 9}, {" then", 5}, {"ä", 3}, {" we", 4}};
  const LearnSettings settings = {.size = 278,
                                  .symbols = {.control = {"<x>"}, .user = {"we", "ä"}}};
  return learn(words, settings, [](std::uint32_t) {}).serialize();
}

std::string mutated(std::string bytes, std::mt19937& random) {
  // The first lines and the end matter most; the bytes' own pieces are in between.
  const auto place = [&] {
    return random() % 2 ? random() % 60 : bytes.size() - 1 - random() % 150;
  };
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
    const std::size_t at = std::min<std::size_t>(place(), bytes.size() - 1);
    switch (random() % 5) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, 1 + random() % 8);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, random() % 12));
        break;
      case 3:
        bytes[at] = static_cast<char>('0' + random() % 10);
        break;
      default:
        bytes[at] = "\n\t "[random() % 3];
        break;
    }
    if (bytes.empty()) bytes = "\n";
  }
  return bytes;
}

TEST_CASE("a damaged vocabulary is refused or whole") {
  std::mt19937 random(4);
  const std::string files[] = {sample(), sample_with_symbols()};
  int refused = 0;
  for (int round = 0; round < 40'000; ++round) {
    const std::string& file = files[round % 2];
    const std::string damaged = mutated(file, random);
    try {
      const Vocabulary vocabulary = Vocabulary::parse(damaged, "file");
      const std::string again = vocabulary.serialize();
      if (Vocabulary::parse(again, "again").serialize() != again) FAIL(damaged);
      Tokenizer tokenizer(vocabulary);
      if (decode(vocabulary, tokenizer.encode("then we ä")) != "then we ä") FAIL(damaged);
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("file:")) FAIL(error.what());
    }
  }
  CHECK(refused > 20'000);
  CHECK(refused < 39'800);
}

// Of the types of other toolkits any line must give some tokens, whatever became of the file.
void check_imported(const std::string& file, int rounds) {
  std::mt19937 random(5);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string damaged = mutated(file, random);
    try {
      const Vocabulary vocabulary = Vocabulary::parse(damaged, "file");
      const std::string again = vocabulary.serialize();
      if (Vocabulary::parse(again, "again").serialize() != again) FAIL(damaged);
      if (is_reversible(vocabulary.type())) continue;
      const TokenCodecModel model(vocabulary);
      const auto codec = model.make(TokenForm::kIds);
      std::string tokens, line;
      codec->encode("a low\tone ä", 1, tokens);
      codec->decode(tokens, line);
      if (line.find('\n') != std::string::npos) FAIL(damaged);
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("file")) FAIL(error.what());
    }
  }
  CHECK(refused > rounds / 4);
  CHECK(refused < rounds - rounds / 50);
}

TEST_CASE("a damaged vocabulary of codes is refused or whole") {
  check_imported(import_codes({.codes = "#version: 0.2\nl o\nlo w</w>\n",
                               .glossaries = {"x+"},
                               .pieces = {{"low", 3}, {"lo@@", 2}, {"s", 1}}})
                     .serialize(),
                 10'000);
}

TEST_CASE("a damaged vocabulary with a model is refused or whole") {
  using awend::tests::ModelKind;
  for (const auto kind : {ModelKind::kUnigram, ModelKind::kBpe})
    check_imported(import_model(awend::tests::small_model(kind), "model").serialize(), 2'000);
}

}  // namespace
