// Search and output settings from the options of translate.  Test: tests/cli/translate.sh.
#pragma once

#include "cli/options.hpp"
#include "decode/answer_text.hpp"
#include "decode/translator.hpp"

namespace awend::tools {

/// All settings except the ids of the vocabulary.  Throws UsageError for an invalid value.
decode::TranslatorSettings translator_settings(const cli::Options& options);

/// The form of the length penalty.  Throws UsageError for an unknown name.
decode::LengthPenalty length_penalty_of(const cli::Options& options);

/// How the models of an ensemble are combined.  Throws UsageError for an invalid value.
decode::EnsembleSettings ensemble_settings(const cli::Options& options);

decode::Output output_of(const cli::Options& options);

}  // namespace awend::tools
