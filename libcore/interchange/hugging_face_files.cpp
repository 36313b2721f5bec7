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

const std::string kGenerationName = "generation_config.json";

// The first word of each activation is the one that is written.
constexpr base::Word<nn::Activation> kActivations[] = {
    {nn::Activation::kRelu, "relu"},          {nn::Activation::kSwish, "swish"},
    {nn::Activation::kSwish, "silu"},         {nn::Activation::kGelu, "gelu"},
    {nn::Activation::kGeluTanh, "gelu_new"},  {nn::Activation::kGeluTanh, "gelu_pytorch_tanh"},
    {nn::Activation::kGeluTanh, "gelu_fast"}, {nn::Activation::kGeluSigmoid, "quick_gelu"}};

// Those of sampling have no effect without do_sample, which is noted.
constexpr UnusedSetting kUnusedSettings[] = {{.name = "begin_suppress_tokens"},
                                             {.name = "dola_layers"},
                                             {.name = "encoder_no_repeat_ngram_size", .off = 0},
                                             {.name = "encoder_repetition_penalty", .off = 1},
                                             {.name = "exponential_decay_length_penalty"},
                                             {.name = "force_words_ids"},
                                             {.name = "forced_decoder_ids"},
                                             {.name = "guidance_scale", .off = 1},
                                             {.name = "max_time"},
                                             {.name = "num_beam_groups", .off = 1},
                                             {.name = "penalty_alpha", .off = 0},
                                             {.name = "sequence_bias"},
                                             {.name = "stop_strings"},
                                             {.name = "suppress_tokens"},
                                             {.name = "watermarking_config"}};
// Those that matter with several hypotheses only, and what translate does.
constexpr UnusedSetting kUnusedOfBeams[] = {{.name = "early_stopping", .same = "never"},
                                            {.name = "renormalize_logits", .same = "true"}};

// What read_search() takes, and the readers of models with it.
constexpr std::string_view kOfSearch[] = {"bad_words_ids",
                                          "diversity_penalty",
                                          "do_sample",
                                          "forced_bos_token_id",
                                          "forced_eos_token_id",
                                          "length_penalty",
                                          "max_length",
                                          "max_new_tokens",
                                          "min_length",
                                          "min_new_tokens",
                                          "no_repeat_ngram_size",
                                          "num_beams",
                                          "num_return_sequences",
                                          "output_scores",
                                          "repetition_penalty",
                                          "temperature",
                                          "top_k",
                                          "top_p",
                                          "typical_p"};

void ignore_search(ForeignSettings& settings) {
  for (const auto& setting : kUnusedSettings) settings.ignore({setting.name});
  for (const auto& setting : kUnusedOfBeams) settings.ignore({setting.name});
  for (const auto name : kOfSearch) settings.ignore({name});
  settings.ignore({"decoder_start_token_id"});
}

/// Whether a configuration has a setting of generate() that is not the usual one.
bool has_search(ForeignSettings& config) {
  constexpr std::string_view kUsual[] = {"null", "false", "0", "0.0", "1", "1.0", "20", "50"};
  return std::ranges::any_of(kOfSearch, [&](std::string_view name) {
    return std::ranges::count(kUsual, config.text(name, "null")) == 0;
  });
}

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
  const auto& name = kGenerationName;
  bool has_generation = files.has(name);
  // Version 4 of transformers makes settings that come from config.json again from it.
  const bool is_derived =
      has_generation && with_name_once(files.path_of(name), [&] {
        return ForeignSettings::from_json(files.text(name)).is_on("_from_model_config");
      });
  with_name_once(files.path_of(kConfigName), [&] {
    auto settings = ForeignSettings::from_json(files.text(kConfigName));
    if (is_derived && has_search(settings)) has_generation = false;
    read_config(settings);
    if (has_generation)
      ignore_search(settings);
    else
      read_generation(settings);
    settings.require_all_known();
  });
  if (!has_generation) return;
  with_name_once(files.path_of(name), [&] {
    auto settings = ForeignSettings::from_json(files.text(name));
    read_generation(settings);
  });
}

