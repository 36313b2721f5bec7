// What the options of translate say of the search and of its output.  Test: tests/cli/translate.sh.
#pragma once

#include "base/options.hpp"
#include "decode/answer_text.hpp"
#include "decode/translator.hpp"

namespace awend::tools {

/// All but the vocabulary's ids.  Throws UsageError for a value that cannot be.
decode::TranslatorSettings translator_settings(const base::Options& options);

decode::Output output_of(const base::Options& options);

}  // namespace awend::tools
