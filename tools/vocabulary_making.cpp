#include "vocabulary_making.hpp"

#include "base/utf8.hpp"
#include "filter_options.hpp"
#include "learning.hpp"
#include "text/import.hpp"
#include "text/learn/learn.hpp"
#include "text/learn/vocabulary_report.hpp"
#include "word_counting.hpp"

namespace awend::tools {
namespace {

std::uint64_t min_frequency_of(const cli::Options& options) {
  return options.integer<std::uint64_t>("min-frequency", {.min = 1});
}

// Suggests the largest possible size, if --size accepts it.
std::string advice(std::size_t size, std::size_t min_size) {
  return size < min_size ? "it needs more text"
                         : base::concat("use --size ", size, " or more text");
}

// Counts in the order of first occurrence, on one thread, so that equal counts are sorted as in
// get-vocab.
text::OrderedCounts count_in_order(const cli::Options& options, const base::Report& report) {
  text::OrderedCounts counts;
  for_each_line(
      {options, report, 1},
      [&](unsigned, std::string_view line) { text::count_tokens(line, counts); }, [](unsigned) {});
  return counts;
}

/// Throws UsageError if the text cannot be a line of a vocabulary file.
void require_line(std::string_view option, std::string_view text) {
  if (text.find('\n') == text.npos && base::find_invalid_utf8(text) == text.npos) return;
  throw base::UsageError(base::concat("--", option, " must be one line of UTF-8"));
}

}  // namespace

std::string separator_of(const cli::Options& options) {
  auto separator = options.text("separator");
  require_line("separator", separator);
  if (separator.empty() || separator.find(' ') != separator.npos)
    throw base::UsageError("--separator must have characters, and no spaces");
  return separator;
}

std::string learned_vocabulary(const cli::Options& options, const base::Report& report) {
  Counting counting(options);
  text::LearnSettings settings;
  settings.type = options.choice<kLearnedTypes>("type");
  settings.form = {
      options.choice<text::kNormalizationWords>("normalize"),
      options.flag("lowercase") ? text::LetterCase::kLower : text::LetterCase::kKeep,
      options.choice<text::kControlWords>("control"),
  };
  settings.symbols = {options.list("control-symbols"), options.list("user-symbols")};
  text::check_symbols(settings.symbols, settings.form);
  const bool bert = settings.type == text::VocabularyType::kBert;
  const std::uint32_t min_size = bert ? text::kMinBertPieces : text::first_learned(settings) + 1;
  settings.size = options.integer<std::uint32_t>("size", {min_size, kMaxIds});
  settings.min_frequency = min_frequency_of(options);
  settings.threads = counting.settings.threads;
  settings.memory = counting.memory.get();
  counting.settings.form = settings.form;
  counting.settings.symbols = settings.symbols.user;
  if (bert) counting.settings.rule = text::WordRule::kBert;
  settings.bert_rules = counting.settings.bert_rules =
      options.choice<text::kBertRulesWords>("bert-rules");
  const text::WordList list = counting.count(options, report);
  Learning learning(report, "pieces", settings.size);
  const auto progress = [&](std::uint32_t pieces) { learning(pieces); };
  const text::Vocabulary vocabulary = bert ? text::learn_bert(list.words(), settings, progress)
                                           : text::learn(list.words(), settings, progress);
  if (vocabulary.size() < settings.size) {
    report.warning(base::concat("the text yields only ", vocabulary.size(), " of the ",
                                settings.size, " ids requested; ",
                                advice(vocabulary.size(), min_size)));
  }
  if (options.flag("report")) report.table(text::vocabulary_report(vocabulary, list.words()));
  return vocabulary.serialize();
}

text::SubwordNmtLearnSettings code_settings_of(const cli::Options& options) {
  text::SubwordNmtLearnSettings settings;
  settings.merges = options.integer<std::size_t>("size", {0, kMaxIds});
  settings.min_frequency = min_frequency_of(options);
  settings.total_symbols = options.flag("total-symbols");
  settings.bytes = options.flag("byte");
  return settings;
}

std::string learned_codes(const cli::Options& options, const base::Report& report) {
  Counting counting(options);
  counting.settings.rule = text::WordRule::kSpaces;
  auto settings = code_settings_of(options);
  settings.memory = counting.memory.get();
  text::WordList list(counting.memory.get());
  if (options.flag("dict-input")) {
    for (const std::string& file : input_files(options)) {
      base::LineReader reader(file, text_policy_of(options));
      std::string content;
      for (std::string_view line; reader.next(line);) content.append(line).append(1, '\n');
      list.add(text::read_dictionary(content, reader.name()));
      warn_of_input(report, reader);
    }
  } else {
    list = counting.count(options, report);
  }
  Learning learning(report, "merges", settings.merges);
  settings.progress = [&](std::size_t merges) { learning(merges); };
  const text::SubwordNmtCodes codes = text::learn_codes(list.words(), settings);
  if (codes.merges.size() < settings.merges && !settings.total_symbols) {
    report.warning(base::concat("the text yields only ", codes.merges.size(), " of the ",
                                settings.merges, " merges requested; ",
                                advice(codes.merges.size(), 0)));
  }
  return text::print_codes(codes);
}

std::string imported_codes(const cli::Options& options, const base::Report& report) {
  const std::string file = options.text("import-codes");
  text::ImportedCodes imported;
  imported.codes = base::read_file(file, base::kMaxModelBytes);
  imported.name = imported.pieces_name = file;
  imported.separator = separator_of(options);
  imported.glossaries = options.each("glossaries");
  for (const auto& glossary : imported.glossaries) require_line("glossaries", glossary);
  const auto threshold = options.integer<std::uint64_t>("vocabulary-threshold", {.min = 1});
  text::SubwordNmtSettings settings;
  settings.separator = imported.separator;
  settings.glossaries = imported.glossaries;
  const text::SubwordNmtModel model(text::parse_codes(imported.codes, file), settings);
  std::vector<text::PieceCount> counts;
  if (options.has("vocabulary")) {
    const std::string vocabulary = options.text("vocabulary");
    counts = text::parse_counts(base::read_file(vocabulary, base::kMaxModelBytes), vocabulary);
    imported.pieces_name = vocabulary;
  } else {
    text::SubwordNmt encoder(model);
    const auto pieces = text::count_pieces(count_in_order(options, report), encoder);
    for (const std::size_t i : pieces.by_count())
      counts.push_back({std::string(pieces.text(i)), pieces.count(i)});
  }
  for (text::PieceCount& piece : counts) {
    if (piece.count >= threshold) imported.pieces.push_back(std::move(piece));
  }
  const text::Vocabulary vocabulary = text::import_codes(imported);
  report.note(base::concat("the vocabulary has ", vocabulary.size(), " ids"));
  return vocabulary.serialize();
}

std::string counts_in_order(const cli::Options& options, const base::Report& report) {
  return text::print_counts(count_in_order(options, report));
}

}  // namespace awend::tools
