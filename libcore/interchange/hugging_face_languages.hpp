// The tokens of models of Hugging Face, above all of multilingual ones and of T5, as their
// tokenizers number them.
//
// sentencepiece.bpe.model has the pieces, in another order than their ids: <s>, <pad>, </s> and
// <unk> come first, as in fairseq.  M2M100 has the ids in vocab.json.  The tokens of languages
// follow, with the ids in added_tokens.json, tokenizer_config.json or tokenizer.json, or in the
// order of special_tokens_map.json.
//
// T5's spiece.model has the pieces in the order of their ids.  Added tokens follow, and ids without
// a token, which make the number of ids round.
//
// Test: tests/unit/interchange/hugging_face_languages_test.cpp,
// tests/unit/interchange/multilingual_export_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/output_directory.hpp"
#include "interchange/model_files.hpp"
#include "interchange/token_list.hpp"

namespace awend::interchange {

/// All tokens of a model that has this many ids.  Ids without a token are empty.  Throws Error
/// naming the file if a token has an id above, or there is no language.
TokenList read_multilingual_tokens(ModelFiles& files, std::uint32_t vocabulary);

/// The same of T5, with the languages of which there are tags, if any.
TokenList read_t5_tokens(ModelFiles& files, std::uint32_t vocabulary);

/// Appends the tokens that the files of a tokenizer add after those of its vocabulary, and empty
/// ones for ids without a token, until there are as many as the model has ids.  Throws Error if a
/// token has an id above.
void append_added_tokens(ModelFiles& files, std::uint32_t vocabulary,
                         std::vector<std::string>& tokens);

/// The codes of a list of M2M100's tokenizer, which its files only name: "m2m100" or "wmt21".
/// Empty for another name.
std::vector<std::string_view> m2m100_languages(std::string_view name);

/// Writes the files of the tokenizer of a multilingual vocabulary.  Throws Error if it is not that
/// of M2M100, NLLB-200 or mBART-50.
void write_multilingual_tokens(base::OutputDirectory& output, const text::Vocabulary& vocabulary);

}  // namespace awend::interchange
