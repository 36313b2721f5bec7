// XLM-RoBERTa of Hugging Face transformers, as a BERT with one kind of segment, positions from 2,
// and the pieces of a SentencePiece model after <s>, <pad>, </s> and <unk>.
//
// Test: tests/unit/interchange/xlm_roberta_test.cpp, tests/cli/comet.sh.
#pragma once

#include <string>
#include <string_view>

#include "interchange/converted_model.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/model_files.hpp"
#include "interchange/names.hpp"

namespace awend::interchange {

/// Reads config.json, sentencepiece.bpe.model and the weights in the file `name`, with a head for
/// masked tokens, labels of lines or tokens, or answers.  Throws Error naming the file, and the
/// tensor or setting that is not supported.
ConvertedModel read_xlm_roberta(ModelFiles& files, const std::string& name);

/// Configuration and vocabulary without weights and heads.
ConvertedModel read_xlm_roberta_encoder(ModelFiles& files);

/// Where the files have a weight of the encoder, whose names begin with `prefix`.
Location xlm_roberta_location(const model::WeightShape& weight, const std::string& prefix);

}  // namespace awend::interchange
