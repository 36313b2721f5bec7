// BERT of Hugging Face transformers, with its heads for masked tokens, pairs of sentences, labels
// of lines, labels of tokens, and answers.
//
// Test: tests/properties/bert_test.cpp, tests/unit/interchange/hugging_face_bert_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/model_files.hpp"
#include "interchange/names.hpp"

namespace awend::interchange {

/// Reads config.json, vocab.txt, tokenizer_config.json if there is one, and the weights in the file
/// `name`.  Throws Error naming the file, and the tensor or setting that is not supported.
ConvertedModel read_hugging_face_bert(ModelFiles& files, const std::string& name);

/// Writes config.json, model.safetensors, vocab.txt and tokenizer_config.json.  Throws Error naming
/// the setting that BERT of Hugging Face does not have.
void write_hugging_face_bert(const std::string& directory, const ConvertedModel& model);

// What XLM-RoBERTa has, too (interchange/xlm_roberta.hpp).

/// The settings of an encoder, with two kinds of segments.
model::Config bert_config_of(ForeignSettings& settings);
/// The task, and the labels that it has.
void read_bert_labels(ForeignSettings& settings, model::Task task, ConvertedModel& model);
/// Ignores settings that do not change what a model computes.
void ignore_bert_settings(ForeignSettings& settings);
/// Makes the dense layer of the head for masked tokens, which the original lacks, pass on its
/// input.  Requires: its weights are 0.
void add_unit_head(ConvertedModel& model);

/// Where the files have a weight; a vector has one dimension there.
Location bert_location(const model::WeightShape& weight, const HasArray& has);
/// Whether a weight has one dimension there.
bool is_bert_vector(const model::WeightShape& weight);

}  // namespace awend::interchange
