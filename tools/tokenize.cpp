// tokenize: raw lines become token lines, or come back from them.
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/filter.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "store/array_file.hpp"
#include "text/tokenizer.hpp"

namespace awend::tools {
namespace {

using base::Line;
using base::Option;
using text::Ids;
using text::Vocabulary;

constexpr Option kOptions[] = {
    {.help = "Tokens"},
    {"model", 'm', "FILE", "", "a vocabulary, or a checkpoint that carries one"},
    {"decode", 'd', "", "", "turn token lines back into text"},
    {"ids", 0, "", "", "print ids instead of pieces; with --decode, read them"},
    {"words-only", 0, "", "",
     "print words as they are before they are cut into pieces; needs no --model"},
    {"bpe-dropout", 0, "P", "0", "leave out each merge with this probability"},
    {"seed", 0, "N", "1", "seed of --bpe-dropout"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "where the lines go"},
    kReplaceInvalidOption,
    {"unbuffered", 'u', "", "", "answer each line before the next is read"},
    kThreadsOption,
};

constexpr std::string_view kUsage[] = {"-m MODEL [option...] [FILE...]",
                                       "-m MODEL --decode [option...] [FILE...]",
                                       "--words-only [option...] [FILE...]"};

constexpr base::ToolDescription kTool = {
    .name = "tokenize",
    .purpose = "Turn lines of text into lines of tokens, or back.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "Without FILE, or where FILE is '-', lines come from stdin.",
};

std::string print_ids(const Ids& ids) {
  std::string out;
  for (const std::uint32_t id : ids) out += base::concat(out.empty() ? "" : " ", id);
  return out;
}

Ids read_ids(const Vocabulary& vocabulary, std::string_view line) {
  Ids ids;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (word.empty()) continue;
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size())
      base::fail("'", word, "' is not an id");
    if (id >= vocabulary.size()) {
      base::fail("the vocabulary has ", vocabulary.size(), " ids, none is ", id);
    }
    ids.push_back(id);
  }
  return ids;
}

class Encoder : public base::LineWorker {
 public:
  Encoder(const Vocabulary& vocabulary, const base::Options& options)
      : vocabulary_(vocabulary),
        tokenizer_(vocabulary),
        ids_(options.flag("ids")),
        dropout_(options.real("bpe-dropout", {0, 1})),
        seed_(static_cast<std::uint64_t>(options.integer("seed", {.min = 0}))) {}

  void answer(const Line& line, std::string& out) override {
    // The stream of chance belongs to the line, so that threads change nothing.
    if (dropout_ == 0 && !ids_) return tokenizer_.append_tokens(line.text, out);
    const Ids ids = dropout_ > 0
                        ? tokenizer_.encode(line.text, {dropout_, base::Random(seed_, line.number)})
                        : tokenizer_.encode(line.text);
    out += ids_ ? print_ids(ids) : text::join_pieces(vocabulary_, ids);
  }

 private:
  const Vocabulary& vocabulary_;
  text::Tokenizer tokenizer_;
  bool ids_;
  double dropout_;
  std::uint64_t seed_;
};

class Decoder : public base::LineWorker {
 public:
  Decoder(const Vocabulary& vocabulary, const base::Options& options)
      : vocabulary_(vocabulary), ids_(options.flag("ids")) {}

  void answer(const Line& line, std::string& out) override {
    out += text::decode(vocabulary_, ids_ ? read_ids(vocabulary_, line.text)
                                          : text::split_pieces(vocabulary_, line.text));
  }

 private:
  const Vocabulary& vocabulary_;
  bool ids_;
};

class WordPrinter : public base::LineWorker {
 public:
  explicit WordPrinter(const text::TextForm& form) : normalizer_(form) {}

  void answer(const Line& line, std::string& out) override {
    out += text::join_words(breaker_, normalizer_.apply(line.text));
  }

 private:
  text::WordBreaker breaker_;
  text::Normalizer normalizer_;
};

// A checkpoint is a safetensors file: after eight bytes of length its JSON begins.
bool is_checkpoint(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  char begin[9] = {};
  base::InputFile(path).read(begin, sizeof begin);
  return begin[8] == '{';
}

Vocabulary read_model(const std::string& path) {
  if (!is_checkpoint(path)) return Vocabulary::read(path);
  const store::ArrayFile checkpoint(path);
  return Vocabulary::parse(checkpoint.metadata_at(store::keys::vocabulary), path);
}

std::unique_ptr<base::LineWorker> make_worker(const std::optional<Vocabulary>& vocabulary,
                                              const base::Options& options) {
  if (options.flag("words-only")) {
    return std::make_unique<WordPrinter>(vocabulary ? vocabulary->form() : text::TextForm());
  }
  if (options.flag("decode")) return std::make_unique<Decoder>(*vocabulary, options);
  return std::make_unique<Encoder>(*vocabulary, options);
}

void check_combination(const base::Options& options, const std::optional<Vocabulary>& vocabulary) {
  for (const std::string_view other : {"decode", "ids", "bpe-dropout"}) {
    if (options.flag("words-only") && options.has(other)) {
      throw base::UsageError(base::concat("--words-only and --", other, " exclude each other"));
    }
  }
  if (options.flag("decode") && options.has("bpe-dropout")) {
    throw base::UsageError("--decode and --bpe-dropout exclude each other");
  }
  if (options.has("bpe-dropout") && vocabulary->type() != text::VocabularyType::kBpe) {
    throw base::UsageError("--bpe-dropout needs a vocabulary of byte pairs");
  }
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  std::optional<Vocabulary> vocabulary;
  if (!options.flag("words-only") || options.has("model"))
    vocabulary = read_model(options.required("model"));
  check_combination(options, vocabulary);
  if (vocabulary) {
    report.note(base::concat("the vocabulary has ", vocabulary->size(), " ids of type ",
                             text::name_of(vocabulary->type())));
  }
  if (options.text("output") != "-") base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  const base::FilterSettings settings = {
      threads_of(options),
      options.flag("unbuffered") ? base::Flushing::kEveryLine : base::Flushing::kWhenInputWaits};
  for (const std::string& file : input_files(options)) {
    base::LineReader reader(file, invalid_utf8_of(options));
    base::map_lines(reader, output, settings, [&] { return make_worker(vocabulary, options); });
    warn_of_replacements(report, reader);
  }
  output.commit();
}

}  // namespace awend::tools
