// build-vocab: raw text in, one vocabulary out.
#include "base/line_chunks.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "base/size.hpp"
#include "base/spill.hpp"
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
    {"lowercase", 0, "", "", "bring all text into lower case"},
    {"control", 0, "WHAT", "keep", "control characters: keep or remove"},
    {"min-frequency", 0, "N", "2", "how often a character or a pair must stand in the text"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "where the vocabulary goes"},
    kReplaceInvalidOption,
    kThreadsOption,
    {"memory", 0, "SIZE", "50%", "go on in temporary files past this: 4G, 500M or a share"},
    {"temporary-directory", 'T', "DIR", "", "where those are; else $TMPDIR, else /tmp"},
};

constexpr std::string_view kUsage[] = {"[option...] [FILE...]"};

constexpr base::ToolDescription kTool = {
    .name = "build-vocab",
    .purpose = "Learn one vocabulary from all the text in FILEs, or from stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "A FILE of '-' is stdin.",
};

text::TextForm text_form_of(const base::Options& options) {
  return {
      text::normalization(options.text("normalize")),
      options.flag("lowercase") ? text::LetterCase::kLower : text::LetterCase::kKeep,
      text::control_characters(options.text("control")),
  };
}

std::size_t memory_of(const base::Options& options) {
  return base::parse_size(options.text("memory"), base::machine_memory_bytes());
}

std::string temporary_folder_of(const base::Options& options) {
  return options.has("temporary-directory") ? options.text("temporary-directory")
                                            : base::temporary_folder();
}

// Counts the words of one file after the other.
class Counting {
 public:
  Counting(const base::Report& report, const text::CountSettings& settings)
      : progress_(report, {"counting", "lines"}), settings_(settings), counter_(settings) {}

  void add(base::LineReader& reader) {
    base::LineChunkReader chunks(reader);
    const auto transform = [&](unsigned worker, const base::LineChunk& chunk) {
      for (std::size_t i = 0; i < chunk.size(); ++i) counter_.add(worker, chunk.line(i));
      counter_.spill_if_large(worker);
      return chunk.size();
    };
    const auto consume = [&](std::size_t lines) { progress_.update(lines_ += lines); };
    base::ordered_map<base::LineChunk, std::size_t>(
        settings_.threads, {[&] { return chunks.next(); }, transform, consume});
  }

  text::WordList words(std::pmr::memory_resource& memory) { return counter_.finish(&memory); }

 private:
  base::Progress progress_;
  const text::CountSettings& settings_;
  text::WordCounter counter_;
  std::uint64_t lines_ = 0;
};

text::WordList count_words(const base::Options& options, const base::Report& report,
                           const text::CountSettings& settings, std::pmr::memory_resource& memory) {
  Counting counting(report, settings);
  for (const std::string& file : input_files(options)) {
    base::LineReader reader(file, invalid_utf8_of(options));
    counting.add(reader);
    warn_of_input(report, reader);
  }
  return counting.words(memory);
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  text::CountSettings counting;
  counting.form = text_form_of(options);
  counting.threads = threads_of(options);
  counting.memory_bytes = memory_of(options);
  counting.folder = temporary_folder_of(options);
  base::SpillResource memory(counting.memory_bytes, counting.folder);
  text::LearnSettings settings;
  settings.type = text::vocabulary_type(options.text("type"));
  settings.form = counting.form;
  settings.size = static_cast<std::uint32_t>(
      options.integer("size", {text::Vocabulary::kFirstCharacter + 1, 100'000'000}));
  settings.min_frequency = static_cast<std::uint64_t>(options.integer("min-frequency", {.min = 1}));
  settings.threads = counting.threads;
  settings.memory = &memory;
  base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  const text::WordList list = count_words(options, report, counting, memory);
  const auto words = list.words();
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
