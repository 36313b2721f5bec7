#include "decode/markup_lines.hpp"

#include "decode/alignment.hpp"
#include "text/markup/words.hpp"

namespace awend::decode {
MarkupLines::Line::Line(std::string whole, text::MarkupLine parts)
    : line(std::move(whole)), markup(std::move(parts)) {
  for (const auto& part : markup.parts) {
    if (part.segment) texts.push_back({part.segment->text, part.segment->needs_alignment()});
  }
  if (texts.empty()) texts.push_back({{}, false});
}

MarkupLines::MarkupLines(const MarkupSettings& settings, const text::Vocabularies& vocabularies)
    : settings_(settings), vocabularies_(vocabularies), spans_(settings.protection) {}

MarkupLines::Line MarkupLines::parse(std::string_view line) {
  return {std::string(line), text::parse_markup(line, settings_.language, spans_)};
}

std::optional<Translation> MarkupLines::add(Translation translation) {
  auto& line = lines_.front();
  line.translations.push_back(std::move(translation));
  if (line.translations.size() < line.texts.size()) return std::nullopt;
  auto all = complete(std::move(line));
  lines_.pop_front();
  return all;
}

Translation MarkupLines::complete(Line line) {
  Translation all{.hypothesis = {}, .tokens = {}, .text = std::string()};
  std::size_t next = 0;
  for (const auto& part : line.markup.parts) {
    *all.text +=
        part.segment ? place(line, *part.segment, next++) : std::string(part.copied.of(line.line));
  }
  for (const auto& translation : line.translations) {
    all.hypothesis.score += translation.hypothesis.score;
    all.hypothesis.log_probability += translation.hypothesis.log_probability;
  }
  return all;
}

std::string MarkupLines::place(const Line& line, const text::MarkupSegment& segment,
                               std::size_t number) {
  const auto& translation = line.translations[number];
  const text::MarkupPlacer placer(line.line, segment, *translation.text, breaker_);
  const auto &from = placer.source_words(), &to = placer.words();
  if (!translation.weights || from.empty() || to.empty())
    return placer.place(placer.diagonal(), settings_.language);
  const auto sources =
      text::words_of_tokens(vocabularies_.source, line.texts[number].tokens, segment.text, from);
  const auto targets =
      text::words_of_tokens(vocabularies_.target, translation.tokens, *translation.text, to);
  const auto words = by_words(*translation.weights, sources, targets);
  const auto alignment = placer.align(
      {.targets = words.target - 1, .sources = words.source - 1, .values = words.weights});
  return placer.place(alignment, settings_.language);
}

}  // namespace awend::decode
