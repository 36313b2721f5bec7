#include "interchange/token_list.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/utf8.hpp"
#include "store/json_text.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::interchange {
namespace {

/// Calls visit(line) for each line; the last may lack its line feed.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line);
  }
}

/// Places tokens by their ids.
class TokenTable {
 public:
  /// Ids are below the number of lines or members, so that a small file has a small table.
  explicit TokenTable(std::size_t max_tokens) : max_tokens_(max_tokens) {}

  void add(std::string token, std::uint64_t id) {
    if (id >= max_tokens_)
      base::fail("token '", token, "' has id ", id, " of ", max_tokens_, " tokens");
    if (id >= tokens_.size()) tokens_.resize(id + 1);
    if (tokens_[id]) base::fail("id ", id, " is duplicated");
    tokens_[id] = std::move(token);
  }
  std::vector<std::string> tokens() const {
    std::vector<std::string> tokens;
    for (const auto& token : tokens_) tokens.push_back(token.value_or(""));
    return tokens;
  }

 private:
  std::size_t max_tokens_;
  std::vector<std::optional<std::string>> tokens_;
};

/// The number of hexadecimal digits after \x, \u and \U; 0 for other letters.
std::size_t digits_of(char letter) {
  return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

char32_t hexadecimal(std::string_view digits) {
  char32_t value = 0;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const auto byte = base::find_hexadecimal_byte(digits.substr(i, 2));
    if (!byte) base::fail("'", digits, "' is not a hexadecimal number");
    value = value << 8 | *byte;
  }
  return value;
}

void append_escaped(std::string_view& rest, std::string& out) {
  constexpr std::string_view kLetters = "0abtnvfre";
  constexpr std::string_view kValues("\0\a\b\t\n\v\f\r\x1b", 9);
  const char letter = rest.front();
  rest.remove_prefix(1);
  if (const auto size = digits_of(letter); size > 0 && size <= rest.size()) {
    base::append_code_point(out, hexadecimal(rest.substr(0, size)));
    rest.remove_prefix(size);
    return;
  }
  const auto place = kLetters.find(letter);
  out += place == kLetters.npos ? letter : kValues[place];
}

/// A key of YAML without its quotes.
std::string plain(std::string_view key) {
  if (key.size() < 2 || key.front() != key.back()) return std::string(key);
  std::string out;
  auto rest = key.substr(1, key.size() - 2);
  if (key.front() == '"') {
    while (!rest.empty()) {
      const char next = rest.front();
      rest.remove_prefix(1);
      if (next == '\\' && !rest.empty()) {
        append_escaped(rest, out);
      } else {
        out += next;
      }
    }
    return out;
  }
  if (key.front() != '\'') return std::string(key);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    out += rest[i];
    if (rest.substr(i, 2) == "''") ++i;
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

std::string splitter_in(ModelFiles& files, std::span<const std::string> names) {
  const auto name = std::ranges::find_if(names, [&](const auto& each) { return files.has(each); });
  if (name == names.end()) return {};
  const auto bytes = files.text(*name);
  text::SentencePieceModel(bytes, files.path_of(*name));  // throws if it is damaged
  return std::string(bytes);
}

namespace {

/// The languages with codes by `code_in` in tokens.
std::vector<text::Language> languages_by(
    std::optional<std::string_view> (*code_in)(std::string_view token), const TokenList& list) {
  std::vector<text::Language> languages;
  for (std::uint32_t id = 0; id < list.tokens.size(); ++id) {
    if (const auto code = code_in(list.tokens[id])) languages.push_back({std::string(*code), id});
  }
  return languages;
}

}  // namespace

void find_language_tags(TokenList& list) {
  list.languages = languages_by(text::language_tag_in, list);
}

void find_languages(TokenList& list) {
  list.languages = languages_by(text::language_code_in, list);
  // Otherwise they are words of a text, such as the names of files.
  const auto are_adjacent = [](const auto& a, const auto& b) { return a.id + 1 == b.id; };
  if (std::ranges::adjacent_find(list.languages, are_adjacent) == list.languages.end())
    list.languages.clear();
}

text::Vocabulary vocabulary_of(const TokenList& list) {
  text::VocabularyContent content;
  content.type = text::VocabularyType::kTokens;
  content.form.normalization = text::Normalization::kNone;
  content.model = list.splitter;
  content.languages = list.languages;
  std::unordered_set<std::string> seen;
  std::optional<std::uint32_t> unknown, end;
  for (const auto& token : list.tokens) {
    const auto id = static_cast<std::uint32_t>(content.pieces.size());
    const bool is_usable = !token.empty() && token.find_first_of(" \n\t\r") == token.npos &&
                           base::find_invalid_utf8(token) == std::string::npos &&
                           !seen.contains(token);
    std::string piece = is_usable ? token : base::concat("<id:", id, ">");
    while (!seen.insert(piece).second) piece += '\'';
    if (piece == list.unknown) unknown = id;
    if (piece == list.end) end = id;
    content.pieces.push_back({piece, 0});
  }
  for (const auto& [code, id] : list.languages) {
    if (content.pieces.at(id).text != list.tokens[id])
      base::fail("the token of language '", code, "' is duplicated");
  }
  if (!unknown) base::fail("the vocabulary has no token '", list.unknown, "' for unknown tokens");
  if (!end) base::fail("the vocabulary has no token '", list.end, "' for the end of sentences");
  content.unknown = *unknown;
  content.end_of_sentence = end;
  return text::Vocabulary(std::move(content));
}

std::vector<std::string> tokens_of_yaml(std::string_view text) {
  TokenTable table(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
  std::optional<std::string> key;  // of "? key", whose id is on the next line
  std::size_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    try {
      if (trimmed(line).empty() || line == "---" || line == "{}") return;
      if (line.starts_with("? ")) {
        key = plain(line.substr(2));
        return;
      }
      const auto colon = line.rfind(':');
      if (colon == line.npos) base::fail("expected a token, a colon and an id");
      const auto id = base::to_number<std::uint64_t>(trimmed(line.substr(colon + 1)), "an id");
      table.add(key ? *key : plain(line.substr(0, colon)), id);
      key.reset();
    } catch (const base::Error& error) {
      base::fail("line ", number, ": ", error.what());
    }
  });
  return table.tokens();
}

std::vector<std::string> tokens_of_json(std::string_view text) {
  const auto members = store::json_members(text);
  TokenTable table(members.size());
  for (const auto& [token, id] : members)
    table.add(token, base::to_number<std::uint64_t>(id, "an id"));
  return table.tokens();
}

std::vector<std::string> tokens_of_lines(std::string_view text, char separator) {
  std::vector<std::string> tokens;
  for_each_line(text, [&](std::string_view line) {
    if (separator != '\0') line = line.substr(0, line.rfind(separator));
    tokens.emplace_back(line);
  });
  return tokens;
}

}  // namespace awend::interchange
