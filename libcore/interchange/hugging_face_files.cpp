#include "interchange/hugging_face_files.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/pickle_objects.hpp"
#include "interchange/shard_index.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/header.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

// The first word of each activation is the one that is written.
constexpr base::Word<nn::Activation> kActivations[] = {
    {nn::Activation::kRelu, "relu"},          {nn::Activation::kSwish, "swish"},
    {nn::Activation::kSwish, "silu"},         {nn::Activation::kGelu, "gelu"},
    {nn::Activation::kGeluTanh, "gelu_new"},  {nn::Activation::kGeluTanh, "gelu_pytorch_tanh"},
    {nn::Activation::kGeluTanh, "gelu_fast"}, {nn::Activation::kGeluSigmoid, "quick_gelu"}};

store::StridedArrays arrays_of(const store::Header& header) {
  store::StridedArrays arrays;
  for (const auto& array : header.arrays)
    arrays.emplace(array.name, store::StridedArray{array.type, array.shape, {}, array.bytes});
  return arrays;
}

}  // namespace

nn::Activation activation_in(ForeignSettings& settings, std::string_view name) {
  return word_in<kActivations>(name, settings.text(name));
}

std::string_view hugging_face_activation(nn::Activation activation) {
  return base::word_for(kActivations, activation);
}

void read_settings(ModelFiles& files, const ReadSettings& read_config,
                   const ReadSettings& read_generation) {
  with_name_once(files.path_of(kConfigName), [&] {
    auto settings = ForeignSettings::from_json(files.text(kConfigName));
    read_config(settings);
    read_generation(settings);
    settings.require_all_known();
  });
  const std::string name = "generation_config.json";
  if (!files.has(name)) return;
  with_name_once(files.path_of(name), [&] {
    auto settings = ForeignSettings::from_json(files.text(name));
    read_generation(settings);
  });
}

void ignore_common_settings(ForeignSettings& settings) {
  settings.ignore({"_*",
                   "bos_token_id",
                   "chunk_size_feed_forward",
                   "cross_attention_hidden_size",
                   "dtype",
                   "eos_token_id",
                   "exponential_decay_length_penalty",
                   "finetuning_task",
                   "gradient_checkpointing",
                   "output_attentions",
                   "output_hidden_states",
                   "output_past",
                   "prefix",
                   "remove_invalid_values",
                   "return_dict",
                   "return_dict_in_generate",
                   "sep_token_id",
                   "task_specific_params",
                   "tf_legacy_loss",
                   "tokenizer_class",
                   "torch_dtype",
                   "torchscript",
                   "transformers_version",
                   "use_bfloat16",
                   "use_cache"});
}

void ignore_bart_settings(ForeignSettings& settings) {
  ignore_common_settings(settings);
  // Only learned positions have an offset, and only BART forces its first token by a setting.
  settings.ignore({"activation_dropout",
                   "add_bias_logits",
                   "add_cross_attention",
                   "attention_dropout",
                   "classif_dropout",
                   "classifier_dropout",
                   "decoder_layerdrop",
                   "dropout",
                   "encoder_layerdrop",
                   "extra_pos_embeddings",
                   "force_bos_token_to_be_generated",
                   "id2label",
                   "init_std",
                   "is_decoder",
                   "is_encoder_decoder",
                   "label2id",
                   "max_position_embeddings",
                   "num_hidden_layers",
                   "num_labels",
                   "problem_type",
                   "pruned_heads"});
}

void read_sizes(ForeignSettings& settings, model::Config& config) {
  config.d_model = settings.count("d_model");
  set_sizes(config, {settings.count("encoder_attention_heads"), settings.count("encoder_ffn_dim")},
            {settings.count("decoder_attention_heads"), settings.count("decoder_ffn_dim")});
  config.encoder_layers = settings.count("encoder_layers");
  config.decoder_layers = settings.count("decoder_layers");
}

namespace {

// Those of sampling have no effect without do_sample, which is noted.
constexpr UnusedSetting kUnusedSettings[] = {{"begin_suppress_tokens"},
                                             {"dola_layers"},
                                             {"encoder_no_repeat_ngram_size", 0},
                                             {"encoder_repetition_penalty", 1},
                                             {"exponential_decay_length_penalty"},
                                             {"force_words_ids"},
                                             {"forced_decoder_ids"},
                                             {"guidance_scale", 1},
                                             {"max_time"},
                                             {"num_beam_groups", 1},
                                             {"penalty_alpha", 0},
                                             {"sequence_bias"},
                                             {"stop_strings"},
                                             {"suppress_tokens"},
                                             {"watermarking_config"}};

std::uint32_t count_in(ForeignSettings& settings, std::string_view name, std::uint32_t otherwise) {
  return settings.text(name, "null") == "null" ? otherwise : settings.count(name);
}

/// Sets a setting of the search, unless it is what translate does anyway and config.json has not
/// set it.
template <class Number>
void set_unless(Number usual, std::string_view name, Number value, store::Settings& search) {
  if (value != usual || search.find(name)) search.set(name, value);
}

/// A length with the first tokens: that of new tokens, if there is one, which does not count the
/// start token.
std::uint64_t length_in(ForeignSettings& settings, std::string_view all, std::string_view fresh) {
  const std::uint64_t length = count_in(settings, all, 0), added = count_in(settings, fresh, 0);
  return added == 0 ? length : added + 1;
}

void read_lengths(ForeignSettings& settings, std::uint32_t start_tokens, store::Settings& search) {
  // The maximum counts the end, too.
  if (const auto most = length_in(settings, "max_length", "max_new_tokens");
      most > start_tokens + 1) {
    search.set("max-length-ratio", std::string_view("0"));
    search.set("max-length-extra", most - start_tokens - 1);
  }
  const auto least = length_in(settings, "min_length", "min_new_tokens");
  set_unless<std::uint64_t>(0, "min-length-extra",
                            least - std::min<std::uint64_t>(least, start_tokens), search);
}

}  // namespace

