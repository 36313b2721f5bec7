// The options of build-vocab --format sentencepiece.  Test: tests/cli/sentencepiece_model.sh.
#pragma once

#include <array>

#include "cli/options.hpp"
#include "text/sentencepiece/trainer.hpp"

namespace awend::tools {

/// Options of spm_train, with its names, that only this format has.
inline constexpr std::array<std::string_view, 14> kSentencePieceOptions = {"character-coverage",
                                                                           "byte-fallback",
                                                                           "split-digits",
                                                                           "input-sentence-size",
                                                                           "shuffle-input-sentence",
                                                                           "unk-id",
                                                                           "bos-id",
                                                                           "eos-id",
                                                                           "pad-id",
                                                                           "unk-piece",
                                                                           "bos-piece",
                                                                           "eos-piece",
                                                                           "pad-piece",
                                                                           "unk-surface"};

/// UsageError for values that SentencePiece does not have.
text::SentencePieceTraining sentencepiece_settings(const cli::Options& options);

/// Which lines of the texts are used.
struct LineSampling {
  std::size_t lines = 0;  // 0: all
  enum class Choice { kFirst, kRandom } choice = Choice::kRandom;
};
inline constexpr base::Word<LineSampling::Choice> kShuffleWords[] = {
    {LineSampling::Choice::kRandom, "true"}, {LineSampling::Choice::kFirst, "false"}};
inline constexpr base::Word<text::SentencePieceTraining::Type> kSentencePieceTypes[] = {
    {text::SentencePieceTraining::Type::kBpe, "bpe"},
    {text::SentencePieceTraining::Type::kUnigram, "unigram"},
    {text::SentencePieceTraining::Type::kWord, "word"},
    {text::SentencePieceTraining::Type::kCharacter, "char"}};
/// The rules that --normalize names; "none" is SentencePiece's "identity".
inline constexpr std::string_view kSentencePieceNormalizations[] = {
    "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "none"};
LineSampling line_sampling(const cli::Options& options);

}  // namespace awend::tools
