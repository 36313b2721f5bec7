// The operations of build-vocab on texts, codes and counts.  Test: tests/cli/build_vocab.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "cli/options.hpp"
#include "text/subword_nmt/learn.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {

/// The types of vocabularies that are learned.
inline constexpr base::Word<text::VocabularyType> kLearnedTypes[] = {
    {text::VocabularyType::kBpe, name_of(text::VocabularyType::kBpe)},
    {text::VocabularyType::kWordPiece, name_of(text::VocabularyType::kWordPiece)},
    {text::VocabularyType::kBert, name_of(text::VocabularyType::kBert)}};

/// Of the options for codes of subword-nmt.
text::SubwordNmtLearnSettings code_settings_of(const cli::Options& options);

/// Of pieces that do not end a word.  Throws UsageError if no vocabulary file can have it.
std::string separator_of(const cli::Options& options);

// Each function returns the contents of the output file.

/// An awend vocabulary, learned from the texts.
std::string learned_vocabulary(const cli::Options& options, const base::Report& report);

/// Codes of subword-nmt, learned from texts whose words are separated by spaces.
std::string learned_codes(const cli::Options& options, const base::Report& report);

/// A vocabulary from existing codes, with the pieces that they produce from the texts.
std::string imported_codes(const cli::Options& options, const base::Report& report);

/// The frequency of each token of the texts, in the format of get-vocab.
std::string counts_in_order(const cli::Options& options, const base::Report& report);

}  // namespace awend::tools
