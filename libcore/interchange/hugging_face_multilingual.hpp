// Models of many languages of Hugging Face transformers: M2M100 and NLLB-200, which are one
// architecture with different tokenizers, and mBART-50.
//
// Test: tests/properties/foreign_hugging_face_test.cpp,
// tests/unit/interchange/multilingual_export_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/model_files.hpp"

namespace awend::interchange {

/// config.json with the type m2m_100, the files of hugging_face_languages.hpp, and weights in one
/// or more files of safetensors or of torch.save(), of which `name` is one.
ConvertedModel read_m2m100(ModelFiles& files, const std::string& name);
/// The same with the type mbart.
ConvertedModel read_mbart50(ModelFiles& files, const std::string& name);

/// Writes a model of many languages: as mBART-50 if it has normalized embeddings, otherwise as
/// M2M100, with the files of the tokenizer whose languages it has.  Throws Error naming the setting
/// that these do not have.
void write_hugging_face_multilingual(const std::string& directory, const ConvertedModel& model);

}  // namespace awend::interchange
