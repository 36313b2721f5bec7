// The model formats of other toolkits that can be read: one function each.  The files are those of
// one model; `name` is the file with its weights.  Throws Error naming the file, and the tensor or
// setting that is missing, damaged or not supported.
//
// Test: tests/properties/foreign_models_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/model_files.hpp"

namespace awend::interchange {

/// Marian: .npz, or .bin with float32 or intgemm8 and intgemm16 matrices; vocab.yml or .spm files.
ConvertedModel read_marian(ModelFiles& files, const std::string& name);
/// MarianMT, BERT, T5 and others of Hugging Face: config.json, vocab.json or vocab.txt, and
/// safetensors or a file of torch.save().
ConvertedModel read_hugging_face(ModelFiles& files, const std::string& name);
/// CTranslate2: model.bin of versions 2 to 6, and vocabularies.
ConvertedModel read_ctranslate2(ModelFiles& files, const std::string& name);
/// fairseq: a file of torch.save(), and dict.LANGUAGE.txt.
ConvertedModel read_fairseq(ModelFiles& files, const std::string& name);
/// OpenNMT-py: a file of torch.save().
ConvertedModel read_open_nmt(ModelFiles& files, const std::string& name);
/// Sockeye 3: params.best, config, and vocab.src.0.json and vocab.trg.0.json.
ConvertedModel read_sockeye(ModelFiles& files, const std::string& name);

}  // namespace awend::interchange
