// Reading and writing the vocabulary's file, line by line:
//
//   awend-vocabulary 2
//   type bpe
//   normalize nfc
//   case keep
//   control keep
//   unknown 0
//   end-of-sentence 1
//   rules hugging-face       only in version 4, which those of type bert with these rules have
//   control-symbols 1        only in version 3, which those with symbols have
//   user-symbols 2
//   pieces 37000
//   PIECE<tab>COUNT          37000 times
//   ...                      what the type needs: merges, codes, a model
//   languages 202            only in version 5, which those with languages have
//   CODE<tab>ID              202 times
//   end
//
// Every section begins with its size, so that a truncated file is detected.
#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "base/utf8.hpp"
#include "text/base64.hpp"
#include "text/import.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/subword_nmt/encoder.hpp"
#include "text/symbol_splitter.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kMagic = "awend-vocabulary";
constexpr std::string_view kVersion = "2", kVersionWithSymbols = "3", kVersionWithRules = "4",
                           kVersionWithLanguages = "5";
constexpr std::size_t kBase64LineBytes = 57;  // 76 characters

class Parser {
 public:
  Parser(std::string_view content, const std::string& name) : rest_(content), name_(name) {}

  VocabularyContent parse() {
    const std::string_view version = setting(kMagic);
    if (version != kVersion && version != kVersionWithSymbols && version != kVersionWithRules &&
        version != kVersionWithLanguages) {
      fail("version '", version, "' of the format is unknown, expected ", kVersion, ", ",
           kVersionWithSymbols, ", ", kVersionWithRules, " or ", kVersionWithLanguages);
    }
    VocabularyContent content;
    content.type = read_word<kVocabularyTypeWords>("type");
    content.form = read_form();
    content.unknown = read_id("unknown");
    content.end_of_sentence = read_id("end-of-sentence");
    if (version == kVersionWithRules) {
      content.bert_rules = read_word<kBertRulesWords>("rules");
      if (content.type != VocabularyType::kBert)
        fail("type ", name_of(content.type), " has no rules");
    }
    if (version == kVersionWithSymbols) {
      content.control_symbols = read_id("control-symbols");
      content.user_symbols = read_id("user-symbols");
    }
    const std::size_t pieces = number(setting("pieces"));
    for (std::size_t i = 0; i < pieces; ++i) content.pieces.push_back(read_piece());
    check_special(content);
    check_symbols_of(content);
    read_details(content);
    if (version == kVersionWithLanguages) read_languages(content);
    if (next() != "end") fail("expected 'end'");
    if (!rest_.empty()) {
      ++line_;
      fail("nothing may follow 'end'");
    }
    return content;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... what) const {
    base::fail(name_, ":", line_, ": ", what...);
  }

