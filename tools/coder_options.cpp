#include "coder_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files.hpp"
#include "store/array_file.hpp"
#include "text/subword_nmt_codes.hpp"
#include "text/subword_nmt_vocabulary.hpp"

namespace awend::tools {
namespace {

using text::Vocabulary;

// The first bytes of a file; none of what is no file, because a pipe can be read only once.
std::string first_bytes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::string begin(64, '\0');
  begin.resize(base::InputFile(path).read(begin.data(), begin.size()));
  return begin;
}

// A checkpoint is a safetensors file: after eight bytes of length its JSON begins.
bool is_checkpoint(std::string_view begin) {
  return begin.substr(std::min<std::size_t>(begin.size(), 8)).starts_with('{');
}

Vocabulary read_model(const std::string& path) {
  if (!is_checkpoint(first_bytes(path))) return Vocabulary::read(path);
  const store::ArrayFile checkpoint(path);
  return Vocabulary::parse(checkpoint.metadata_at(store::keys::kVocabulary), path);
}

// Options that only one way of cutting lines knows.
constexpr std::array<std::string_view, 5> kCodesOptions = {"vocabulary", "vocabulary-threshold",
                                                           "glossaries", "separator", "merges"};
constexpr std::array<std::string_view, 8> kMosesOptions = {"language",
                                                           "prefixes",
                                                           "protected",
                                                           "aggressive-hyphens",
                                                           "no-escape",
                                                           "penn",
                                                           "normalize-punctuation",
                                                           "uppercase-first"};

void refuse(const base::Options& options, std::span<const std::string_view> names,
            std::string_view where) {
  for (const std::string_view name : names) {
    if (options.has(name)) throw base::UsageError(base::concat("--", name, " ", where));
  }
}

}  // namespace

Coding::Coding(const base::Options& options, const base::Report& report) {
  chance_ = {options.real("bpe-dropout", {0, 1}), options.real("sampling", {0, 1000}),
             static_cast<std::uint64_t>(options.integer("seed", {.min = 0}))};
  const std::string scheme = options.text("scheme");
  if (options.flag("words-only")) {
    if (!scheme.empty()) throw base::UsageError("--words-only and --scheme exclude each other");
    way_ = Way::kWords;
  } else if (scheme == "moses") {
    way_ = Way::kMoses;
  } else if (scheme == "subword-nmt" ||
             (scheme.empty() && first_bytes(options.text("model")).starts_with("#version: 0."))) {
    way_ = Way::kCodes;
  } else if (!scheme.empty()) {
    throw base::UsageError(base::concat("unknown scheme '", scheme,
                                        "': subword-nmt or moses; others say theirs in -m"));
  }
  if (way_ != Way::kCodes) refuse(options, kCodesOptions, "is for codes of subword-nmt");
  if (way_ != Way::kMoses) refuse(options, kMosesOptions, "needs --scheme moses");
  if (way_ == Way::kMoses || way_ == Way::kWords) {
    constexpr std::string_view kNoPieces[] = {"ids", "bpe-dropout", "sampling"};
    refuse(options, kNoPieces, "needs pieces");
  }
  switch (way_) {
    case Way::kVocabulary:
      read_vocabulary(options, report);
      break;
    case Way::kCodes:
      if (options.flag("ids"))
        throw base::UsageError("codes have no ids: make a vocabulary (build-vocab --import-codes)");
      read_codes(options);
      break;
    case Way::kMoses:
      if (options.has("model")) throw base::UsageError("--scheme moses has no --model");
      moses_ = {.language = options.text("language"),
                .prefixes = options.text("prefixes"),
                .protected_patterns = options.text("protected"),
                .aggressive_hyphens = options.flag("aggressive-hyphens"),
                .escape = !options.flag("no-escape"),
                .penn = options.flag("penn"),
                .uppercase_first = options.flag("uppercase-first")};
      punctuation_ = options.flag("normalize-punctuation") ? text::Punctuation::kNormalize
                                                           : text::Punctuation::kKeep;
      if (moses_.prefixes.empty() && !options.flag("decode")) {
        report.warning(
            "without --prefixes no word is an abbreviation: every final dot is cut off (Moses has "
            "the lists in share/nonbreaking_prefixes)");
      }
      break;
    case Way::kWords:
      if (options.flag("decode")) throw base::UsageError("words are not decoded");
      if (options.has("model")) form_ = read_model(options.text("model")).form();
      break;
  }
}

void Coding::read_vocabulary(const base::Options& options, const base::Report& report) {
  vocabulary_.emplace(read_model(options.required("model")));
  report.note(base::concat("the vocabulary has ", vocabulary_->size(), " ids of type ",
                           text::name_of(vocabulary_->type())));
  model_.emplace(*vocabulary_,
                 options.flag("ids") && !options.flag("show") ? text::TokenForm::kIds
                                                              : text::TokenForm::kPieces,
                 chance_);
  if (options.flag("show")) ids_model_.emplace(*vocabulary_, text::TokenForm::kIds, chance_);
}

void Coding::read_codes(const base::Options& options) {
  const std::string file = options.required("model");
  std::optional<std::size_t> merges;
  if (options.has("merges"))
    merges = static_cast<std::size_t>(options.integer("merges", {.min = 0}));
  if (chance_.sampling > 0) throw base::UsageError("--sampling needs a unigram model");
  text::SubwordNmtSettings settings;
  settings.separator = options.text("separator");
  settings.glossaries = options.each("glossaries");
  if (options.has("vocabulary")) {
    const std::string vocabulary = options.text("vocabulary");
    settings.vocabulary = text::parse_counts(base::read_file(vocabulary), vocabulary);
    settings.vocabulary_threshold =
        static_cast<std::uint64_t>(options.integer("vocabulary-threshold", {.min = 0}));
  } else if (options.has("vocabulary-threshold")) {
    throw base::UsageError("--vocabulary-threshold needs --vocabulary");
  }
  codes_.emplace(text::parse_codes(base::read_file(file), file, merges), std::move(settings));
}

std::unique_ptr<text::Coder> Coding::make() const {
  switch (way_) {
    case Way::kCodes:
      return text::make_coder(*codes_, chance_);
    case Way::kMoses:
      return text::make_coder(moses_, punctuation_);
    case Way::kWords:
      return text::make_word_coder(form_);
    case Way::kVocabulary:
      break;
  }
  return model_->make();
}

std::unique_ptr<text::Coder> Coding::make_for_ids() const {
  return ids_model_->make();
}

bool Coding::is_sequential() const {
  const bool has_codes =
      codes_ || (vocabulary_ && vocabulary_->type() == text::VocabularyType::kSubwordNmt);
  return has_codes && chance_.dropout > 0;
}

std::string_view Coding::separator() const {
  if (codes_) return codes_->settings().separator;
  const bool has_codes = vocabulary_ && vocabulary_->type() == text::VocabularyType::kSubwordNmt;
  return has_codes ? std::string_view(vocabulary_->content().separator) : std::string_view();
}

}  // namespace awend::tools
