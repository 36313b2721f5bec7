// BERT of Hugging Face transformers, with its heads for masked tokens, pairs of sentences, labels
// of lines, labels of tokens, and answers.
//
// Test: tests/properties/bert_test.cpp, tests/unit/interchange/hugging_face_bert_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/model_files.hpp"
#include "interchange/names.hpp"

namespace awend::interchange {

/// Reads config.json, vocab.txt, tokenizer_config.json if there is one, and the weights in the file
/// `name`.  Throws Error naming the file, and the tensor or setting that is not supported.
ConvertedModel read_hugging_face_bert(ModelFiles& files, const std::string& name);

/// Writes config.json, model.safetensors, vocab.txt and tokenizer_config.json.  Throws Error naming
/// the setting that BERT of Hugging Face does not have.
void write_hugging_face_bert(const std::string& directory, const ConvertedModel& model);

/// Where the files have a weight; a vector has one dimension there.
Location bert_location(const model::WeightShape& weight, const HasArray& has);
/// Whether a weight has one dimension there.
bool is_bert_vector(const model::WeightShape& weight);

}  // namespace awend::interchange
