// Models of Hugging Face transformers: MarianMT here, BERT in hugging_face_bert.cpp, and
// XLM-RoBERTa in xlm_roberta.cpp.
#include <algorithm>
#include <array>
#include <set>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"
#include "interchange/xlm_roberta.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

model::Tie tie_of(ForeignSettings& settings) {
  const bool embeddings = settings.is_on("share_encoder_decoder_embeddings", Default::kOn),
             output = settings.is_on("tie_word_embeddings", Default::kOn);
  if (embeddings) return output ? model::Tie::kAll : model::Tie::kEmbeddings;
  return output ? model::Tie::kDecoder : model::Tie::kNone;
}

/// The ids in "[[1],[2]]".  Throws Error for sequences of several ids.
void add_ids(std::string_view lists, std::vector<std::uint32_t>& ids) {
  if (lists == "null" || lists == "[]") return;
  if (lists.size() < 4) base::fail("setting 'bad_words_ids': '", lists, "' is not a list of lists");
  lists = lists.substr(2, lists.size() - 4);
  while (!lists.empty()) {
    const auto item = lists.substr(0, lists.find("],["));
    lists.remove_prefix(std::min(item.size() + 3, lists.size()));
    ids.push_back(base::to_number<std::uint32_t>(item, "a single id in 'bad_words_ids'"));
  }
}

void require_supported(ForeignSettings& settings) {
  settings.text("model_type");
  settings.require("architectures", {"[\"MarianMTModel\"]", "null"}, "another architecture");
  settings.require("normalize_embedding", {"false"}, "a normalization of embeddings");
  settings.require("normalize_before", {"false"}, "normalization before blocks");
  settings.require("add_final_layer_norm", {"false"}, "a final normalization");
  settings.require("static_position_embeddings", {"true"}, "learned positions");
  settings.require("extra_pos_embeddings", {"0"}, "an offset of positions");
  settings.require("do_blenderbot_90_layernorm", {"false"}, "another normalization");
}

model::Config config_of(ForeignSettings& settings) {
  require_supported(settings);
  model::Config config;
  auto& transformer = config.transformer;
  config.source_vocabulary = settings.count("vocab_size");
  config.vocabulary = settings.count("decoder_vocab_size", config.source_vocabulary);
  config.d_model = settings.count("d_model");
  transformer.d_ff = settings.count("encoder_ffn_dim");
  transformer.decoder_d_ff = settings.count("decoder_ffn_dim");
  if (transformer.decoder_d_ff == transformer.d_ff) transformer.decoder_d_ff = 0;
  transformer.heads = settings.count("encoder_attention_heads");
  transformer.decoder_heads = settings.count("decoder_attention_heads");
  if (transformer.decoder_heads == transformer.heads) transformer.decoder_heads = 0;
  set_head_sizes(config);
  config.encoder_layers = settings.count("encoder_layers");
  config.decoder_layers = settings.count("decoder_layers");
  transformer.activation = activation_in(settings, "activation_function");
  transformer.tie = tie_of(settings);
  transformer.attention_bias = transformer.output_bias = Switch::kOn;
  if (!settings.is_on("scale_embedding")) transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  transformer.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = settings.count("decoder_start_token_id");
  transformer.masked_ids = {settings.count("pad_token_id")};
  add_ids(settings.text("bad_words_ids", "null"), transformer.masked_ids);
  std::ranges::sort(transformer.masked_ids);
  transformer.masked_ids.erase(
      std::unique(transformer.masked_ids.begin(), transformer.masked_ids.end()),
      transformer.masked_ids.end());
  return config;
}

