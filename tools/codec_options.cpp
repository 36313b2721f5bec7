#include "codec_options.hpp"

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "cli/option_rules.hpp"
#include "text/bert/word_pieces.hpp"
#include "text/subword_nmt/codes.hpp"
#include "text/subword_nmt/vocabulary.hpp"
#include "vocabulary_reading.hpp"

namespace awend::tools {
namespace {

using text::Vocabulary;

Side side_of(const cli::Options& options) {
  if (options.has("side")) return options.choice<kSideWords>("side");
  return options.flag("decode") || options.has("target-language") ? Side::kTarget : Side::kSource;
}

// Options that only one tokenization scheme supports.
constexpr std::array<std::string_view, 3> kCodesOptions = {"glossaries", "separator", "merges"};
constexpr std::array<std::string_view, 2> kListOptions = {"vocabulary", "vocabulary-threshold"};
constexpr std::array<std::string_view, 2> kModelOptions = {"n-best", "extra-options"};
constexpr std::array<std::string_view, 2> kLanguageOptions = {"language", "prefixes"};
constexpr std::array<std::string_view, 2> kCodeOptions = {"source-language", "target-language"};
constexpr std::array<std::string_view, 6> kMosesOptions = {
    "protected", "aggressive-hyphens",    "no-escape",
    "penn",      "normalize-punctuation", "uppercase-first"};

void refuse(const cli::Options& options, std::span<const std::string_view> names,
            std::string_view where) {
  for (const std::string_view name : names) {
    if (options.has(name)) throw base::UsageError(base::concat("--", name, " ", where));
  }
}

void check_codes_alone(const cli::Options& options) {
  cli::check_excludes(options, "codes", {"model", "words-only"});
  const std::string scheme = options.text("scheme");
  if (!scheme.empty() && scheme != "subword-nmt")
    throw base::UsageError(base::concat("--codes cannot be used with --scheme ", scheme));
}

std::uint64_t threshold_of(const cli::Options& options) {
  return options.integer<std::uint64_t>("vocabulary-threshold", {.min = 0});
}

text::PieceRules piece_rules(const cli::Options& options) {
  text::PieceRules rules;
  rules.extra = options.list("extra-options");
  if (!options.has("vocabulary")) return rules;
  const std::string file = options.text("vocabulary");
  std::string content = base::read_file(file, base::kMaxModelBytes);
  // spm_encode writes a tab before the count.
  std::ranges::replace(content, '\t', ' ');
  rules.vocabulary.emplace();
  for (const text::PieceCount& piece : text::parse_counts(content, file)) {
    if (piece.count >= threshold_of(options)) rules.vocabulary->push_back(piece.piece);
  }
  return rules;
}

}  // namespace

Coding::Coding(const cli::Options& options, const base::Report& report) {
  noise_ = {options.real("bpe-dropout", noise_.kDropoutRange),
            options.real("sampling", noise_.kSamplingRange),
            options.integer<std::uint64_t>("seed", {.min = 0})};
  cli::check_needs(options, {"vocabulary-threshold"}, {"vocabulary"}, "--vocabulary");
  const std::string scheme = options.text("scheme");
  if (options.has("codes")) check_codes_alone(options);
  if (options.flag("words-only")) {
    cli::check_excludes(options, "words-only", {"scheme"});
    way_ = Way::kWords;
  } else if (scheme == "moses") {
    way_ = Way::kMoses;
  } else if (options.has("codes") || scheme == "subword-nmt" ||
             (scheme.empty() && first_bytes(options.text("model")).starts_with("#version: 0."))) {
    way_ = Way::kCodes;
  }
  if (way_ != Way::kCodes) refuse(options, kCodesOptions, "needs subword-nmt codes");
  if (way_ != Way::kVocabulary) refuse(options, kModelOptions, "needs a SentencePiece model");
  if (way_ != Way::kVocabulary)
    refuse(options, kCodeOptions, "needs a vocabulary with a list of languages");
  if (way_ != Way::kCodes && way_ != Way::kVocabulary)
    refuse(options, kListOptions, "needs subword-nmt codes or a SentencePiece model");
  if (way_ != Way::kMoses) refuse(options, kMosesOptions, "needs --scheme moses");
  if (way_ != Way::kMoses && !options.flag("sentences"))
    refuse(options, kLanguageOptions, "needs --scheme moses or --sentences");
  if (way_ == Way::kMoses || way_ == Way::kWords) {
    constexpr std::string_view kNoPieces[] = {"ids", "bpe-dropout", "sampling"};
    refuse(options, kNoPieces, "needs a subword vocabulary");
  }
  switch (way_) {
    case Way::kVocabulary:
      read_vocabulary(options, report);
      break;
    case Way::kCodes:
      if (options.flag("ids"))
        throw base::UsageError(
            "codes have no ids; build a vocabulary with build-vocab --import-codes");
      read_codes(options);
      break;
    case Way::kMoses:
      if (options.has("model"))
        throw base::UsageError("--scheme moses and --model exclude each other");
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
            "without --prefixes no abbreviations are known, so every final period is split off "
            "(Moses has the lists in share/nonbreaking_prefixes)");
      }
      break;
    case Way::kWords:
      cli::check_excludes(options, "words-only", {"decode"});
      if (options.has("model")) form_ = read_model(options.text("model"), side_of(options)).form();
      break;
  }
}

