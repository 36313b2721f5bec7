#include "inspect/check_view.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/mapped_file.hpp"
#include "data/cache_format.hpp"
#include "decode/model_files.hpp"
#include "inspect/parameters.hpp"
#include "inspect/run_log.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"
#include "store/attention_file.hpp"
#include "store/lexical_shortlist.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/subword_nmt/codes.hpp"
#include "text/vocabulary.hpp"
#include "train/state_text.hpp"

namespace awend::tools {
namespace {

constexpr std::size_t kHeadBytes = 4096;

std::string digest_note(const store::ArrayFile& file) {
  const auto digest = file.metadata(store::keys::kDigest);
  return digest ? "digest " + *digest : "no digest to verify";
}

void require_finite(const store::ArrayFile& file) {
  for (const auto& array : file.arrays()) {
    const auto damaged = statistics_of(file, array).not_finite;
    if (damaged > 0) {
      base::fail(file.path(), ": array '", array.name, "' has ", damaged,
                 " values that are not finite");
    }
  }
}

std::string check_checkpoint(const store::ArrayFile& file) {
  const auto config = model::read_config(file);
  nn::Parameters parameters;
  const auto architecture = model::make_model(config, parameters);
  model::require_arrays(parameters, file);
  require_finite(file);
  if (file.metadata(store::keys::kRecipe)) store::settings_at(file, store::keys::kRecipe);
  decode::vocabularies_of(file);
  store::shortlist_of(file, {model::source_vocabulary_of(config), config.vocabulary});
  return base::concat("checkpoint, ", file.arrays().size(), " arrays, ", digest_note(file));
}

std::string check_state(const store::ArrayFile& file) {
  const auto state = train::run_state_of(file);
  store::settings_at(file, store::keys::kRecipe);
  require_finite(file);
  return base::concat("training state of step ", state.counts.step, ", ", file.arrays().size(),
                      " arrays, ", digest_note(file));
}

std::string check_arrays(const std::string& path) {
  const store::ArrayFile file(path);
  file.verify();
  if (file.metadata(store::keys::kConfig)) return check_checkpoint(file);
  if (file.metadata(store::keys::kState)) return check_state(file);
  return base::concat("safetensors, ", file.arrays().size(), " arrays, ", digest_note(file));
}

std::string check_cache(const std::string& path) {
  const base::MappedFile file(path);
  return base::with_name(path, [&] {
    const auto parts = data::parse_cache(file.bytes());
    data::verify_cache(file.bytes());
    return base::concat("corpus cache, ", parts.tail.pairs, " pairs");
  });
}

std::string check_vocabulary(const std::string& path) {
  return base::concat("vocabulary, ", text::Vocabulary::read(path).size(), " pieces");
}

std::string check_codes(const std::string& path) {
  const auto codes = text::parse_codes(base::read_file(path, base::kMaxModelBytes), path);
  return base::concat("subword-nmt codes, ", codes.merges.size(), " merges");
}

std::string check_log(const std::string& path) {
  base::LineReader lines(path, base::InvalidUtf8::kError, kLogLimits);
  return base::concat("log, ", read_log(lines).rows.size(), " lines");
}

std::string check_attention(const std::string& path) {
  base::LineReader lines(path, base::InvalidUtf8::kError, store::kAttentionLimits);
  try {
    std::string_view line;
    if (!lines.next(line)) base::fail("is empty");
    const auto shape = store::parse_attention_header(line);
    while (lines.next(line)) store::parse_attended_line(line, shape);
  } catch (const base::Error& error) {
    const std::string_view what = error.what();
    if (what.starts_with(lines.name())) throw;
    base::fail(lines.place(), ": ", what);
  }
  return base::concat("attention, ", lines.line_number() - 1, " lines");
}

using Check = std::string (*)(const std::string& path);

struct Kind {
  bool (*matches)(const std::string& name, std::string_view head);
  Check check;
};

// Detected by the first bytes; a file that has lost them may still have its name.
constexpr Kind kKinds[] = {
    {[](const std::string&, std::string_view head) { return head.starts_with("awend corpus "); },
     check_cache},
    {[](const std::string&, std::string_view head) {
       return head.starts_with("awend-vocabulary ");
     },
     check_vocabulary},
    {[](const std::string&, std::string_view head) { return head.starts_with("{\"format\""); },
     check_attention},
    {[](const std::string&, std::string_view head) { return head.starts_with("step\t"); },
     check_log},
    {[](const std::string&, std::string_view head) { return head.starts_with("#version"); },
     check_codes},
    {[](const std::string& name, std::string_view head) {
       return name.ends_with(".safetensors") || head.substr(0, 9).ends_with('{');
     },
     check_arrays},
    {[](const std::string& name, std::string_view) { return name.starts_with("corpus-"); },
     check_cache},
    {[](const std::string&, std::string_view head) {
       return text::SentencePieceModel::looks_like_model(head);
     },
     check_vocabulary},
};

std::string head_of(const std::string& path) {
  base::InputFile file(path);
  std::string head(kHeadBytes, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const auto count = file.read(head.data() + size, head.size() - size);
    if (count == 0) break;
    size += count;
  }
  head.resize(size);
  return head;
}

std::string check_file(const std::string& path) {
  // The file is read twice, which stdin cannot be.  If it does not exist, reading it fails.
  std::error_code error;
  const bool is_other =
      std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
  if (path == "-" || is_other) base::fail(path, ": not a regular file");
  const auto head = head_of(path);
  const auto name = std::filesystem::path(path).filename().string();
  const auto* kind =
      std::ranges::find_if(kKinds, [&](const Kind& row) { return row.matches(name, head); });
  if (kind == std::end(kKinds)) base::fail(path, ": unknown file type");
  return kind->check(path);
}

}  // namespace

CheckedFiles check_files(std::span<const std::string> paths, cli::Progress* progress) {
  CheckedFiles checked;
  std::size_t done = 0, failed = 0;
  for (const auto& path : paths) {
    try {
      checked.text += base::concat(path, ": ok: ", check_file(path), "\n");
    } catch (const base::Error& error) {
      ++failed;
      const std::string_view what = error.what();
      checked.text += base::concat(what.starts_with(path) ? "" : path + ": ", what, "\n");
    }
    ++done;
    if (progress != nullptr)
      progress->update(
          {.done = done, .share = static_cast<double>(done) / static_cast<double>(paths.size())});
  }
  if (failed > 0)
    checked.failure = base::concat(failed, " of ", paths.size(), " files failed the check");
  return checked;
}

}  // namespace awend::tools
