#include "decode/alignment.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"

namespace awend::decode {
namespace {

std::string soft_text(const Alignment& alignment) {
  std::string text;
  for (std::uint32_t row = 0; row + 1 < alignment.target; ++row) {
    if (row > 0) text += ' ';
    for (std::uint32_t column = 0; column < alignment.source; ++column)
      text += (column > 0 ? "," : "") + base::significant(alignment.at(row, column), 3);
  }
  return text;
}

void add_link(std::uint32_t source, std::uint32_t target, std::string& text) {
  text += base::concat(text.empty() ? "" : " ", source, '-', target);
}

}  // namespace

AlignmentSettings parse_alignment(std::string_view text) {
  for (const auto& word : AlignmentSettings::kFormWords) {
    if (text == word.text) return {.form = word.value};
  }
  const double threshold = base::find_number<double>(text).value_or(0);
  if (!(threshold > 0 && threshold <= 1))
    base::fail("must be hard, soft or a number in (0, 1], got '", text, "'");
  return {.form = AlignmentSettings::Form::kThreshold, .threshold = threshold};
}

Alignment align(const Attentions& attentions, const AlignmentSettings& settings) {
  const auto layers = attentions.cross.layers;
  const std::uint32_t guided = attentions.guided_layer;
  const bool is_guided = !settings.layer && guided != 0;
  const std::uint32_t layer =
      is_guided ? guided : settings.layer.value_or(std::max(layers, 2u) - 1);
  if (layer < 1 || layer > layers)
    base::fail("alignment layer ", layer, " does not exist; the decoder has ", layers, " layers");
  const store::AttentionMaps& maps = attentions.cross;
  const std::uint32_t heads = is_guided ? 1 : maps.heads;
  Alignment alignment{maps.rows, maps.columns, {}};
  for (std::uint32_t row = 0; row < maps.rows; ++row) {
    for (std::uint32_t column = 0; column < maps.columns; ++column) {
      double sum = 0;
      for (std::uint32_t head = 0; head < heads; ++head)
        sum += maps.row(layer - 1, head, row)[column];
      alignment.weights.push_back(sum / heads);
    }
  }
  return alignment;
}

Alignment without_first(const Alignment& alignment, std::uint32_t targets, std::uint32_t sources) {
  Alignment rest{alignment.target - targets, alignment.source - sources, {}};
  for (std::uint32_t row = targets; row < alignment.target; ++row) {
    for (std::uint32_t column = sources; column < alignment.source; ++column)
      rest.weights.push_back(alignment.at(row, column));
  }
  return rest;
}

Alignment by_words(const Alignment& alignment, std::span<const std::uint32_t> source_words,
                   std::span<const std::uint32_t> target_words) {
  const auto count = [](std::span<const std::uint32_t> words) {
    return words.empty() ? 0 : words.back() + 1;
  };
  // The end of a sentence is a separate word.
  const std::uint32_t sources = count(source_words), targets = count(target_words);
  const auto source_of = [&](std::uint32_t column) {
    return column < source_words.size() ? source_words[column] : sources;
  };
  const auto target_of = [&](std::uint32_t row) {
    return row < target_words.size() ? target_words[row] : targets;
  };
  std::vector<std::uint32_t> pieces(targets + 1);
  for (std::uint32_t row = 0; row < alignment.target; ++row) ++pieces[target_of(row)];
  Alignment words{targets + 1, sources + 1, {}};
  words.weights.resize(std::size_t{words.target} * words.source);
  for (std::uint32_t row = 0; row < alignment.target; ++row) {
    for (std::uint32_t column = 0; column < alignment.source; ++column) {
      words.weights[std::size_t{target_of(row)} * words.source + source_of(column)] +=
          alignment.at(row, column) / pieces[target_of(row)];
    }
  }
  return words;
}

std::vector<std::optional<std::uint32_t>> best_sources(const Alignment& alignment) {
  std::vector<std::optional<std::uint32_t>> best;
  for (std::uint32_t row = 0; row + 1 < alignment.target; ++row) {
    std::uint32_t column = 0;
    for (std::uint32_t other = 1; other < alignment.source; ++other) {
      if (alignment.at(row, other) > alignment.at(row, column)) column = other;
    }
    best.push_back(column + 1 < alignment.source ? std::optional(column) : std::nullopt);
  }
  return best;
}

std::string to_text(const Alignment& alignment, const AlignmentSettings& settings) {
  using Form = AlignmentSettings::Form;
  if (settings.form == Form::kSoft) return soft_text(alignment);
  std::string text;
  if (settings.form == Form::kHard) {
    const auto best = best_sources(alignment);
    for (std::uint32_t row = 0; row < best.size(); ++row) {
      if (best[row]) add_link(*best[row], row, text);
    }
    return text;
  }
  for (std::uint32_t row = 0; row + 1 < alignment.target; ++row) {
    for (std::uint32_t column = 0; column + 1 < alignment.source; ++column) {
      if (alignment.at(row, column) >= settings.threshold) add_link(column, row, text);
    }
  }
  return text;
}

}  // namespace awend::decode
