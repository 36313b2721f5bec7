// Encoding lines as tokens or ids and decoding them, with any tokenization scheme: vocabularies of
// build-vocab, subword-nmt codes, SentencePiece models, Moses rules, and words.
//
// A TokenCodecModel may be shared by all threads; reading a SentencePiece model takes milliseconds.
// A codec belongs to one thread, and caches words: make one and use it for all lines.
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
#include "base/numbers.hpp"
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
  static constexpr base::RealRange kDropoutRange{0, 1}, kSamplingRange{0, 1000};

  double dropout = 0;   // BPE dropout: probability of skipping a merge; 0: no noise
  double sampling = 0;  // unigram models: exponent of PieceSampling; 0: no noise
  std::uint64_t seed = 1;
};

/// Each thread has its own.
class TokenCodec {
 public:
  virtual ~TokenCodec() = default;

  /// Appends the token line of the raw line with this number (from 1), on which noise depends.
  /// Requires: valid UTF-8.
  virtual void encode(std::string_view line, std::uint64_t number, std::string& tokens) = 0;
  /// Appends the raw line of a token line.
  virtual void decode(std::string_view tokens, std::string& line) = 0;

  /// The same with ids instead of token lines.  Requires: the codec has a vocabulary, and ids below
  /// its size.
  virtual void encode_ids(std::string_view line, std::uint64_t number, Ids& ids);
  virtual void decode_ids(std::span<const std::uint32_t> ids, std::string& line);

  /// The best segmentations of a raw line.  Requires: has_candidates().
  virtual std::vector<PieceCandidate> best(std::string_view line, int count) const;
};

/// In token lines: pieces, or the numbers of their ids.
enum class TokenForm { kPieces, kIds };

/// A vocabulary with the models of other toolkits that it contains; shared by all threads.
class TokenCodecModel {
 public:
  /// The vocabulary must outlive it.  UsageError for noise outside its range, and for noise or
  /// SentencePiece rules that the type of the vocabulary does not support.
  explicit TokenCodecModel(const Vocabulary& vocabulary, const SegmentationNoise& noise = {},
                           const PieceRules& rules = {});
  explicit TokenCodecModel(Vocabulary&&, const SegmentationNoise& = {},
                           const PieceRules& = {}) = delete;
  ~TokenCodecModel();
  /// True for a unigram model.
  bool has_candidates() const {
    return pieces_ && pieces_->can_sample() && vocabulary_.type() != VocabularyType::kTokens;
  }
  /// Each encoded line begins with the token of a language.  Requires: the vocabulary has it.
  void begin_with_language(std::uint32_t id) { language_ = id; }
  /// The model must outlive the codec.
  std::unique_ptr<TokenCodec> make(TokenForm form = TokenForm::kPieces) const;

 private:
  std::unique_ptr<TokenCodec> make_for_pieces() const;

  const Vocabulary& vocabulary_;
  const SegmentationNoise noise_;
  std::optional<SubwordNmtModel> codes_;
  std::optional<SentencePieceModel> pieces_;
  std::unique_ptr<const PieceTables> tables_;  // of pieces_; null if the library must encode
  std::optional<std::uint32_t> language_;
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
