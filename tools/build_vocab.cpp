// build-vocab: raw text in, one vocabulary out.
#include <deque>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "text/learn.hpp"

namespace awend::tools {
namespace {

using base::Option;

constexpr Option kOptions[] = {
    {.help = "Vocabulary"},
    {"size", 's', "N", "37000", "number of all ids: special ones, bytes, characters and pieces"},
    {"type", 't', "TYPE", "bpe", "how pieces are found: bpe or wordpiece"},
    {"normalize", 0, "FORM", "nfc", "Unicode form of the text: nfc, nfkc or none"},
    {"min-frequency", 0, "N", "2", "how often a character or a pair must stand in the text"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "where the vocabulary goes"},
    kReplaceInvalidOption,
    kThreadsOption,
};

constexpr std::string_view kUsage[] = {"[option...] [FILE...]"};

constexpr base::ToolDescription kTool = {
    .name = "build-vocab",
    .purpose = "Learn one vocabulary from all the text in FILEs, or from stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "A FILE of '-' is stdin.",
};

// Counts the words of one file after the other.
class Counting {
 public:
  Counting(const base::Report& report, text::Normalization normalization, unsigned threads)
      : progress_(report, {"counting", "lines"}) {
    for (unsigned i = 0; i < threads; ++i) counters_.emplace_back(normalization);
  }

  void add(base::LineReader& reader) {
    using Lines = std::vector<std::string>;
    const auto produce = [&]() -> std::optional<Lines> {
      Lines lines;
      for (std::string_view line; lines.size() < kLinesAChunk && reader.next(line);)
        lines.emplace_back(line);
      return lines.empty() ? std::nullopt : std::optional(std::move(lines));
    };
    const auto transform = [&](unsigned worker, const Lines& lines) {
      for (const std::string& line : lines) counters_[worker].add(line);
      return lines.size();
    };
    const auto consume = [&](std::size_t lines) { progress_.update(lines_ += lines); };
    base::ordered_map<Lines, std::size_t>(static_cast<unsigned>(counters_.size()),
                                          {produce, transform, consume});
  }

  std::vector<text::WordCount> words() {
    for (std::size_t i = 1; i < counters_.size(); ++i) counters_[0].add_all(counters_[i]);
    return counters_[0].sorted();
  }

 private:
  static constexpr std::size_t kLinesAChunk = 1000;

  base::Progress progress_;
  std::deque<text::WordCounter> counters_;  // one a thread
  std::uint64_t lines_ = 0;
};

std::vector<text::WordCount> count_words(const base::Options& options, const base::Report& report,
                                         text::Normalization normalization) {
  Counting counting(report, normalization, threads_of(options));
  for (const std::string& file : input_files(options)) {
    base::LineReader reader(file, invalid_utf8_of(options));
    counting.add(reader);
    warn_of_replacements(report, reader);
  }
  return counting.words();
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  text::LearnSettings settings;
  settings.type = text::vocabulary_type(options.text("type"));
  settings.normalization = text::normalization(options.text("normalize"));
  settings.size = static_cast<std::uint32_t>(
      options.integer("size", {text::Vocabulary::kFirstCharacter + 1, 100'000'000}));
  settings.min_frequency = static_cast<std::uint64_t>(options.integer("min-frequency", {.min = 1}));
  base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  const auto words = count_words(options, report, settings.normalization);
  report.note(base::concat("the text has ", words.size(), " different words"));
  base::Progress progress(report, {"learning", "pieces", settings.size});
  const text::Vocabulary vocabulary = text::learn(words, settings, [&](std::uint32_t pieces) {
    if (base::stop_signal() != 0) throw base::Interrupted();
    progress.update(pieces);
  });
  if (vocabulary.size() < settings.size) {
    report.warning(base::concat("the text gives only ", vocabulary.size(), " of the ",
                                settings.size, " ids that were asked for"));
  }
  output.write(vocabulary.serialize());
  output.commit();
}

}  // namespace awend::tools