void require_end(ModelFiles& files, const text::Vocabulary& vocabulary) {
  const auto& name = files.has(kGenerationName) ? kGenerationName : kConfigName;
  with_name_once(files.path_of(name), [&] {
    const auto id = vocabulary.end_of_sentence();
    const auto end = base::concat(id), list = base::concat("[", id, "]");
    ForeignSettings::from_json(files.text(name))
        .require("eos_token_id", {end, list, "null"},
                 base::concat("another end than ", id, " (", vocabulary.piece(id), ")"));
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

void read_bart_sizes(ForeignSettings& settings, model::Config& config) {
  config.d_model = settings.count("d_model");
  set_sizes(config, {settings.count("encoder_attention_heads"), settings.count("encoder_ffn_dim")},
            {settings.count("decoder_attention_heads"), settings.count("decoder_ffn_dim")});
  config.encoder_layers = settings.count("encoder_layers");
  config.decoder_layers = settings.count("decoder_layers");
}

namespace {

// The domains of decode/search_settings.hpp, outside of which translate refuses a checkpoint.
constexpr std::uint32_t kMaxLength = 1'000'000, kMaxNgram = 1000, kMaxBeam = 100'000;
constexpr double kMaxAlpha = 100, kMinRepetitionPenalty = 0.01, kMaxRepetitionPenalty = 100;

/// The number in a setting, or the usual one if the search does not accept it, which is noted.
template <class Number>
Number within(Number number, Number lowest, Number highest, Number usual, std::string_view name,
              ConvertedModel& model) {
  if (number >= lowest && number <= highest) return number;
  model.notes.push_back(base::concat("setting '", name, "' of the original is ", number,
                                     ", which the search does not support; it is ", usual,
                                     " here"));
  return usual;
}

/// Sets a setting of the search, unless it is what translate does anyway.
template <class Number>
void set_unless(Number usual, std::string_view name, Number value, store::Settings& search) {
  if (value != usual) search.set(name, value);
}

/// A length with the first tokens: that of new tokens, if there is one, which does not count the
/// start token.
std::uint64_t length_in(ForeignSettings& settings, std::string_view all, std::string_view fresh) {
  const std::uint64_t length = settings.count(all, 0), added = settings.count(fresh, 0);
  return added == 0 ? length : added + 1;
}

void read_lengths(ForeignSettings& settings, std::uint32_t start_tokens, store::Settings& search) {
  // The maximum counts the start.  If an end is forced, it is the last of these tokens; otherwise
  // an output without one is as long.
  const bool is_end_forced = settings.text("forced_eos_token_id", "null") != "null";
  const std::uint64_t around = start_tokens + (is_end_forced ? 1u : 0u);
  if (const auto most = length_in(settings, "max_length", "max_new_tokens"); most > around) {
    search.set("max-length-ratio", std::string_view("0"));
    search.set("max-length-extra", std::min<std::uint64_t>(most - around, kMaxLength));
  }
  const auto least = length_in(settings, "min_length", "min_new_tokens");
  set_unless<std::uint64_t>(
      0, "min-length-extra",
      std::min<std::uint64_t>(least - std::min<std::uint64_t>(least, start_tokens), kMaxLength),
      search);
}

/// The maximum length of the search, unless it depends on the source.
std::optional<std::uint64_t> longest_of(const store::Settings& search) {
  const auto extra = search.find("max-length-extra");
  if (!extra || search.find("max-length-ratio").value_or("") != "0") return std::nullopt;
  return base::to_number<std::uint64_t>(*extra, "the maximum length");
}

}  // namespace

void note_unused(ForeignSettings& settings, const UnusedSetting& setting, ConvertedModel& model) {
  const auto value = settings.text(setting.name, "null");
  const auto number = base::find_number<double>(value);
  const bool is_off =
      value == "null" || value == "[]" || value == "{}" || (number && number == setting.off);
  if (is_off || value == setting.same) return;
  const auto note = base::concat("setting '", setting.name, "' of the original is not used");
  if (std::ranges::find(model.notes, note) == model.notes.end()) model.notes.push_back(note);
}

void assume_forced_end(ForeignSettings& settings) {
  // Only whether there is an id matters.
  if (!settings.has("forced_eos_token_id")) settings.set("forced_eos_token_id", "0");
}

void read_search(ForeignSettings& settings, std::uint32_t start_tokens, ConvertedModel& model) {
  auto& search = model.search;
  const auto beam = within(settings.count("num_beams", 1), 1u, kMaxBeam, 1u, "num_beams", model);
  search.set("beam-size", beam);
  search.set("alpha", within(settings.real("length_penalty", 1), 0.0, kMaxAlpha, 1.0,
                             "length_penalty", model));
  search.set("length-penalty", "power");
  read_lengths(settings, start_tokens, search);
  const auto ngram = settings.count("no_repeat_ngram_size", 0);
  set_unless(0u, "no-repeat-ngram", within(ngram, 0u, kMaxNgram, 0u, "no_repeat_ngram_size", model),
             search);
  const auto repetition = settings.real("repetition_penalty", 1);
  set_unless(1.0, "repetition-penalty",
             within(repetition, kMinRepetitionPenalty, kMaxRepetitionPenalty, 1.0,
                    "repetition_penalty", model),
             search);
  auto& start_id = model.config.start_id;
  start_id = settings.count("decoder_start_token_id", start_id);
  if (start_id == kNoStart) start_id = settings.count("decoder_start_token_id");
  if (settings.is_on("do_sample"))
    model.notes.emplace_back("the original samples its translations");
  for (const auto& setting : kUnusedSettings) note_unused(settings, setting, model);
  if (beam > 1) {
    for (const auto& setting : kUnusedOfBeams) note_unused(settings, setting, model);
  }
  ignore_search(settings);
}

void add_search(base::JsonObject& object, const WrittenSearch& written,
                const store::Settings& search) {
  const bool is_power = search.find("length-penalty").value_or("") == "power";
  object.value("length_penalty", is_power ? search.find("alpha").value_or("1") : std::string("1"));
  const auto longest = longest_of(search);
  object.count("max_length", longest ? *longest + written.tokens_around : written.max_length);
  if (const auto extra = search.find("min-length-extra")) {
    object.count("min_length", base::to_number<std::uint64_t>(*extra, "the minimum length") +
                                   written.start_tokens);
  }
  if (const auto size = search.find("no-repeat-ngram")) object.value("no_repeat_ngram_size", *size);
  object.value("num_beams", search.find("beam-size").value_or(std::string(written.num_beams)));
  if (const auto penalty = search.find("repetition-penalty"))
    object.value("repetition_penalty", *penalty);
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

/// The arrays of all files of an index, which may also name copies of tied matrices that no file
/// has.
std::vector<ArraysOfFile> read_shards(ModelFiles& files, const ShardIndex& index) {
  std::set<std::string, std::less<>> read;
  std::vector<ArraysOfFile> shards;
  for (const auto& [array, file] : index.file_of) {
    if (read.insert(file).second) shards.emplace_back(files, file);
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
