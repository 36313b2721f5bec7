// Checkpoints of awend written for other toolkits.
//
// Test: tests/unit/interchange/export_test.cpp, tests/cli/convert_model.sh.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "interchange/converted_model.hpp"

namespace awend::interchange {

/// A format cannot express a setting of the model, which the message names.
class Inexpressible : public base::Error {
  using Error::Error;
};

/// What a directory of CTranslate2 may contain, for base::OutputDirectory.
inline constexpr std::string_view kCTranslate2Files[] = {"config.json",
                                                         "model.bin",
                                                         "shared_vocabulary.json",
                                                         "shared_vocabulary.txt",
                                                         "source_vocabulary.json",
                                                         "source_vocabulary.txt",
                                                         "target_vocabulary.json",
                                                         "target_vocabulary.txt",
                                                         "spiece.model",
                                                         "sentencepiece.bpe.model"};

/// Writes the directory of a CTranslate2 model, version 6, in float32: model.bin, config.json and
/// the vocabularies.  Throws Inexpressible naming the setting that the format cannot express.
void write_ctranslate2_model(const std::string& directory, const ConvertedModel& model);

/// Writes model.bin and vocabularies for Marian, with the SentencePiece models that split their
/// text.  The ids of the end and of the unknown token become 0 and 1.  Throws Inexpressible naming
/// the setting that Marian does not have.
void write_marian_model(const std::string& directory, const ConvertedModel& model);

/// The same with matrices of 8 bits, as model.intgemm8.bin.  Each matrix is rounded to integers
/// with one scale; embeddings stay in float32.
void write_marian_int8_model(const std::string& directory, const ConvertedModel& model);

/// The same for the fork of Marian in Firefox, with embeddings of 8 bits, too: as
/// model.intgemm.alphas.bin with the fixed scales of the activations, if the model has them, or as
/// model.intgemm8.bin.  The vocabularies must be SentencePiece models with the ids of Marian.
void write_firefox_model(const std::string& directory, const ConvertedModel& model);

/// What Marian computes differently from the model, if anything.
std::optional<std::string> marian_difference(const model::Config& config);

/// Writes a MarianMT for transformers of Hugging Face: model.safetensors, config.json,
/// generation_config.json, vocab.json, and the SentencePiece models if there are any; or a BERT,
/// see hugging_face_bert.hpp, a model of many languages, see hugging_face_multilingual.hpp, or a
/// T5, see hugging_face_t5.hpp.  Throws Inexpressible naming the setting that such a model does not
/// have.
void write_hugging_face_model(const std::string& directory, const ConvertedModel& model);

}  // namespace awend::interchange
