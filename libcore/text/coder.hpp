// Lines to tokens and back, by any of the schemes: our own vocabularies, codes of subword-nmt,
// models of SentencePiece, Moses' rules, plain words.  This is where the tool for text meets them.
//
// Test: tests/unit/text/import_test.cpp, tests/cli/tokenize.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "text/moses/moses.hpp"
#include "text/moses/punctuation.hpp"
#include "text/normalize.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/subword_nmt/encoder.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Noise for training: the same word is cut in different ways.
struct Chance {
  double dropout = 0;   // BPE-dropout: how likely each merge is passed over; 0: no noise
  double sampling = 0;  // unigram models: the power of PieceSampling; 0: no noise
  std::uint64_t seed = 1;
};

/// One a thread.
class Coder {
 public:
  virtual ~Coder() = default;

  /// Appends the token line of the raw line with this number (from 1).  REQUIRES: valid UTF-8.
  virtual void encode(std::string_view line, std::uint64_t number, std::string& tokens) = 0;
  /// Appends the best token lines of a raw line, each after the line's number, its score and tabs;
  /// every line but the last ends with LF.  REQUIRES: CoderModel::has_candidates().
  virtual void encode_best(std::string_view line, std::uint64_t number, int count,
                           std::string& out);
  /// Appends the raw line of a token line.
  virtual void decode(std::string_view tokens, std::string& line) = 0;
};

enum class TokenForm { kPieces, kIds };

/// What vocabularies of other toolkits need beyond themselves; made once, for all threads.
class CoderModel {
 public:
  /// The vocabulary must outlive it.  UsageError for a chance that the vocabulary's type has not.
  /// Likewise for rules of SentencePiece.
  CoderModel(const Vocabulary& vocabulary, TokenForm form, const Chance& chance,
             const PieceRules& rules = {});
  /// True for a unigram model.
  bool has_candidates() const { return pieces_ && pieces_->can_sample(); }
  std::unique_ptr<Coder> make() const;

 private:
  const Vocabulary& vocabulary_;
  const TokenForm form_;
  const Chance chance_;
  std::optional<SubwordNmtModel> codes_;
  std::optional<SentencePieceModel> pieces_;
};

/// Codes without a vocabulary: tokens, but no ids.  With dropout each line's noise depends on all
/// lines before it, as in subword-nmt: then one thread must do.
std::unique_ptr<Coder> make_coder(const SubwordNmtModel& model, const Chance& chance);

enum class Punctuation { kKeep, kNormalize };
std::unique_ptr<Coder> make_coder(const MosesSettings& settings, Punctuation punctuation);
/// Words before they are cut into pieces.  They are not decoded.
std::unique_ptr<Coder> make_word_coder(const TextForm& form);

}  // namespace awend::text
