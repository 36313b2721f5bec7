#include "text/bert/word_pieces.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"
#include "text/learn/learn.hpp"
#include "text/piece_words.hpp"
#include "text/token_codec.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;
using Words = std::vector<std::string>;

constexpr std::string_view kSpecial = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";

Words words_of(LetterCase letter_case, std::string_view line,
               BertRules rules = BertRules::kGoogle) {
  BertWords words(letter_case, rules);
  const auto& found = words.split(line);
  return {found.begin(), found.end()};
}

Vocabulary small(std::string_view pieces, LetterCase letter_case = LetterCase::kLower) {
  return import_word_pieces(std::string(kSpecial).append(pieces), "v", letter_case,
                            BertRules::kGoogle);
}

std::string base_list() {
  return awend::base::concat(kSpecial, "\u0E01\n##\u0E01\n");
}

std::string encoded(const Vocabulary& vocabulary, std::string_view line,
                    TokenForm form = TokenForm::kPieces) {
  const TokenCodecModel model(vocabulary);
  std::string tokens;
  model.make(form)->encode(line, 1, tokens);
  return tokens;
}

std::string decoded(const Vocabulary& vocabulary, std::string_view tokens) {
  const TokenCodecModel model(vocabulary);
  std::string line;
  model.make()->decode(tokens, line);
  return line;
}

TEST_CASE("the words of BERT are split at space, punctuation and Chinese characters") {
  const auto cased = LetterCase::kKeep, lower = LetterCase::kLower;
  CHECK(words_of(cased, " It's $5,\ta-b\u2003C ") ==
        Words{"It", "'", "s", "$", "5", ",", "a", "-", "b", "C"});
  CHECK(words_of(lower, "Ärger\u00ADlich \u4F60\u597Dx") ==
        Words{"argerlich", "\u4F60", "\u597D", "x"});
  CHECK(words_of(cased, "Ärger \u4F60\u597Dx") == Words{"Ärger", "\u4F60", "\u597D", "x"});
  CHECK(words_of(lower, "ΟΔΟΣ ΟΔΟΣ. Ⅳ") == Words{"οδος", "οδος", ".", "ⅳ"});
  CHECK(words_of(lower, "").empty());
  CHECK(words_of(lower, "\u0001 \uFFFD\u200B").empty());
}

TEST_CASE("the rules of Hugging Face differ for rare characters") {
  const auto cased = LetterCase::kKeep, lower = LetterCase::kLower;
  const auto google = BertRules::kGoogle, hugging_face = BertRules::kHuggingFace;
  struct Case {
    LetterCase letter_case;
    std::string_view line;
    Words google, hugging_face;
  };
  const Case cases[] = {
      // Private use, assigned and unassigned format characters, and an unassigned character.
      {cased, "a\uE000b", {"a\uE000b"}, {"ab"}},
      {cased, "a\u00ADb\u0000", {"ab"}, {"ab"}},
      {cased, "a\U000110CDb", {"ab"}, {"a\U000110CDb"}},
      {cased, "a\u0378b", {"a\u0378b"}, {"a\u0378b"}},
      // Punctuation since Unicode 14, and punctuation that is a symbol since Unicode 12.
      {cased, "a\u2E5Db", {"a", "\u2E5D", "b"}, {"a\u2E5Db"}},
      {cased, "a\u166Db", {"a\u166Db"}, {"a", "\u166D", "b"}},
      {cased, "a\U0002B820b", {"a", "\U0002B820", "b"}, {"a\U0002B820b"}},
      {cased, "a\U0002B920b", {"a", "\U0002B920", "b"}, {"a", "\U0002B920", "b"}},
      {lower, "ΟΔΟΣ İI É", {"οδος", "ii", "e"}, {"οδοσ", "ii", "e"}},
      // An accent since Unicode 14.
      {lower, "a\u0898", {"a"}, {"a\u0898"}},
  };
  for (const Case& one : cases) {
    INFO(one.line);
    CHECK(words_of(one.letter_case, one.line, google) == one.google);
    CHECK(words_of(one.letter_case, one.line, hugging_face) == one.hugging_face);
  }
}

