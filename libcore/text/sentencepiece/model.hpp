// SentencePiece models (`.model`: BPE, unigram, words, characters), through the library of that
// name: encoding gives the pieces that spm_encode prints, and decoding the line that spm_decode
// prints.
//
// Each line becomes one line: a LF in a decoded line (from a symbol, or the byte 0A) becomes
// U+FFFD, as do invalid UTF-8 bytes; NUL is a character.  Pieces are those of token lines, in which
// spaces and LF are written as in PrintedPieces.  PieceEncoder encodes faster.  Test:
// tests/unit/text/sentencepiece/sentencepiece_test.cpp, tests/fuzz/sentencepiece_test.cpp, with the
// outputs in $AWEND_CONFORMANCE/sentencepiece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"

namespace awend::text {

/// Sampling of segmentations (Kudo, 2018): from the best `candidates`, with probabilities
/// proportional to their probability to the power of `alpha`.
struct PieceSampling {
  double alpha = 0.1;
  int candidates = 64;  // 1 to 512
};

/// The settings of a model that spm_encode can change.
struct PieceRules {
  /// Use only these pieces and single characters (spm_encode's vocabulary); unset: all.  Not for
  /// models of words or characters.
  std::optional<std::vector<std::string>> vocabulary = {};
  /// "bos", "eos", "reverse" and "unk" (extra_options), in the order in which they are applied.
  std::vector<std::string> extra = {};
};

/// One of the best segmentations of a line.
struct PieceCandidate {
  std::vector<std::uint32_t> ids;
  std::vector<std::string> pieces;
  float score = 0;  // log probability
};

/// Immutable; may be used by several threads.
class SentencePieceModel {
 public:
  /// Error "name: what" for bytes that are not a model, a damaged model, or rules that do not
  /// match.
  SentencePieceModel(std::string_view bytes, const std::string& name, const PieceRules& rules = {});
  static SentencePieceModel read(const std::string& path);
  ~SentencePieceModel();
  SentencePieceModel(SentencePieceModel&&) noexcept;
  SentencePieceModel& operator=(SentencePieceModel&&) noexcept;

  /// True if a file with these first bytes (a few dozen are enough) can be a model, and cannot be a
  /// vocabulary, codes or safetensors.
  static bool looks_like_model(std::string_view first_bytes);

  std::uint32_t size() const;
  /// Requires: id < size().
  std::string piece(std::uint32_t id) const;
  /// The id of a piece of the model; nothing for other text.
  std::optional<std::uint32_t> find(std::string_view token) const;

  std::uint32_t unknown() const;
  std::optional<std::uint32_t> end_of_sentence() const;

  /// Requires: valid UTF-8.  Error for a line of more than 1 GiB.
  std::vector<std::uint32_t> encode(std::string_view line) const;
  /// The same as texts; an unknown run of characters is kept.
  std::vector<std::string> encode_pieces(std::string_view line) const;

  /// True for a unigram model: only for these can sampling be reproduced.  (The generator of the
  /// library is per thread and is seeded only once.)
  bool can_sample() const;
  /// Ids sampled at random.  Requires: can_sample().
  std::vector<std::uint32_t> sample(std::string_view line, const PieceSampling& sampling,
                                    base::Random& random) const;

  /// The best segmentations, at most 512, the best first.  Requires: can_sample().
  std::vector<PieceCandidate> best(std::string_view line, int count) const;

  /// The line that ids or pieces decode to; pieces that are not in the model are kept.  Error for
  /// an id that is not below size().
  std::string decode(std::span<const std::uint32_t> ids) const;
  std::string decode_pieces(std::span<const std::string> tokens) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
