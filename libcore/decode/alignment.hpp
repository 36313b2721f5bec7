// Word alignment by attention: which source token a target token looks at (the paper,
// section 3.2.3, encoder-decoder attention).
//
// The weights of one layer, the mean of its heads.  The layer before the last aligns best where no
// layer was trained for it (Garg et al., 2019), and is the default.  Test:
// tests/unit/decode/alignment_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/teacher_forced_scorer.hpp"

namespace awend::decode {

struct AlignmentSettings {
  enum class Form {
    kHard,       ///< For each target token the source token of greatest weight.
    kSoft,       ///< All weights.
    kThreshold,  ///< All pairs of at least `threshold`.
  };
  Form form = Form::kHard;
  double threshold = 0.5;
  std::optional<std::uint32_t> layer = {};  ///< From 1; else the last but one.
};

/// "hard", "soft" or a number above 0 and up to 1; Error for anything else.
AlignmentSettings parse_alignment(std::string_view text);

/// Weights of each target token over the source tokens; the last of either is the end of the
/// sentence.
struct Alignment {
  std::uint32_t target = 0, source = 0;
  std::vector<double> weights;  ///< (target, source)

  double at(std::uint32_t row, std::uint32_t column) const {
    return weights[std::size_t{row} * source + column];
  }
};

/// Throws Error if the model has not the layer.
Alignment align(const Attentions& attentions, const AlignmentSettings& settings);

/// The same by words, whose numbers rise by token (without the ends): a target word takes the mean
/// of its tokens, a source word the sum.
Alignment by_words(const Alignment& alignment, std::span<const std::uint32_t> source_words,
                   std::span<const std::uint32_t> target_words);

/// For each target token, without the end, the source token of greatest weight; nothing where that
/// is the end of the sentence.
std::vector<std::optional<std::uint32_t>> best_sources(const Alignment& alignment);

/// "0-0 1-2", pairs of source and target by rising target (Pharaoh's format); in the soft form the
/// weights of each target token over all source tokens, the end too, with commas between and a
/// space after each token.
std::string to_text(const Alignment& alignment, const AlignmentSettings& settings);

}  // namespace awend::decode
