// Word alignment by encoder-decoder attention (section 3.2.3 of the paper).
//
// Uses the mean over the heads of one layer, or the first head of the layer that was trained for
// alignment (Chen et al., 2016), which is the default.  Without one, the second-to-last layer
// aligns best (Garg et al., 2019).  Test:
// tests/unit/decode/alignment_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "decode/alignment_weights.hpp"
#include "decode/teacher_forced_scorer.hpp"

namespace awend::decode {

struct AlignmentSettings {
  enum class Form {
    kHard,       ///< For each target token, the source token with the largest weight.
    kSoft,       ///< All weights.
    kThreshold,  ///< All pairs of at least `threshold`.
  };
  /// The others than a threshold, which is a number.
  static constexpr base::Word<Form> kFormWords[] = {{Form::kHard, "hard"}, {Form::kSoft, "soft"}};
  Form form = Form::kHard;
  double threshold = 0.5;
  std::optional<std::uint32_t> layer = {};  ///< From 1; default: see align().
};

/// Accepts "hard", "soft" or a number in (0, 1]; throws Error for anything else.
AlignmentSettings parse_alignment(std::string_view text);

/// The mean over the heads of settings.layer; by default the first head of the guided layer of the
/// model, or if it has none, the mean of the second-to-last layer.  Throws Error if the model does
/// not have the layer.
Alignment align(const Attentions& attentions, const AlignmentSettings& settings);

/// The alignment without the first tokens of the sides, such as those of languages.
Alignment without_first(const Alignment& alignment, std::uint32_t targets, std::uint32_t sources);

/// The alignment of words.  The word numbers of tokens (without the ends of sentences) ascend.  A
/// target word gets the mean of its tokens, a source word the sum.
Alignment by_words(const Alignment& alignment, std::span<const std::uint32_t> source_words,
                   std::span<const std::uint32_t> target_words);

/// For each target token without the end, the source token with the largest weight; nothing if that
/// is the end of the sentence.
std::vector<std::optional<std::uint32_t>> best_sources(const Alignment& alignment);

/// "0-0 1-2": pairs of source and target, ordered by target (Pharaoh format).  In the soft form:
/// for each target token the comma-separated weights of all source tokens, the end included; tokens
/// are separated by spaces.
std::string to_text(const Alignment& alignment, const AlignmentSettings& settings);

}  // namespace awend::decode