  std::string_view next() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos)
      fail(line_ == 1 ? "not a vocabulary" : "the vocabulary is truncated");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    const std::size_t invalid = base::find_invalid_utf8(line);
    if (invalid != std::string_view::npos) fail("invalid UTF-8 at byte ", invalid + 1);
    return line;
  }

  // The value in a line `name value`.
  std::string_view setting(std::string_view name) {
    const std::string_view line = next();
    if (!line.starts_with(name) || line.substr(name.size(), 1) != " ") {
      if (line_ == 1) fail("not a vocabulary: expected '", name, "'");
      fail("expected '", name, " ...'");
    }
    return line.substr(name.size() + 1);
  }

  std::uint64_t number(std::string_view text) const {
    const auto value = base::find_number<std::uint64_t>(text);
    if (!value) fail("'", text, "' is not a number");
    return *value;
  }

  std::uint32_t read_id(std::string_view name) {
    const std::uint64_t value = number(setting(name));
    if (value > 0xFFFFFFFF) fail("'", value, "' is not an id");
    return static_cast<std::uint32_t>(value);
  }

  /// The value of a setting that is one of `words`.
  template <const auto& words>
  decltype(words[0].value) read_word(std::string_view name) {
    const auto text = setting(name);
    try {
      return base::value_of<words>(text);
    } catch (const base::Error& error) {
      fail(name, " ", error.what());
    }
  }

  TextForm read_form() {
    TextForm form;
    form.normalization = read_word<kNormalizationWords>("normalize");
    form.letter_case = read_word<kLetterCaseWords>("case");
    form.control = read_word<kControlWords>("control");
    return form;
  }

  Piece read_piece() {
    const std::string_view line = next();
    const std::size_t tab = line.rfind('\t');
    if (tab == std::string_view::npos) fail("expected a piece, a tab and its count");
    const std::string_view piece = line.substr(0, tab);
    if (piece.empty() || piece.find(' ') != std::string_view::npos)
      fail("a piece is empty or has a space");
    if (!ids_.emplace(piece, ids_.size()).second) fail("the piece '", piece, "' is duplicated");
    return {std::string(piece), number(line.substr(tab + 1))};
  }

  void check_special(const VocabularyContent& content) const {
    for (const std::uint32_t id : {content.unknown, content.end_of_sentence.value()}) {
      if (id >= content.pieces.size()) base::fail(name_, ": there is no piece ", id);
    }
    if (!is_reversible(content.type)) return;
    const std::vector<Piece> special = special_pieces();
    for (std::size_t i = 0; i < special.size(); ++i) {
      if (i < content.pieces.size() && content.pieces[i].text == special[i].text) continue;
      base::fail(name_, ": piece ", i, " must be '", special[i].text, "'");
    }
    if (content.unknown != Vocabulary::kUnknown ||
        content.end_of_sentence != Vocabulary::kEndOfSentence) {
      base::fail(name_, ": of type ", name_of(content.type), " unknown must be ",
                 Vocabulary::kUnknown, " and end-of-sentence ", Vocabulary::kEndOfSentence);
    }
  }

  void check_symbols_of(const VocabularyContent& content) const {
    const std::uint64_t count = std::uint64_t{content.control_symbols} + content.user_symbols;
    if (count == 0) return;
    if (!is_reversible(content.type))
      base::fail(name_, ": type ", name_of(content.type), " has no symbols");
    if (count > content.pieces.size() - Vocabulary::kFirstCharacter)
      base::fail(name_, ": there are fewer pieces than symbols");
    SymbolLists symbols;
    for (std::uint32_t i = 0; i < count; ++i) {
      auto& list = i < content.control_symbols ? symbols.control : symbols.user;
      list.push_back(content.pieces[Vocabulary::kFirstCharacter + i].text);
    }
    try {
      check_symbols(symbols, content.form);
    } catch (const base::UsageError& error) {
      base::fail(name_, ": ", error.what());
    }
  }

  void read_details(VocabularyContent& content) {
    switch (content.type) {
      case VocabularyType::kBpe: {
        const std::size_t merges = number(setting("merges"));
        const std::uint32_t first =
            Vocabulary::kFirstCharacter + content.control_symbols + content.user_symbols;
        for (std::size_t i = 0; i < merges; ++i) {
          const Merge merge = read_merge();
          if (std::min({merge.left, merge.right, merge.result}) < first)
            fail("a merge of pieces that do not occur in text");
          content.merges.push_back(merge);
        }
        return;
      }
      case VocabularyType::kWordPiece:
      case VocabularyType::kBert:
        return;
      case VocabularyType::kSubwordNmt:
        return read_codes(content);
      case VocabularyType::kSentencePiece:
        return read_model(content);
      case VocabularyType::kTokens:
        read_model_bytes(content);
        // Throws if it is not a model.  Its pieces may have other ids, or none.
        if (!content.model.empty()) SentencePieceModel(content.model, name_);
        return;
    }
  }

  std::uint32_t id(std::string_view piece) const {
    const auto found = ids_.find(piece);
    if (found == ids_.end()) fail("'", piece, "' is not among the pieces");
    return found->second;
  }

  Merge read_merge() {
    const std::string_view line = next();
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) fail("expected two pieces and a space between them");
    const std::string_view left = line.substr(0, space), right = line.substr(space + 1);
    return {id(left), id(right), id(base::concat(left, right))};
  }

  void read_codes(VocabularyContent& content) {
    content.separator = setting("separator");
    const std::size_t glossaries = number(setting("glossaries"));
    for (std::size_t i = 0; i < glossaries; ++i) content.glossaries.emplace_back(next());
    const std::size_t lines = number(setting("codes"));
    for (std::size_t i = 0; i < lines; ++i) content.codes.append(next()) += '\n';
    try {
      subword_nmt_model(content);
    } catch (const base::UsageError& error) {
      base::fail(name_, ": ", error.what());
    } catch (const base::Error& error) {
      base::fail(name_, ": ", error.what());
    }
  }

  void read_model_bytes(VocabularyContent& content) {
    const std::size_t size_bytes = number(setting("model"));
    while (content.model.size() < size_bytes) {
      if (!append_base64(next(), content.model)) fail("not base64");
    }
    if (content.model.size() != size_bytes) fail("the model has more bytes than it should");
  }

  // Earlier files have U+FFFD for a line feed in a piece, instead of U+240A.
  static bool is_same(std::string piece, std::string_view text) {
    if (piece == text) return true;
    for (std::size_t at = 0; (at = piece.find("\u240A", at)) != piece.npos;)
      piece.replace(at, 3, "\uFFFD");
    return piece == text;
  }

  void read_model(VocabularyContent& content) {
    read_model_bytes(content);
    const SentencePieceModel model(content.model, name_);
    bool agree = model.size() == content.pieces.size() && model.unknown() == content.unknown;
    for (std::uint32_t id = 0; agree && id < model.size(); ++id)
      agree = is_same(model.piece(id), content.pieces[id].text);
    if (!agree) base::fail(name_, ": the model has other pieces than the vocabulary");
  }

  void read_languages(VocabularyContent& content) {
    if (content.type != VocabularyType::kTokens)
      fail("type ", name_of(content.type), " has no languages");
    const std::size_t count = number(setting("languages"));
    std::set<std::string_view> codes;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view line = next();
      const std::size_t tab = line.find('\t');
      const auto code = line.substr(0, tab);
      if (tab == line.npos || code.empty() || code.find(' ') != code.npos)
        fail("expected the code of a language, a tab and an id");
      if (!codes.insert(code).second) fail("the language '", code, "' is duplicated");
      const auto id = number(line.substr(tab + 1));
      if (id >= content.pieces.size()) fail("there is no piece ", id);
      if (i > 0 && id <= content.languages.back().id) fail("the ids of languages must ascend");
      content.languages.push_back({std::string(code), static_cast<std::uint32_t>(id)});
    }
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // views into the file's text
};