void note_unused(ForeignSettings& settings, const UnusedSetting& setting, ConvertedModel& model) {
  const auto value = settings.text(setting.name, "null");
  const auto number = base::find_number<double>(value);
  if (value == "null" || value == "[]" || value == "{}" || (number && number == setting.off))
    return;
  const auto note = base::concat("setting '", setting.name, "' of the original is not used");
  if (std::ranges::find(model.notes, note) == model.notes.end()) model.notes.push_back(note);
}

void read_search(ForeignSettings& settings, std::uint32_t start_tokens, ConvertedModel& model) {
  auto& search = model.search;
  search.set("beam-size", count_in(settings, "num_beams", 1));
  search.set("alpha", settings.real("length_penalty", 1));
  search.set("length-penalty", "power");
  read_lengths(settings, start_tokens, search);
  set_unless(0u, "no-repeat-ngram", count_in(settings, "no_repeat_ngram_size", 0), search);
  set_unless(1.0, "repetition-penalty", settings.real("repetition_penalty", 1), search);
  if (settings.is_on("do_sample"))
    model.notes.emplace_back("the original samples its translations");
  for (const auto& setting : kUnusedSettings) note_unused(settings, setting, model);
  settings.ignore({"early_stopping", "forced_eos_token_id", "temperature", "top_k", "top_p",
                   "diversity_penalty", "num_return_sequences", "output_scores",
                   "renormalize_logits", "typical_p"});
}

namespace {

/// The arrays of one file, whose bytes they refer to.
class ArraysOfFile {
 public:
  ArraysOfFile(ModelFiles& files, const std::string& name) {
    with_name_once(files.path_of(name), [&] {
      const auto bytes = files.bytes(name);
      if (store::TorchFile::looks_like_torch(bytes)) {
        torch_ = std::make_unique<const store::TorchFile>(bytes);
        warn_of_unknown_objects(files, name, torch_->pickle());
        arrays_ = torch_->tensors(torch_->pickle().root());
      } else {
        arrays_ = arrays_of(store::read_header(bytes));
      }
    });
  }
  const store::StridedArrays& arrays() const { return arrays_; }
  void forget() const {
    if (torch_) torch_->forget();
  }

 private:
  std::unique_ptr<const store::TorchFile> torch_;
  store::StridedArrays arrays_;
};

/// The arrays of all files of an index.
std::vector<ArraysOfFile> read_shards(ModelFiles& files, const ShardIndex& index) {
  std::map<std::string, std::size_t, std::less<>> number_of;  // by the names of files
  std::vector<ArraysOfFile> shards;
  for (const auto& [array, file] : index.file_of) {
    const auto [place, is_new] = number_of.try_emplace(file, shards.size());
    if (is_new) shards.emplace_back(files, file);
    if (!shards[place->second].arrays().contains(array)) {
      base::fail(files.path_of(file), ": no array '", array, "', which ", files.path_of(index.name),
                 " expects there");
    }
  }
  return shards;
}

}  // namespace

void read_arrays(ModelFiles& files, const std::string& name,
                 const std::function<void(FileArrays)>& read) {
  const auto index = shard_index_of(files, name);
  if (!index) {
    const ArraysOfFile file(files, name);
    const auto release = [&] {
      files.forget();
      file.forget();
    };
    return with_name_once(files.path_of(name), [&] { read({file.arrays(), release}); });
  }
  const auto shards = read_shards(files, *index);
  const auto path = files.path_of(index->name);
  with_name_once(path, [&] {
    store::StridedArrays all;
    for (const auto& shard : shards) {
      for (const auto& [array, values] : shard.arrays()) {
        if (!all.emplace(array, values).second)
          base::fail("array '", array, "' is in several of its files");
      }
    }
    const auto release = [&] {
      files.forget();
      for (const auto& shard : shards) shard.forget();
    };
    read({std::move(all), release});
  });
}

}  // namespace awend::interchange
