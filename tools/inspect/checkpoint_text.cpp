// A checkpoint as text; see checkpoint_view.hpp.
#include <algorithm>

#include "base/format.hpp"
#include "base/utf8.hpp"
#include "inspect/checkpoint_view.hpp"
#include "inspect/layout.hpp"
#include "inspect/state_view.hpp"
#include "metrics/numbers.hpp"

namespace awend::tools {
namespace {

constexpr int kDigits = 3;
constexpr std::size_t kLongest = 8;

std::string millions(std::uint64_t number) {
  return base::concat(
      metrics::fixed(static_cast<double>(number) / 1e6, number < 10'000'000 ? 2 : 1), " million");
}

std::string lines_joined(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string summary(const CheckpointFacts& facts) {
  const auto& survey = facts.survey;
  std::string out = facts.path + "\n";
  out += fact("updates", facts.step.value_or("unknown"));
  if (facts.average) out += fact("mean of", lines_joined(*facts.average));
  out += fact("file",
              base::concat(amount_of_bytes(facts.bytes), ", ", grouped(facts.bytes), " bytes"));
  out += fact("parameters",
              base::concat(millions(survey.numbers), ", ", grouped(survey.numbers), " numbers of ",
                           base::join(survey.types, ", "), " in ", facts.arrays.size(), " arrays"));
  if (facts.scales) {
    out += fact("activations", base::concat("fixed scales of 8-bit products with ",
                                            facts.scales->entries().size(), " matrices"));
  }
  return out;
}

std::vector<std::string> statistics_cells(const Statistics& statistics) {
  if (statistics.finite == 0) return {"-", "-", "-"};
  return {base::significant(statistics.rms(), kDigits), base::significant(statistics.min, kDigits),
          base::significant(statistics.max, kDigits)};
}

void add_row(Columns& columns, std::vector<std::string> row, const Statistics& statistics) {
  const auto cells = statistics_cells(statistics);
  row.insert(row.end(), cells.begin(), cells.end());
  columns.add(std::move(row));
}

std::string parts_text(const Survey& survey) {
  Columns columns;
  columns.add({"", "arrays", "numbers", "share", "rms", "min", "max"});
  Statistics all;
  for (const auto& part : survey.parts) {
    add_row(columns,
            {std::string(part.name), grouped(part.arrays), grouped(part.numbers),
             base::percent(static_cast<double>(part.numbers), static_cast<double>(survey.numbers))},
            part.statistics);
    all += part.statistics;
  }
  add_row(columns,
          {"all", grouped(survey.arrays.size()), grouped(survey.numbers),
           survey.numbers > 0 ? "100.0 %" : "-"},
          all);
  return columns.text();
}

std::string arrays_text(const CheckpointFacts& facts) {
  Columns columns;
  columns.add({"", "type and shape", "rms", "min", "max"});
  for (std::size_t i = 0; i < facts.arrays.size(); ++i) {
    const auto& array = facts.arrays[i];
    add_row(columns, {array.name, store::describe(array.type, array.shape)},
            facts.survey.arrays[i]);
  }
  return columns.text();
}

/// Warnings.
std::string not_finite_text(const CheckpointFacts& facts) {
  std::string out;
  for (std::size_t i = 0; i < facts.arrays.size(); ++i) {
    const auto count = facts.survey.arrays[i].not_finite;
    if (count == 0) continue;
    out += base::concat("  NOT FINITE: ", grouped(count), " of ",
                        grouped(store::count_of(facts.arrays[i].shape)), " numbers of ",
                        facts.arrays[i].name, " are NaN or infinite\n");
  }
  return out;
}

std::string training_section(const CheckpointFacts& facts) {
  if (!facts.state)
    return heading("Training") + fact("state", "none beside it: a run cannot go on from here");
  return heading("Training") + fact("state", facts.state->path) + training_text(*facts.state);
}

/// The learned pieces, without special pieces and bytes.
std::vector<std::uint32_t> learnt_pieces(const text::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    const bool byte = is_reversible(vocabulary.type()) && text::Vocabulary::is_byte(id);
    if (!vocabulary.is_special(id) && !byte) ids.push_back(id);
  }
  return ids;
}

/// The pieces with the most characters.
std::string longest_pieces(const text::Vocabulary& vocabulary) {
  std::vector<std::string_view> pieces;
  for (const auto id : learnt_pieces(vocabulary)) pieces.push_back(vocabulary.piece(id));
  const auto count = std::min(kLongest, pieces.size());
  std::ranges::stable_sort(pieces, std::ranges::greater(), base::count_characters);
  pieces.resize(count);
  std::string text;
  for (const auto piece : pieces) text += base::concat(text.empty() ? "" : " ", piece);
  return text;
}

std::string special_pieces_text(const text::Vocabulary& vocabulary) {
  const auto special = [&](std::uint32_t id) {
    return base::concat(vocabulary.piece(id), " = ", id);
  };
  return base::concat(special(vocabulary.unknown()), ", ", special(vocabulary.end_of_sentence()));
}

std::string languages_text(const text::Vocabulary& vocabulary) {
  const auto& languages = vocabulary.content().languages;
  auto text = base::concat(languages.size(), ":");
  for (const auto& language : languages) text += " " + language.code;
  return text;
}

/// `model_size` is the number of ids that the model has.
std::string vocabulary_text(const text::Vocabulary& vocabulary, std::uint32_t model_size) {
  std::string out;
  const auto& form = vocabulary.form();
  std::uint64_t tokens = 0;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) tokens += vocabulary.count(id);
  const auto learnt = learnt_pieces(vocabulary);
  const auto unused =
      std::ranges::count_if(learnt, [&](auto id) { return vocabulary.count(id) == 0; });
  out += fact("type", text::name_of(vocabulary.type()));
  out += fact("pieces", base::concat(grouped(vocabulary.size()), "; of ", grouped(learnt.size()),
                                     " that are neither bytes nor special, ",
                                     grouped(static_cast<std::uint64_t>(unused)), " never used"));
  if (vocabulary.size() != model_size)
    out += fact("", base::concat("the model has ", grouped(model_size)));
  if (!vocabulary.merges().empty()) out += fact("merges", grouped(vocabulary.merges().size()));
  out += fact("learnt from", base::concat(grouped(tokens), " tokens"));
  out += fact("text", base::concat("normalize ", name_of(form.normalization), ", case ",
                                   name_of(form.letter_case), ", control characters ",
                                   name_of(form.control)));
  out += fact("special", special_pieces_text(vocabulary));
  out += fact("longest", longest_pieces(vocabulary));
  if (vocabulary.content().languages.empty()) return out;
  return out + fact("languages", languages_text(vocabulary));
}

}  // namespace

std::string text_of(const CheckpointFacts& facts, Detail detail) {
  std::string out = summary(facts);
  out += heading("Model") + pairs(model::to_settings(facts.config).entries());
  out += heading("Parameters") + parts_text(facts.survey) + not_finite_text(facts);
  if (detail == Detail::kArrays) out += heading("Arrays") + arrays_text(facts);
  out += training_section(facts);
  if (facts.recipe) out += heading("Recipe") + pairs(facts.recipe->entries());
  if (facts.search) out += heading("Defaults of translate") + pairs(facts.search->entries());
  if (facts.shortlist) out += heading("Lexical shortlist") + pairs(facts.shortlist->entries());
  out += heading("Vocabulary");
  if (!facts.vocabulary) return out + fact("none", "");
  out += vocabulary_text(*facts.vocabulary, facts.config.vocabulary);
  if (!facts.source_vocabulary) return out;
  return out + heading("Source vocabulary") +
         vocabulary_text(*facts.source_vocabulary, model::source_vocabulary_of(facts.config));
}

}  // namespace awend::tools
