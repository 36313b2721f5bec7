// Settings of models, searches and output from the options of translate.  Test:
// tests/cli/translate.sh.
#pragma once

#include "cli/options.hpp"
#include "decode/answer_text.hpp"
#include "decode/open_options.hpp"
#include "field_options.hpp"

namespace awend::tools {

inline constexpr base::Word<nn::Mixing> kMixingWords[] = {{nn::Mixing::kLinear, "linear"},
                                                          {nn::Mixing::kLog, "log"}};

/// Adds the options for the settings that models may have, after the other rows of the group.
void add_search_options(OptionTable& table);

/// How the models of --model are opened.  Throws UsageError for an invalid value; the options of
/// the search are read once the defaults of the model are known.
decode::OpenOptions open_options_of(const cli::Options& options, const base::Report& report);

/// Throws UsageError for formats that exclude each other or --raw.
decode::Output output_of(const cli::Options& options);

}  // namespace awend::tools
