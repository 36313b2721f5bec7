// The readers of subword-nmt's files, and of glossaries, against damaged input: what they read
// works, or an Error names the file.  Mutations are drawn from a fixed seed, so that a failure can
// be repeated.
#include <random>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "text/subword_nmt/encoder.hpp"

namespace {

using namespace awend::text;

std::string mutated(std::string text, std::mt19937& random, std::string_view likely) {
  for (std::size_t changes = random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % (text.size() + 1);
    switch (random() % 4) {
      case 0:
        text.insert(at, 1, static_cast<char>(random()));
        break;
      case 1:
        text.erase(at, 1 + random() % 6);
        break;
      case 2:
        text.insert(at, text.substr(at, random() % 12));
        break;
      default:
        text.insert(at, 1, likely[random() % likely.size()]);
        break;
    }
  }
  return text;
}

const std::string kLine = " lower  äöä low</w> lololow 日本 ";

// Encodes a line in all ways; pieces that are joined must be the line with single spaces.
void check_codes(const SubwordNmtCodes& codes, const SubwordNmtSettings& settings) {
  const SubwordNmtModel model(codes, settings);
  SubwordNmt encoder(model);
  SubwordNmtDropout dropout{0.3, PythonRandom(5)};
  std::string tokens, with_dropout, line, line_with_dropout;
  encoder.encode(kLine, tokens);
  encoder.encode(kLine, dropout, with_dropout);
  join_subwords(tokens, "@@", line);
  join_subwords(with_dropout, "@@", line_with_dropout);
  const std::string expected = " lower äöä low</w> lololow 日本 ";
  if (line != expected || line_with_dropout != expected) FAIL(print_codes(codes));
}

TEST_CASE("damaged codes are refused or work") {
  std::mt19937 random(6);
  int refused = 0;
  const std::vector<std::string> files = {
      "#version: 0.2\nl o\nlo w</w>\nlo w\ne r</w>\nä ö\nlo lo\n",
      "#version: 0.2 byte\n\xC3 \xA4\nl o\nlo w</w>\n", "l o\nlo w\nlow </w>\nä ö\n",
      "l o 10\nlo w</w> 9\nä ö 2\n"};
  for (int round = 0; round < 20'000; ++round) {
    const std::string file = mutated(files[random() % files.size()], random, "\n  </w>l#0");
    try {
      const SubwordNmtCodes codes = parse_codes(file, "file");
      const std::string printed = print_codes(codes);
      if (!codes.merges.empty() && print_codes(parse_codes(printed, "again")) != printed)
        FAIL(file);
      SubwordNmtSettings settings;
      if (random() % 2) settings.vocabulary = {{"low@@", 1}, {"er", 1}};
      check_codes(codes, settings);
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("file:")) FAIL(error.what());
    }
  }
  CHECK(refused > 5'000);
  CHECK(refused < 19'000);
}

TEST_CASE("damaged vocabularies are refused or work") {
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string file = mutated("low@@ 12\ner 10\nlo@@ 7\n", random, "\n  0@");
    try {
      for (const PieceCount& piece : parse_counts(file, "file"))
        if (piece.piece.find(' ') != std::string::npos) FAIL(file);
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("file:")) FAIL(error.what());
    }
  }
  CHECK(refused > 5'000);
  CHECK(refused < 19'000);
}

TEST_CASE("damaged glossaries are refused or cut a word into parts that are the word") {
  std::mt19937 random(8);
  int refused = 0;
  const std::vector<std::string> patterns = {"<\\w+(a|b)?>", "[^\\W\\d]{2,3}\\b",
                                             "(?P<x>l)o(?P=x)"};
  for (int round = 0; round < 5'000; ++round) {
    std::string pattern;
    awend::base::append_valid_utf8(
        pattern, mutated(patterns[random() % patterns.size()], random, "[](){}\\|?*&-^$"));
    try {
      std::string joined;
      for (const std::string_view part : Glossaries(std::vector{pattern}).cut("lol<a>b12ä日"))
        joined += part;
      if (joined != "lol<a>b12ä日") FAIL(pattern);
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("glossary '")) FAIL(error.what());
    }
  }
  CHECK(refused > 1'000);
  CHECK(refused < 4'500);
}

}  // namespace