void Coding::read_vocabulary(const cli::Options& options, const base::Report& report) {
  vocabulary_.emplace(read_model(options.required("model"), side_of(options)));
  report.note(base::concat("the vocabulary has ", vocabulary_->size(), " ids of type ",
                           text::name_of(vocabulary_->type())));
  if (vocabulary_->type() != text::VocabularyType::kSentencePiece) {
    refuse(options, kListOptions, "needs subword-nmt codes or a SentencePiece model");
    refuse(options, kModelOptions, "needs a SentencePiece model");
  }
  form_of_tokens_ = options.flag("ids") && !options.flag("show") ? text::TokenForm::kIds
                                                                 : text::TokenForm::kPieces;
  model_.emplace(*vocabulary_, noise_, piece_rules(options));
  for (const auto name : kCodeOptions) {
    if (!options.has(name)) continue;
    if (vocabulary_->content().languages.empty())
      refuse(options, kCodeOptions, "needs a vocabulary with a list of languages");
    if (text::has_language_tags(*vocabulary_) && name == "source-language")
      throw base::UsageError("--source-language: the model reads the target language only");
    try {
      model_->begin_with_language(text::language_id(*vocabulary_, options.text(name)));
    } catch (const base::Error& error) {
      throw base::UsageError(base::concat("--", name, ": ", error.what()));
    }
  }
  if (options.has("n-best") && !model_->has_candidates())
    throw base::UsageError("--n-best needs a unigram model");
}

void Coding::read_codes(const cli::Options& options) {
  const std::string file = options.required(options.has("codes") ? "codes" : "model");
  std::optional<std::size_t> merges;
  if (options.has("merges")) merges = options.integer<std::size_t>("merges", {.min = 0});
  if (noise_.sampling > 0) throw base::UsageError("--sampling needs a unigram model");
  text::SubwordNmtSettings settings;
  settings.separator = options.text("separator");
  settings.glossaries = options.each("glossaries");
  if (options.has("vocabulary")) {
    const std::string vocabulary = options.text("vocabulary");
    settings.vocabulary =
        text::parse_counts(base::read_file(vocabulary, base::kMaxModelBytes), vocabulary);
    settings.vocabulary_threshold = threshold_of(options);
  }
  codes_.emplace(text::parse_codes(base::read_file(file, base::kMaxModelBytes), file, merges),
                 std::move(settings));
}

std::unique_ptr<text::TokenCodec> Coding::make() const {
  switch (way_) {
    case Way::kCodes:
      return text::make_codec(*codes_, noise_);
    case Way::kMoses:
      return text::make_codec(moses_, punctuation_);
    case Way::kWords:
      return text::make_word_codec(form_);
    case Way::kVocabulary:
      break;
  }
  return model_->make(form_of_tokens_);
}

bool Coding::is_sequential() const {
  const bool has_codes =
      codes_ || (vocabulary_ && vocabulary_->type() == text::VocabularyType::kSubwordNmt);
  return has_codes && noise_.dropout > 0;
}

std::string_view Coding::separator() const {
  if (codes_) return codes_->settings().separator;
  const bool has_codes = vocabulary_ && vocabulary_->type() == text::VocabularyType::kSubwordNmt;
  return has_codes ? std::string_view(vocabulary_->content().separator) : std::string_view();
}

std::string_view Coding::continuation() const {
  const bool bert = vocabulary_ && vocabulary_->type() == text::VocabularyType::kBert;
  return bert ? text::BertPieces::kContinuation : std::string_view();
}

}  // namespace awend::tools
