// What the readers of Hugging Face's models have in common.
//
// Test: tests/properties/foreign_hugging_face_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "interchange/converted_model.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/model_files.hpp"
#include "model/config.hpp"
#include "store/strided_array.hpp"

namespace awend::interchange {

/// The activation in a setting.  Throws Error naming the setting if it is not supported.
nn::Activation activation_in(ForeignSettings& settings, std::string_view name);

/// The name of an activation that activation_in() reads.
std::string_view hugging_face_activation(nn::Activation activation);

/// The name of the file with the settings of a model.
inline const std::string kConfigName = "config.json";

/// What a directory of any of these models may contain, for base::OutputDirectory.
inline constexpr std::string_view kHuggingFaceFiles[] = {"config.json",
                                                         "generation_config.json",
                                                         "tokenizer_config.json",
                                                         "special_tokens_map.json",
                                                         "added_tokens.json",
                                                         "tokenizer.json",
                                                         "vocab.json",
                                                         "target_vocab.json",
                                                         "vocab.txt",
                                                         "source.spm",
                                                         "target.spm",
                                                         "spiece.model",
                                                         "sentencepiece.bpe.model",
                                                         "model.safetensors"};

using ReadSettings = std::function<void(ForeignSettings& settings)>;
/// Reads config.json, of whose settings all must be taken or ignored, and with `read_generation`
/// the settings of generate(): those of generation_config.json if there is such a file, as
/// transformers do, otherwise those of config.json.
void read_settings(ModelFiles& files, const ReadSettings& read_config,
                   const ReadSettings& read_generation);

/// Throws Error naming the file if generate() ends translations with another token than that of
/// the vocabulary.
void require_end(ModelFiles& files, const text::Vocabulary& vocabulary);

/// Ignores settings that all models have, and that do not change what a model computes.
void ignore_common_settings(ForeignSettings& settings);
/// The same for the models with the settings of BART.
void ignore_bart_settings(ForeignSettings& settings);

/// The sizes of a Transformer: d_model, and the layers, heads and d_ff of both sides.
void read_bart_sizes(ForeignSettings& settings, model::Config& config);

/// Sets forced_eos_token_id, on which the maximum length depends, if config.json lacks it: the
/// classes of some models have a default.
void assume_forced_end(ForeignSettings& settings);

/// The start id of a configuration until a file states it.
inline constexpr std::uint32_t kNoStart = 0xFFFFFFFF;

/// The settings of generate(): as settings of the search, or as notes, and the start token.
/// Outputs begin with `start_tokens`, which the maximum length counts.  Throws Error if the start
/// is kNoStart and these settings do not state it, either.
void read_search(ForeignSettings& settings, std::uint32_t start_tokens, ConvertedModel& model);

/// A setting of generate() that translate does not have.
struct UnusedSetting {
  std::string_view name;
  std::optional<double> off = {};  ///< The number that turns it off, besides null and empty lists.
  std::string_view same = {};      ///< The value that is what translate does.
};
/// Notes that it is not used, once, unless it changes nothing.
void note_unused(ForeignSettings& settings, const UnusedSetting& setting, ConvertedModel& model);

/// How an architecture writes the settings of a search.
struct WrittenSearch {
  std::uint32_t start_tokens;   ///< Those before an output, which all lengths count.
  std::uint32_t tokens_around;  ///< These and a forced end.
  std::uint32_t max_length;     ///< If the maximum of the search depends on the source.
  std::string_view num_beams;   ///< If the model has no beam size.
};
/// Adds the members that read_search() reads.  A length penalty of another form becomes the
/// default.
void add_search(base::JsonObject& object, const WrittenSearch& written,
                const store::Settings& search);

/// The arrays of files.
struct FileArrays {
  store::StridedArrays arrays;
  std::function<void()> release;  ///< Releases their resident pages.
};

/// Calls read() with the arrays of a file of safetensors or of torch.save(), or with those of all
/// files if it is one of several that an index names.
void read_arrays(ModelFiles& files, const std::string& name,
                 const std::function<void(FileArrays)>& read);

}  // namespace awend::interchange
