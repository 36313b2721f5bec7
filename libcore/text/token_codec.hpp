// Encoding lines as tokens and decoding them, with any tokenization scheme: vocabularies of
// build-vocab, subword-nmt codes, SentencePiece models, Moses rules, and words.
//
// Test: tests/unit/text/import_test.cpp, tests/cli/tokenize.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "text/moses/moses.hpp"
#include "text/moses/punctuation.hpp"
#include "text/normalize.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/subword_nmt/encoder.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

class PieceTables;

inline constexpr base::Setting kBpeDropout{"BPE dropout"};
inline constexpr base::Setting kSampling{"sampling"};

/// Noise for training: the same word is split in different ways.
struct SegmentationNoise {
  double dropout = 0;   // BPE dropout: probability of skipping a merge; 0: no noise
  double sampling = 0;  // unigram models: exponent of PieceSampling; 0: no noise
  std::uint64_t seed = 1;
};

/// Each thread has its own.
class TokenCodec {
 public:
  virtual ~TokenCodec() = default;

  /// Appends the token line of the raw line with this number (from 1).  Requires: valid UTF-8.
  virtual void encode(std::string_view line, std::uint64_t number, std::string& tokens) = 0;
  /// Appends the best token lines of a raw line, each after the number of the line and the score,
  /// separated by tabs; every line except the last ends in LF.  Requires: has_candidates().
  virtual void encode_best(std::string_view line, std::uint64_t number, int count,
                           std::string& out);
  /// Appends the raw line of a token line.
  virtual void decode(std::string_view tokens, std::string& line) = 0;
};

enum class TokenForm { kPieces, kIds };

/// A vocabulary with the models of other toolkits that it contains; shared by all threads.
class TokenCodecModel {
 public:
  /// The vocabulary must outlive it.  UsageError for noise or SentencePiece rules that the type of
  /// the vocabulary does not support.
  TokenCodecModel(const Vocabulary& vocabulary, TokenForm form, const SegmentationNoise& noise,
                  const PieceRules& rules = {});
  ~TokenCodecModel();
  /// True for a unigram model.
  bool has_candidates() const {
    return pieces_ && pieces_->can_sample() && vocabulary_.type() != VocabularyType::kTokens;
  }
  std::unique_ptr<TokenCodec> make() const;

 private:
  const Vocabulary& vocabulary_;
  const TokenForm form_;
  const SegmentationNoise noise_;
  std::optional<SubwordNmtModel> codes_;
  std::optional<SentencePieceModel> pieces_;
  std::unique_ptr<const PieceTables> tables_;  // of pieces_; null if the library must encode
};

/// Codes without a vocabulary: tokens, but no ids.  With dropout, the noise of a line depends on
/// all lines before it, as in subword-nmt, so only one thread can be used.
std::unique_ptr<TokenCodec> make_codec(const SubwordNmtModel& model,
                                       const SegmentationNoise& noise);

enum class Punctuation { kKeep, kNormalize };
std::unique_ptr<TokenCodec> make_codec(const MosesSettings& settings, Punctuation punctuation);
/// Words before they are split into pieces.  They cannot be decoded.
std::unique_ptr<TokenCodec> make_word_codec(const TextForm& form);

}  // namespace awend::text
