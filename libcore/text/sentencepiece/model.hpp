// Existing SentencePiece models (`.model`: BPE, unigram, words, characters), through the library of
// that name: a line becomes the pieces that spm_encode prints, and pieces the line that spm_decode
// prints.
//
// One line in is one line out: a LF in a piece or a line that the model makes (a symbol of its own,
// or the byte 0A) is U+FFFD, as are bytes that are no UTF-8; NUL is a character.  A piece can have
// a space in it only if its model keeps spaces; such pieces come back from ids alone.  Test:
// tests/unit/text/sentencepiece_test.cpp, tests/fuzz/sentencepiece_test.cpp, with the outputs in
// $AWEND_CONFORMANCE/sentencepiece.
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

/// How a segmentation is drawn (Kudo, 2018): among the `candidates` best, each as likely as its
/// probability to the power of `alpha`.
struct PieceSampling {
  double alpha = 0.1;
  int candidates = 64;  // 1 to 512
};

/// What spm_encode lets one change about a model.
struct PieceRules {
  /// Only these pieces and single characters are used (--vocabulary); unset: all.  Not for models
  /// of words or characters.
  std::optional<std::vector<std::string>> vocabulary = {};
  /// "bos", "eos", "reverse" and "unk" (--extra_options), in the order in which they are applied.
  std::vector<std::string> extra = {};
};

/// One of the best segmentations of a line.
struct PieceCandidate {
  std::vector<std::uint32_t> ids;
  std::vector<std::string> pieces;
  float score = 0;  // log probability
};

/// Immutable; several threads may use one.
class SentencePieceModel {
 public:
  /// Error "name: what" for bytes that are no model, or a damaged one, or that the rules do not
  /// fit.
  SentencePieceModel(std::string_view bytes, const std::string& name, const PieceRules& rules = {});
  static SentencePieceModel read(const std::string& path);
  ~SentencePieceModel();
  SentencePieceModel(SentencePieceModel&&) noexcept;
  SentencePieceModel& operator=(SentencePieceModel&&) noexcept;

  /// True where a file with these first bytes (a few dozen are enough) can be a model, and no
  /// vocabulary, codes or safetensors.
  static bool looks_like_model(std::string_view first_bytes);

  std::uint32_t size() const;
  /// REQUIRES: id < size().
  std::string piece(std::uint32_t id) const;
  /// The id of a piece of the model; nothing for another text.
  std::optional<std::uint32_t> find(std::string_view piece) const;

  std::uint32_t unknown() const;
  std::optional<std::uint32_t> begin_of_sentence() const;
  std::optional<std::uint32_t> end_of_sentence() const;
  std::optional<std::uint32_t> padding() const;

  /// REQUIRES: valid UTF-8.  Error for a line of more than 1 GiB.
  std::vector<std::uint32_t> encode(std::string_view line) const;
  /// The same as texts; an unknown run of characters is itself.
  std::vector<std::string> encode_pieces(std::string_view line) const;

  /// True for a unigram model: only there can the library be made to draw the same again.  (Its own
  /// generator is one a thread and takes its seed once.)
  bool can_sample() const;
  /// Ids drawn at random.  REQUIRES: can_sample().
  std::vector<std::uint32_t> sample(std::string_view line, const PieceSampling& sampling,
                                    base::Random& random) const;

  /// The best segmentations, at most 512, the best first.  REQUIRES: can_sample().
  std::vector<PieceCandidate> best(std::string_view line, int count) const;

  /// The line that ids or pieces stand for; pieces that the model lacks stand for themselves.
  /// Error for an id that is not below size().
  std::string decode(std::span<const std::uint32_t> ids) const;
  std::string decode_pieces(std::span<const std::string> pieces) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
