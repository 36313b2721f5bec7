// Search and output settings from the options of translate.  Test: tests/cli/translate.sh.
#pragma once

#include "cli/options.hpp"
#include "decode/answer_text.hpp"
#include "decode/translator.hpp"

namespace awend::tools {

inline constexpr base::Word<decode::LengthPenalty> kLengthPenaltyWords[] = {
    {decode::LengthPenalty::kGnmt, "gnmt"}, {decode::LengthPenalty::kPower, "power"}};
inline constexpr base::Word<decode::UnknownTokenUse> kUnknownTokenWords[] = {
    {decode::UnknownTokenUse::kAllowed, "on"}, {decode::UnknownTokenUse::kExcluded, "off"}};
inline constexpr base::Word<nn::Mixing> kMixingWords[] = {{nn::Mixing::kLinear, "linear"},
                                                          {nn::Mixing::kLog, "log"}};
/// Of --alignment-form, which also accepts a threshold.
inline constexpr std::string_view kAlignmentForms[] = {"hard", "soft"};

/// All settings except the ids of the vocabulary.  Throws UsageError for an invalid value.
decode::TranslatorSettings translator_settings(const cli::Options& options);

/// The form of the length penalty.  Throws UsageError for an unknown name.
decode::LengthPenalty length_penalty_of(const cli::Options& options);

/// How the models of an ensemble are combined.  Throws UsageError for an invalid value.
decode::EnsembleSettings ensemble_settings(const cli::Options& options);

decode::Output output_of(const cli::Options& options);

}  // namespace awend::tools