TEST_CASE("with the rules of Hugging Face, words of more than 100 characters are unknown") {
  const std::string list = base_list();
  for (const auto rules : {BertRules::kGoogle, BertRules::kHuggingFace}) {
    const Vocabulary vocabulary = import_word_pieces(list, "v", LetterCase::kKeep, rules);
    const bool google = rules == BertRules::kGoogle;
    std::string word = "\u0E01";
    for (int i = 1; i < 100; ++i) word += "\u0E01";
    CHECK(encoded(vocabulary, word) != "[UNK]");
    CHECK((encoded(vocabulary, word + "\u0E01") == "[UNK]") == !google);
    const std::string file = vocabulary.serialize();
    CHECK(file.starts_with(google ? "awend-vocabulary 2\n" : "awend-vocabulary 4\n"));
    CHECK((file.find("end-of-sentence 3\nrules hugging-face\npieces 7\n") != file.npos) == !google);
    const Vocabulary read = Vocabulary::parse(file, "v");
    CHECK(read.content().bert_rules == rules);
    CHECK(read.serialize() == file);
  }
  CHECK(awend::base::value_of<kBertRulesWords>("google") == BertRules::kGoogle);
  CHECK(awend::base::value_of<kBertRulesWords>("hugging-face") == BertRules::kHuggingFace);
}

TEST_CASE("the rules in a file are checked") {
  std::string file =
      import_word_pieces(base_list(), "v", LetterCase::kKeep, BertRules::kHuggingFace).serialize();
  const auto complaint = [&](std::string_view from, std::string_view to) {
    std::string changed = file;
    changed.replace(changed.find(from), from.size(), to);
    return message_of([&] { Vocabulary::parse(changed, "v"); });
  };
  CHECK(complaint("rules hugging-face\n", "") == "v:8: expected 'rules ...'");
  CHECK(complaint("rules hugging-face", "rules x") ==
        "v:8: rules must be google or hugging-face, got 'x'");
  CHECK(complaint("type bert", "type bpe") == "v:8: type bpe has no rules");
  CHECK(complaint("vocabulary 4", "vocabulary 2") == "v:8: expected 'pieces ...'");
}

TEST_CASE("a vocabulary is learned by its rules") {
  LearnSettings settings;
  settings.size = 20;
  settings.bert_rules = BertRules::kHuggingFace;
  const std::vector<WordCount> words = {{" lower", 5}, {" lowest", 4}};
  const Vocabulary vocabulary = learn_bert(words, settings, [](std::uint32_t) {});
  CHECK(vocabulary.content().bert_rules == BertRules::kHuggingFace);
}

TEST_CASE("accents are removed from letters, and spacing marks stay in canonical order") {
  CHECK(without_accents("e\u0301\u00E9ő") == "eeo");
  CHECK(without_accents("\uAC00") == "\u1100\u1161");
  CHECK(without_accents("\u037E") == ";");
  // Two spacing marks, of the classes 226 and 216, with nonspacing marks between them.
  CHECK(without_accents("x\U0001D16D\u0301\U0001D165") == "x\U0001D165\U0001D16D");
  std::string flood = "a";
  for (int i = 0; i < 200000; ++i) flood += i % 2 == 0 ? "\u0301" : "\u0323";
  CHECK(without_accents(flood) == "a");
}

TEST_CASE("a word is split into the longest pieces, or is unknown") {
  const Vocabulary vocabulary = small("un\n##aff\n##able\n##a\nhe\n##llo\nh\n##e");
  CHECK(encoded(vocabulary, "unaffable hello") == "un ##aff ##able he ##llo");
  CHECK(encoded(vocabulary, "unaffx un") == "[UNK] un");
  CHECK(encoded(vocabulary, "hello un", TokenForm::kIds) == "9 10 5");
  CHECK(encoded(vocabulary, awend::base::concat("he", std::string(198, 'a'))) == "he" + [] {
    std::string tail;
    for (int i = 0; i < 198; ++i) tail += " ##a";
    return tail;
  }());
  CHECK(encoded(vocabulary, awend::base::concat("he", std::string(199, 'a'))) == "[UNK]");
  CHECK(encoded(vocabulary, "").empty());
}

TEST_CASE("of the special pieces, text can produce only the mask") {
  const Vocabulary vocabulary = small("[\n]\nsep\nmask\ndog");
  CHECK(encoded(vocabulary, "dog [MASK]dog") == "dog [MASK] dog");
  CHECK(encoded(vocabulary, "[SEP] [mask]") == "[ sep ] [ mask ]");
}

TEST_CASE("pieces are joined to words without the special ones") {
  const Vocabulary vocabulary = small("un\n##able\ndog\n.");
  CHECK(decoded(vocabulary, "[CLS] un ##able dog [MASK] . [SEP] [PAD]") == "unable dog [MASK] .");
  CHECK(decoded(vocabulary, "##able [UNK]") == "##able [UNK]");
  CHECK(decoded(vocabulary, "other") == "[UNK]");
  CHECK(words_of_pieces(vocabulary, std::vector<std::string_view>{"un", "##able", "dog", "."}) ==
        std::vector<std::uint32_t>{0, 0, 1, 2});
}

