// Reading and writing the vocabulary's file, line by line:
//
//   awend-vocabulary 2
//   type bpe
//   normalize nfc
//   case keep
//   control keep
//   pieces 37000
//   PIECE<tab>COUNT          37000 times
//   merges 36000
//   LEFT<space>RIGHT         36000 times
//   end
//
// Every section says its size first, so that a file that was cut short is noticed.
#include <charconv>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/utf8.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kMagic = "awend-vocabulary";
constexpr std::string_view kVersion = "2";

class Parser {
 public:
  Parser(std::string_view content, const std::string& name) : rest_(content), name_(name) {}

  VocabularyContent parse() {
    const std::string_view version = setting(kMagic);
    if (version != kVersion)
      fail("version '", version, "' of the format is unknown, expected ", kVersion);
    VocabularyContent content;
    content.type = one_of(setting("type"), {VocabularyType::kBpe, VocabularyType::kWordPiece});
    content.form = parse_form();
    const std::size_t pieces = number(setting("pieces"));
    for (std::size_t i = 0; i < pieces; ++i) content.pieces.push_back(read_piece());
    check_special(content.pieces);
    const std::size_t merges = number(setting("merges"));
    if (content.type == VocabularyType::kWordPiece && merges > 0)
      fail("word pieces have no merges");
    for (std::size_t i = 0; i < merges; ++i) content.merges.push_back(read_merge());
    if (next() != "end") fail("expected 'end'");
    if (!rest_.empty()) {
      ++line_;
      fail("nothing may follow 'end'");
    }
    return content;
  }

 private:
  TextForm parse_form() {
    TextForm form;
    form.normalization = one_of(setting("normalize"),
                                {Normalization::kNone, Normalization::kNfc, Normalization::kNfkc});
    form.letter_case = one_of(setting("case"), {LetterCase::kKeep, LetterCase::kLower});
    form.control =
        one_of(setting("control"), {ControlCharacters::kKeep, ControlCharacters::kRemove});
    return form;
  }

  template <class... Parts>
  [[noreturn]] void fail(const Parts&... what) const {
    base::fail(name_, ":", line_, ": ", what...);
  }

  std::string_view next() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos)
      fail(line_ == 1 ? "not a vocabulary" : "the vocabulary is cut short");
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
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail("'", text, "' is not a number");
    return value;
  }

  template <class Value>
  Value one_of(std::string_view name, std::initializer_list<Value> values) const {
    for (const Value value : values) {
      if (name_of(value) == name) return value;
    }
    fail("'", name, "' is unknown");
  }

  Piece read_piece() {
    const std::string_view line = next();
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) fail("expected a piece, a tab and its count");
    const std::string_view piece = line.substr(0, tab);
    if (piece.empty() || piece.find(' ') != std::string_view::npos)
      fail("a piece is empty or has a space");
    if (!ids_.emplace(piece, ids_.size()).second) fail("the piece '", piece, "' stands twice");
    return {std::string(piece), number(line.substr(tab + 1))};
  }

  void check_special(const std::vector<Piece>& pieces) const {
    const std::vector<Piece> special = special_pieces();
    for (std::size_t i = 0; i < special.size(); ++i) {
      if (i < pieces.size() && pieces[i].text == special[i].text) continue;
      base::fail(name_, ": piece ", i, " must be '", special[i].text, "'");
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

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // views into the file's text
};

}  // namespace

Vocabulary Vocabulary::parse(std::string_view content, const std::string& name) {
  return Vocabulary(Parser(content, name).parse());
}

Vocabulary Vocabulary::read(const std::string& path) {
  return parse(base::read_file(path), path == "-" ? "stdin" : path);
}

std::string Vocabulary::serialize() const {
  std::string out = base::concat(kMagic, " ", kVersion, "\ntype ", name_of(content_.type),
                                 "\nnormalize ", name_of(content_.form.normalization), "\ncase ",
                                 name_of(content_.form.letter_case), "\ncontrol ",
                                 name_of(content_.form.control), "\npieces ", size(), "\n");
  for (const Piece& piece : content_.pieces)
    out += base::concat(piece.text, "\t", piece.count, "\n");
  out += base::concat("merges ", content_.merges.size(), "\n");
  for (const Merge& merge : content_.merges) {
    out += base::concat(piece(merge.left), " ", piece(merge.right), "\n");
  }
  return out + "end\n";
}

}  // namespace awend::text