/// Settings of generate(), which generation_config.json replaces.
void read_search(ForeignSettings& settings, ConvertedModel& model) {
  const auto beam = settings.count("num_beams", 1);
  model.search.set("beam-size", beam);
  model.search.set("alpha", settings.real("length_penalty", 1));
  model.search.set("length-penalty", "power");
  // The maximum counts the start token and the end.
  if (const auto most = settings.count("max_length", 0); most > 2) {
    model.search.set("max-length-ratio", std::string_view("0"));
    model.search.set("max-length-extra", most - 2);
  }
  if (settings.is_on("do_sample"))
    model.notes.emplace_back("the original samples its translations");
  for (const char* name : {"no_repeat_ngram_size", "min_length", "encoder_no_repeat_ngram_size"}) {
    if (settings.count(name, 0) != 0)
      model.notes.push_back(base::concat("setting '", name, "' of the original is not used"));
  }
  settings.ignore({"early_stopping", "forced_eos_token_id", "forced_bos_token_id", "temperature",
                   "top_k", "top_p", "diversity_penalty", "num_beam_groups", "num_return_sequences",
                   "output_scores", "renormalize_logits", "repetition_penalty", "typical_p"});
}

void ignore_harmless(ForeignSettings& settings) {
  ignore_common_settings(settings);
  settings.ignore({"activation_dropout", "add_bias_logits", "add_cross_attention",
                   "attention_dropout",  "classif_dropout", "classifier_dropout",
                   "decoder_layerdrop",  "dropout",         "encoder_layerdrop",
                   "id2label",           "init_std",        "is_decoder",
                   "is_encoder_decoder", "label2id",        "max_position_embeddings",
                   "num_hidden_layers",  "num_labels",      "output_past",
                   "problem_type",       "pruned_heads"});
}

void read_weights(store::StridedArrays arrays, ConvertedModel& model) {
  ForeignWeights weights(std::move(arrays));
  const HasArray has = [&](std::string_view array) { return weights.has(array); };
  weights.read_all(
      model, [&](const model::WeightShape& weight) { return hugging_face_location(weight, has); });
  // The sinusoids are computed; the rest are copies of tied matrices.
  for (const char* name :
       {"model.encoder.embed_positions.weight", "model.shared.weight",
        "model.decoder.embed_positions.weight", "model.encoder.embed_tokens.weight",
        "model.decoder.embed_tokens.weight", "lm_head.weight"})
    weights.ignore(name);
  weights.require_all_known();
}

TokenList tokens_of(ModelFiles& files, const std::string& name, const std::string& splitter) {
  return with_name(files.path_of(name), [&] {
    return TokenList{.tokens = tokens_of_json(files.text(name)),
                     .unknown = "<unk>",
                     .end = "</s>",
                     .splitter = splitter_in(files, {&splitter, 1})};
  });
}

const std::string kConfigName = "config.json";

ConvertedModel read_marian_mt(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  const std::string generation_name = "generation_config.json";
  with_name(files.path_of(kConfigName), [&] {
    auto settings = ForeignSettings::from_json(files.text(kConfigName));
    model.config = config_of(settings);
    read_search(settings, model);
    ignore_harmless(settings);
    settings.require_all_known();
  });
  if (files.has(generation_name)) {
    with_name(files.path_of(generation_name), [&] {
      auto settings = ForeignSettings::from_json(files.text(generation_name));
      read_search(settings, model);
    });
  }
  read_arrays(files, name,
              [&](store::StridedArrays arrays) { read_weights(std::move(arrays), model); });
  const auto source = tokens_of(files, "vocab.json", "source.spm");
  const auto target = tokens_of(
      files, files.has("target_vocab.json") ? "target_vocab.json" : "vocab.json", "target.spm");
  with_name(files.path_of("vocab.json"), [&] { set_vocabularies(model, source, target); });
  return model;
}

}  // namespace

ConvertedModel read_hugging_face(ModelFiles& files, const std::string& name) {
  if (!files.has(kConfigName)) base::fail(files.path_of(name), ": no config.json next to it");
  const auto type = with_name(files.path_of(kConfigName), [&] {
    return ForeignSettings::from_json(files.text(kConfigName)).text("model_type");
  });
  if (type == "marian") return read_marian_mt(files, name);
  if (type == "bert") return read_hugging_face_bert(files, name);
  if (type == "xlm-roberta") return read_xlm_roberta(files, name);
  base::fail(files.path_of(kConfigName), ": models of type '", type,
             "' of Hugging Face are not supported (expected marian, bert or xlm-roberta)");
}

}  // namespace awend::interchange
