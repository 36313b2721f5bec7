// average: averages checkpoints (section 6.1 of the paper).  Test: tests/cli/average.sh.
#include "store/average.hpp"

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "cli/progress.hpp"
#include "decode/search_settings.hpp"
#include "foreign_model.hpp"
#include "output_check.hpp"
#include "run_tool.hpp"
#include "shortlist_option.hpp"
#include "store/array_file.hpp"
#include "store/checkpoints.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-o OUT [OPTION]... FILE...",
                                       "-o OUT --last N [OPTION]... DIR"};

constexpr cli::Option kOptions[] = {
    {"output", 'o', "OUT", "", "write the averaged checkpoint to OUT"},
    {"quantize", 0, "TYPE", "none",
     "store weights as fp32 (none) or as int8, a quarter of the size", "",
     base::texts_of<store::kStorageWords>},
    {"shortlist", 0, "FILE", "",
     "the lexical shortlist of the model, FILE[,FIRST,BEST[,THRESHOLD]]; off: none"},
    {"search", 0, "LIST", "",
     "settings of the search that translate then uses by default, such as unknown-tokens=off"},
    {"last", 'n', "N", "", "average the N newest checkpoints in DIR"},
};

constexpr cli::ToolDescription kTool = {
    .name = "average",
    .purpose = "Average the weights of checkpoints.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: a checkpoint; DIR: a directory from train",
    .operands_min = 1,
};

std::vector<std::string> last_checkpoints(const std::string& directory, std::size_t count) {
  const auto found = store::list_checkpoints(directory);
  if (found.empty()) base::fail(directory, ": no checkpoints (model-N.safetensors)");
  if (found.size() < count) {
    base::fail(directory, ": ", found.size(), " checkpoints, but ", count,
               " requested; use --last ", found.size());
  }
  std::vector<std::string> paths;
  for (auto i = found.end() - static_cast<std::ptrdiff_t>(count); i != found.end(); ++i)
    paths.push_back(i->weights);
  return paths;
}

/// A directory without --last is ambiguous: averaging only its newest checkpoint would have no
/// effect.
void refuse_directories(const std::vector<std::string>& paths) {
  std::error_code error;
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path, error)) continue;
    base::fail(path, ": is a directory; use --last N to average its N newest checkpoints (it has ",
               store::list_checkpoints(path).size(), ")");
  }
}

std::vector<std::string> inputs_of(const cli::Options& options) {
  if (!options.has("last")) {
    refuse_directories(options.operands());
    return options.operands();
  }
  const auto count = options.integer<std::size_t>("last", {.min = 1});
  if (options.operands().size() != 1) throw base::UsageError("--last takes exactly one directory");
  return last_checkpoints(options.operands()[0], count);
}

/// The vocabulary of a checkpoint; `key` is that of its target, or of a source with its own.
text::Vocabulary vocabulary_of(const store::ArrayFile& file, std::string_view key) {
  return text::Vocabulary::parse(file.metadata_at(key), file.path() + ": vocabulary");
}

/// Throws Error naming the file if its vocabulary has more or fewer pieces than an embedding has
/// rows: such a model cannot translate.
void require_fitting_vocabulary(const std::string& path) {
  const store::ArrayFile file(path);
  file.metadata_at(store::keys::kConfig);  // throws if it is not a checkpoint
  for (const auto name : {"embedding", "source_embedding", "target_embedding", "projection"}) {
    const auto* array = file.find(name);
    if (array == nullptr || array->shape.empty()) continue;
    const bool has_own_source = std::string_view(name) == "source_embedding" &&
                                file.metadata(store::keys::kSourceVocabulary).has_value();
    const auto vocabulary = vocabulary_of(
        file, has_own_source ? store::keys::kSourceVocabulary : store::keys::kVocabulary);
    if (vocabulary.size() == array->shape[0]) continue;
    base::fail(path, ": the vocabulary has ", vocabulary.size(), " pieces, but array '", name,
               "' has ", array->shape[0], " rows");
  }
}

/// The shortlist that replaces that of the model.
std::optional<store::LexicalShortlist> shortlist_of(const cli::Options& options,
                                                    const std::string& model) {
  if (!options.has("shortlist")) return std::nullopt;
  const auto file = shortlist_file_of(options);
  if (file.is_off) return store::LexicalShortlist{};
  const decode::ShortlistContent content(file);
  if (!content.is_lexical()) base::fail(file.path, ": no lexical shortlist");
  const store::ArrayFile checkpoint(model);
  const auto target = vocabulary_of(checkpoint, store::keys::kVocabulary);
  if (!checkpoint.metadata(store::keys::kSourceVocabulary)) return content.lists(target);
  const auto source = vocabulary_of(checkpoint, store::keys::kSourceVocabulary);
  return content.lists({source, target});
}

/// The settings of the search on the command line, by the names of the options of translate.
store::Settings search_of(const cli::Options& options) {
  store::Settings search;
  for (const auto& [name, value] : options.named_values("search")) search.set(name, value);
  decode::SearchSettings checked;
  cli::for_option("search", [&] { decode::apply_stored(search, checked); });
  return search;
}

store::Storage storage_of(const cli::Options& options) {
  return options.choice<store::kStorageWords>("quantize");
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const auto output = options.required("output");
  const auto inputs = inputs_of(options);
  require_own_file(output, inputs);
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "averaging", .unit = "weights"});
  for (const auto& path : inputs) open_model(path, [&] { require_fitting_vocabulary(path); });
  store::average(
      inputs, output,
      {.storage = storage_of(options),
       .shortlist = shortlist_of(options, inputs.back()),
       .search = search_of(options),
       .progress =
           [&](auto done, auto total) {
             progress.update(
                 {.done = done, .share = static_cast<double>(done) / static_cast<double>(total)});
           },
       .warn = [&](std::string_view text) { report.warning(text); }});
  for (const auto& path : inputs) report.note("averaged " + path);
}

}  // namespace awend::tools
