// Learning SentencePiece models (Kudo and Richardson, 2018) with the trainer of the library: the
// bytes of a .model file, which other toolkits can read.
//
// Test: tests/unit/text/sentencepiece/sentencepiece_trainer_test.cpp,
// tests/cli/sentencepiece_model.sh.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// A special piece and its id; without an id the model does not have it.
struct SpecialPiece {
  std::optional<std::uint32_t> id;
  std::string text;

  bool operator==(const SpecialPiece&) const = default;
};

struct SentencePieceTraining {
  enum class Type { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };
  Type type = Type::kUnigram;
  std::uint32_t size = 8000;  // all ids of the vocabulary
  double character_coverage = 0.9995;
  bool byte_fallback = false;              // bytes instead of unknown characters
  bool split_digits = false;               // a piece per digit
  std::string normalization = "nmt_nfkc";  // a name of the library: nfkc, nmt_nfkc_cf, identity...
  std::vector<std::string> user_symbols = {};     // kept whole, and decoded to themselves
  std::vector<std::string> control_symbols = {};  // not producible by text, and decoded to nothing
  SpecialPiece unknown = {0, "<unk>"};
  SpecialPiece begin_of_sentence = {1, "<s>"};
  SpecialPiece end_of_sentence = {2, "</s>"};
  SpecialPiece padding = {std::nullopt, "<pad>"};
  std::string unknown_surface = " \u2047 ";  // what the unknown piece decodes to
};

/// Returns the next line of the text, valid UTF-8, or nothing at its end.
using NextLine = std::function<std::optional<std::string_view>()>;

/// The bytes of the model.  The trainer keeps the whole text in memory and uses a fixed number of
/// threads, so that the same text gives the same bytes on every machine.  Error if it rejects the
/// text or the settings; exceptions of next_line are passed on.
std::string train_sentencepiece(const SentencePieceTraining& settings, const NextLine& next_line);

/// The error of train_sentencepiece() for a size below `needed`.
[[noreturn]] void fail_too_small(std::size_t size, std::size_t needed);

}  // namespace awend::text