std::string printed_details(const Vocabulary& vocabulary) {
  const VocabularyContent& content = vocabulary.content();
  std::string out;
  if (content.type == VocabularyType::kBpe) {
    out += base::concat("merges ", content.merges.size(), "\n");
    for (const Merge& merge : content.merges)
      out += base::concat(vocabulary.piece(merge.left), " ", vocabulary.piece(merge.right), "\n");
  }
  if (content.type == VocabularyType::kSubwordNmt) {
    out += base::concat("separator ", content.separator, "\nglossaries ", content.glossaries.size(),
                        "\n");
    for (const std::string& glossary : content.glossaries) out += glossary + '\n';
    const auto lines = std::count(content.codes.begin(), content.codes.end(), '\n');
    out += base::concat("codes ", lines, "\n", content.codes);
  }
  if (content.type == VocabularyType::kSentencePiece || content.type == VocabularyType::kTokens) {
    out += base::concat("model ", content.model.size(), "\n");
    for (std::size_t i = 0; i < content.model.size(); i += kBase64LineBytes)
      out += base64(std::string_view(content.model).substr(i, kBase64LineBytes)) + '\n';
  }
  if (content.languages.empty()) return out;
  out += base::concat("languages ", content.languages.size(), "\n");
  for (const auto& [code, id] : content.languages) out += base::concat(code, "\t", id, "\n");
  return out;
}

}  // namespace

Vocabulary Vocabulary::parse(std::string_view content, const std::string& name) {
  return Vocabulary(Parser(content, name).parse());
}

Vocabulary Vocabulary::read(const std::string& path) {
  const std::string content = base::read_file(path, base::kMaxModelBytes);
  const std::string name = base::input_name(path);
  if (SentencePieceModel::looks_like_model(content)) return import_model(content, name);
  return parse(content, name);
}

std::string Vocabulary::serialize() const {
  const bool symbols = content_.control_symbols + content_.user_symbols > 0;
  const bool rules = content_.bert_rules != BertRules::kGoogle;
  const std::string_view version = !content_.languages.empty() ? kVersionWithLanguages
                                   : symbols                   ? kVersionWithSymbols
                                   : rules                     ? kVersionWithRules
                                                               : kVersion;
  std::string out =
      base::concat(kMagic, " ", version, "\ntype ", name_of(content_.type), "\nnormalize ",
                   name_of(content_.form.normalization), "\ncase ",
                   name_of(content_.form.letter_case), "\ncontrol ", name_of(content_.form.control),
                   "\nunknown ", unknown(), "\nend-of-sentence ", end_of_sentence(), "\n");
  if (rules) out += base::concat("rules ", name_of(content_.bert_rules), "\n");
  if (symbols) {
    out += base::concat("control-symbols ", content_.control_symbols, "\nuser-symbols ",
                        content_.user_symbols, "\n");
  }
  out += base::concat("pieces ", size(), "\n");
  for (const Piece& piece : content_.pieces)
    out += base::concat(piece.text, "\t", piece.count, "\n");
  return out + printed_details(*this) + "end\n";
}

}  // namespace awend::text
