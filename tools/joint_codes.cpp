#include "joint_codes.hpp"

#include "base/files.hpp"
#include "cli/progress.hpp"
#include "filter_options.hpp"
#include "learning.hpp"
#include "text/subword_nmt/learn.hpp"
#include "text/subword_nmt/vocabulary.hpp"
#include "vocabulary_making.hpp"

namespace awend::tools {
namespace {

// In the order of first occurrence, which breaks ties.
std::vector<text::OrderedCounts> count_texts(const cli::Options& options,
                                             const base::Report& report) {
  const auto files = input_files(options);
  cli::Progress progress(report, {.what = "counting", .unit = "lines", .inputs = files});
  std::vector<text::OrderedCounts> texts(files.size());
  std::uint64_t lines = 0, bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    base::LineReader reader(files[i], text_policy_of(options));
    for (std::string_view line; reader.next(line);) {
      text::count_tokens(line, texts[i]);
      progress.update({.done = ++lines, .bytes = bytes + reader.position_bytes()});
    }
    bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  return texts;
}

text::SubwordNmtCodes learn(const std::vector<text::OrderedCounts>& texts,
                            const cli::Options& options, const base::Report& report) {
  text::CountTable words;
  for (const text::OrderedCounts& counts : texts) {
    for (std::size_t i = 0; i < counts.size(); ++i) words.add(counts.text(i), counts.count(i));
  }
  text::WordList list(std::pmr::get_default_resource());
  list.add(std::move(words));
  auto settings = code_settings_of(options);
  Learning learning(report, "merges", settings.merges);
  settings.progress = [&](std::size_t merges) { learning(merges); };
  return text::learn_codes(list.words(), settings);
}

}  // namespace

std::string learned_jointly(const cli::Options& options, const base::Report& report) {
  const auto paths = options.each("write-vocabulary");
  const auto files = input_files(options);
  if (paths.size() != files.size()) {
    throw base::UsageError(
        base::concat("--joint needs one --write-vocabulary file per text: expected ", files.size(),
                     ", got ", paths.size()));
  }
  const auto texts = count_texts(options, report);
  const std::string codes = text::print_codes(learn(texts, options, report));
  text::SubwordNmtSettings settings;
  settings.separator = separator_of(options);
  const text::SubwordNmtModel model(text::parse_codes(codes, "codes"), settings);
  text::SubwordNmt encoder(model);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::OutputFile output(paths[i]);
    output.write(text::print_counts(text::count_pieces(texts[i], encoder)));
    output.commit();
  }
  return codes;
}

}  // namespace awend::tools
