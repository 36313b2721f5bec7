#include "text/languages.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/words.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {
namespace {

bool is_lower(char letter) {
  return letter >= 'a' && letter <= 'z';
}

bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}

bool all_are(std::string_view text, bool (*is)(char)) {
  return !text.empty() && std::ranges::all_of(text, is);
}

}  // namespace

std::optional<std::string_view> language_code_in(std::string_view token) {
  constexpr std::string_view kAround = "__";
  if (token.size() > 2 * kAround.size() && token.starts_with(kAround) && token.ends_with(kAround)) {
    const auto code = token.substr(kAround.size(), token.size() - 2 * kAround.size());
    return all_are(code, is_lower) ? std::optional(code) : std::nullopt;
  }
  const auto bar = token.find('_');
  if (bar == token.npos || !all_are(token.substr(0, bar), is_lower)) return std::nullopt;
  const auto rest = token.substr(bar + 1);
  const bool is_mbart = bar == 2 && rest.size() == 2 && all_are(rest, is_upper),
             is_nllb = bar == 3 && rest.size() == 4 && is_upper(rest.front()) &&
                       all_are(rest.substr(1), is_lower);
  return is_mbart || is_nllb ? std::optional(token) : std::nullopt;
}

std::optional<std::string_view> language_tag_in(std::string_view token) {
  constexpr std::string_view kBegin = "<2";
  if (token.size() <= kBegin.size() + 1 || !token.starts_with(kBegin) || !token.ends_with('>'))
    return std::nullopt;
  const auto code = token.substr(kBegin.size(), token.size() - kBegin.size() - 1);
  const bool is_code = all_are(code, [](char letter) {
    return is_lower(letter) || is_upper(letter) || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '-';
  });
  return is_code ? std::optional(code) : std::nullopt;
}

bool has_language_tags(const Vocabulary& vocabulary) {
  const auto& languages = vocabulary.content().languages;
  return !languages.empty() && language_tag_in(vocabulary.piece(languages.front().id));
}

std::uint32_t language_id(const Vocabulary& vocabulary, std::string_view name) {
  const auto& languages = vocabulary.content().languages;
  if (languages.empty()) base::fail("the vocabulary has no languages, got '", name, "'");
  std::vector<std::string_view> codes;
  for (const auto& [code, id] : languages) {
    if (code == name || vocabulary.piece(id) == name) return id;
    codes.push_back(code);
  }
  const auto meant = base::nearest(name, codes);
  base::fail("'", name, "' is not one of the ", codes.size(), " languages of the vocabulary",
             meant.empty() ? "" : base::concat(", did you mean '", meant, "'?"));
}

Vocabulary with_languages(const Vocabulary& vocabulary, std::span<const std::string> codes) {
  auto content = vocabulary.content();
  if (content.languages.empty()) base::fail("the vocabulary has no languages");
  const auto& [first_code, first_id] = content.languages.front();
  const std::string_view first = vocabulary.piece(first_id);
  const bool has_tags = has_language_tags(vocabulary);
  const bool is_marked = first != first_code;
  for (const auto& code : codes) {
    const auto token = has_tags    ? base::concat("<2", code, ">")
                       : is_marked ? base::concat("__", code, "__")
                                   : code;
    const auto found = has_tags ? language_tag_in(token) : language_code_in(token);
    if (found != code || (!is_marked && token.size() != first.size()))
      base::fail("'", code, "' is not the code of a language such as '", first_code, "'");
    for (const auto& piece : content.pieces) {
      if (piece.text == token) base::fail("the vocabulary has '", token, "' already");
    }
    content.languages.push_back({code, static_cast<std::uint32_t>(content.pieces.size())});
    content.pieces.push_back({token, 0});
  }
  return Vocabulary(std::move(content));
}

}  // namespace awend::text
