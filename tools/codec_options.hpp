// Creates the codec that the options of tokenize request.
#pragma once

#include <memory>
#include <optional>

#include "base/report.hpp"
#include "cli/options.hpp"
#include "text/token_codec.hpp"
#include "vocabulary_reading.hpp"

namespace awend::tools {

/// Of --scheme; other schemes are detected from --model.
inline constexpr std::string_view kSchemes[] = {"subword-nmt", "moses"};
inline constexpr std::string_view kExtraOptions[] = {"bos", "eos", "reverse", "unk"};

/// The tokenization scheme, and the models that must outlive its codecs.
class Coding {
 public:
  /// Throws UsageError for options that exclude each other.
  Coding(const cli::Options& options, const base::Report& report);

  std::unique_ptr<text::TokenCodec> make() const;
  /// Whether its codecs have ids.
  bool has_ids() const { return model_.has_value(); }
  /// In token lines.
  text::TokenForm form() const { return form_of_tokens_; }
  /// True if the output of a line depends on earlier lines, so that only one thread can be used.
  bool is_sequential() const;
  /// True if tokens may end within a character.
  bool has_broken_characters() const { return codes_ && codes_->bytes(); }
  /// Suffix of tokens that do not end a word; may be empty.
  std::string_view separator() const;
  /// Prefix of tokens that continue a word; may be empty.
  std::string_view continuation() const;

 private:
  void read_codes(const cli::Options& options);
  void read_vocabulary(const cli::Options& options, const base::Report& report);

  enum class Way { kVocabulary, kCodes, kMoses, kWords };
  Way way_ = Way::kVocabulary;
  text::SegmentationNoise noise_;
  text::MosesSettings moses_;
  text::Punctuation punctuation_ = text::Punctuation::kKeep;
  text::TextForm form_;
  std::optional<text::Vocabulary> vocabulary_;
  std::optional<text::TokenCodecModel> model_;
  text::TokenForm form_of_tokens_ = text::TokenForm::kPieces;
  std::optional<text::SubwordNmtModel> codes_;
};

}  // namespace awend::tools