TEST_CASE("a list of word pieces makes a vocabulary file") {
  const Vocabulary vocabulary = small("dog\r\n##s\n", LetterCase::kKeep);
  CHECK(vocabulary.size() == 7);
  CHECK(vocabulary.find("##s") == 6);
  const std::string file = vocabulary.serialize();
  const Vocabulary read = Vocabulary::parse(file, "v");
  CHECK(read.serialize() == file);
  CHECK(encoded(read, "Dog dogs") == "[UNK] dog ##s");
  CHECK(encoded(Vocabulary::parse(small("dog\n##s").serialize(), "v"), "Dog") == "dog");

  const auto complaint = [](std::string_view list) {
    return message_of(
        [&] { import_word_pieces(list, "v", LetterCase::kKeep, BertRules::kGoogle); });
  };
  CHECK(complaint("[PAD]\n[UNK]\n") ==
        "v: no piece [CLS], which a list of word pieces of BERT contains");
  CHECK(complaint("[PAD]\n\n") == "v:2: a piece is empty or has white space in it");
  CHECK(complaint("[PAD]\na b\n") == "v:2: a piece is empty or has white space in it");
  CHECK(complaint("[PAD]\n[PAD]\n") == "v:2: the piece '[PAD]' is duplicated");
  CHECK(complaint("[PAD]\n\xFF\n") == "v:2: invalid UTF-8");
}

TEST_CASE("a learned vocabulary splits the words that it was learned from") {
  const std::vector<WordCount> words = {{" lower", 5}, {" lowest", 4}, {" new", 6},
                                        {" newer", 3}, {" wide", 2},   {" q", 1}};
  LearnSettings settings;
  settings.form.letter_case = LetterCase::kLower;
  for (const std::uint32_t size : {kMinBertPieces, 20u, 28u, 200u}) {
    settings.size = size;
    const Vocabulary vocabulary = learn_bert(words, settings, [](std::uint32_t) {});
    CHECK(vocabulary.size() <= size);
    CHECK((size == 200 || vocabulary.size() == size));
    CHECK(vocabulary.piece(4) == BertPieces::kMask);
    std::map<std::string, std::uint64_t> counts;
    std::uint64_t tokens = 0, counted = 0;
    for (const WordCount& word : words) {
      const std::string line = encoded(vocabulary, word.word);
      for (std::string_view rest = line; !rest.empty();) {
        const auto end = std::min(rest.find(' '), rest.size());
        counts[std::string(rest.substr(0, end))] += word.count;
        tokens += word.count;
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
      // Every character that occurs twice is a piece if the size allows it.
      if (size >= 28 && word.word != " q") CHECK(line.find("[UNK]") == line.npos);
      if (size >= 28 && word.word != " q") CHECK(decoded(vocabulary, line) == word.word.substr(1));
    }
    for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
      CHECK(vocabulary.count(id) == counts[std::string(vocabulary.piece(id))]);
      counted += vocabulary.count(id);
    }
    CHECK(counted == tokens);
    if (size == 200) CHECK(vocabulary.find("lower"));
  }
}

TEST_CASE("words and pieces are those of the tokenizer of BERT", "[conformance]") {
  const auto list = awend::tests::conformance_file("wordpiece/bert-base-uncased-vocab.txt");
  if (!list) return;
  const Vocabulary vocabulary = import_word_pieces(awend::tests::read_conformance(*list), "v",
                                                   LetterCase::kLower, BertRules::kGoogle);
  const auto cases =
      awend::tests::read_json_lines(*awend::tests::conformance_file("wordpiece/bert.jsonl"));
  CHECK(cases.size() == 81);
  BertTokenizer tokenizer(vocabulary);
  for (const auto& one : cases) {
    const auto line = one["in"].get<std::string>();
    INFO(line);
    CHECK(words_of(LetterCase::kLower, line) == one["basic_lower"].get<Words>());
    CHECK(words_of(LetterCase::kKeep, line) == one["basic_cased"].get<Words>());
    const Ids& ids = tokenizer.encode(line);
    CHECK(ids == one["ids"].get<Ids>());
    Words pieces;
    for (const std::uint32_t id : ids) pieces.emplace_back(vocabulary.piece(id));
    CHECK(pieces == one["wordpiece_uncased"].get<Words>());
  }
}

}  // namespace
