// Lines of markup with translations and alignments of their texts, for tests.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/markup/parser.hpp"
#include "text/markup/placer.hpp"

namespace awend::tests {

inline text::MarkupLine parsed(std::string_view line,
                               text::MarkupLanguage language = text::MarkupLanguage::kHtml,
                               text::ProtectionSettings::Placeholders placeholders =
                                   text::ProtectionSettings::Placeholders::kKeep,
                               std::vector<std::string> patterns = {}) {
  text::ProtectedSpans spans({.patterns = std::move(patterns), .placeholders = placeholders});
  return text::parse_markup(line, language, spans);
}

/// The texts to translate, separated by `|`.
inline std::string texts_of(const text::MarkupLine& line) {
  std::string texts;
  for (const auto& part : line.parts) {
    if (part.segment) texts += (texts.empty() ? "" : "|") + part.segment->text;
  }
  return texts;
}

inline std::string html_texts(std::string_view line) {
  return texts_of(parsed(line));
}

inline std::string xml_texts(std::string_view line) {
  return texts_of(parsed(line, text::MarkupLanguage::kXml));
}

/// Weights of source words, the end of the sentence last, for each word of a translation.
using Weights = std::vector<std::vector<double>>;

/// The line with a translation for each text.  Links are pairs of a source word and a word of the
/// translation, of the only text; none: words in proportion to their positions.
struct Translated {
  std::vector<std::string> texts;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links = {};
  Weights weights = {};
  text::MarkupLanguage language = text::MarkupLanguage::kHtml;
};

inline std::string translated(std::string_view line, const text::MarkupLine& markup,
                              const Translated& translation) {
  text::WordBreaker breaker;
  std::string out;
  std::size_t next = 0;
  for (const auto& part : markup.parts) {
    if (!part.segment) {
      out += part.copied.of(line);
      continue;
    }
    const text::MarkupPlacer placer(line, *part.segment, translation.texts.at(next++), breaker);
    auto alignment = placer.diagonal();
    if (!translation.links.empty()) {
      alignment.sources.assign(placer.words().size(), std::nullopt);
      for (const auto& [source, target] : translation.links)
        alignment.sources.at(target) = {source, 1};
    }
    if (!translation.weights.empty()) {
      std::vector<double> values;
      for (const auto& row : translation.weights)
        values.insert(values.end(), row.begin(), row.end());
      alignment = placer.align({.targets = translation.weights.size(),
                                .sources = translation.weights.front().size() - 1,
                                .values = values});
    }
    out += placer.place(alignment, translation.language);
  }
  return out;
}

inline std::string translated(std::string_view line, const Translated& translation) {
  return translated(line, parsed(line, translation.language), translation);
}

/// The line with its own texts as translations.
inline std::string rewritten(std::string_view line,
                             text::MarkupLanguage language = text::MarkupLanguage::kHtml) {
  const auto markup = parsed(line, language);
  Translated same{.texts = {}, .language = language};
  for (const auto& part : markup.parts) {
    if (part.segment) same.texts.push_back(part.segment->text);
  }
  return translated(line, markup, same);
}

}  // namespace awend::tests
