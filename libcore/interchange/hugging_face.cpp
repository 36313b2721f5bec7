// Models of Hugging Face transformers: MarianMT here, BERT in hugging_face_bert.cpp, XLM-RoBERTa in
// xlm_roberta.cpp, M2M100 and mBART-50 in hugging_face_multilingual.cpp, and T5 in
// hugging_face_t5.cpp.
#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "interchange/hugging_face_multilingual.hpp"
#include "interchange/hugging_face_t5.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"
#include "interchange/xlm_roberta.hpp"
#include "store/json_text.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr std::uint32_t kStartTokens = 1;
const std::string kSourcePieces = "source.spm", kTargetPieces = "target.spm";

model::Tie tie_of(ForeignSettings& settings) {
  const bool embeddings = settings.is_on("share_encoder_decoder_embeddings", Default::kOn),
             output = settings.is_on("tie_word_embeddings", Default::kOn);
  if (embeddings) return output ? model::Tie::kAll : model::Tie::kEmbeddings;
  return output ? model::Tie::kDecoder : model::Tie::kNone;
}

std::vector<std::string> elements_of(const std::string& list) {
  return with_name_once("setting 'bad_words_ids'", [&] { return store::json_elements(list); });
}

/// Masks the ids in "[[1],[2]]".  Throws Error for sequences of several ids.
void mask_ids(const std::string& lists, std::vector<std::uint32_t>& masked) {
  if (lists == "null") return;
  for (const auto& list : elements_of(lists)) {
    const auto ids = base::join(elements_of(list), ",");
    masked.push_back(base::to_number<std::uint32_t>(ids, "a single id in 'bad_words_ids'"));
  }
  std::ranges::sort(masked);
  masked.erase(std::unique(masked.begin(), masked.end()), masked.end());
}

void require_supported(ForeignSettings& settings) {
  settings.text("model_type");
  settings.require("architectures", {"[\"MarianMTModel\"]", "null"}, "another architecture");
  settings.require("normalize_embedding", {"false", "null"}, "a normalization of embeddings");
  settings.require("normalize_before", {"false", "null"}, "normalization before blocks");
  settings.require("add_final_layer_norm", {"false", "null"}, "a final normalization");
  settings.require("static_position_embeddings", {"true", "null"}, "learned positions");
  settings.require("do_blenderbot_90_layernorm", {"false", "null"}, "another normalization");
}

model::Config config_of(ForeignSettings& settings) {
  require_supported(settings);
  model::Config config;
  auto& transformer = config.transformer;
  config.source_vocabulary = settings.count("vocab_size");
  config.vocabulary = settings.count("decoder_vocab_size", config.source_vocabulary);
  read_bart_sizes(settings, config);
  transformer.activation = activation_in(settings, "activation_function");
  transformer.tie = tie_of(settings);
  transformer.attention_bias = transformer.output_bias = Switch::kOn;
  if (!settings.is_on("scale_embedding")) transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  transformer.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = settings.count("decoder_start_token_id", kNoStart);
  assume_forced_end(settings);
  transformer.masked_ids = {settings.count("pad_token_id")};
  return config;
}

void read_weights(FileArrays file, ConvertedModel& model) {
  ForeignWeights weights(std::move(file.arrays));
  weights.after_reading(file.release);
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

/// The tokens of a side that has this many ids.
TokenList tokens_of(ModelFiles& files, const std::string& name, const std::string& splitter,
                    std::uint32_t vocabulary) {
  auto list = with_name_once(files.path_of(name), [&] {
    return TokenList{.tokens = tokens_of_json(files.text(name)),
                     .unknown = "<unk>",
                     .end = "</s>",
                     .splitter = splitter_in(files, {&splitter, 1})};
  });
  append_added_tokens(files, vocabulary, list.tokens);
  return list;
}

/// Without one of its SentencePiece models, a model cannot split the text of both sides.
void check_splitters(ModelFiles& files) {
  const bool has_source = files.has(kSourcePieces), has_target = files.has(kTargetPieces);
  if (has_source && has_target) return;
  const auto path = files.path_of(has_source ? kTargetPieces : kSourcePieces);
  if (has_source || has_target) base::fail(path, ": no such file; copy it from the original model");
  files.warn(base::concat(path,
                          ": no such file, so that text is split at spaces only; copy it and ",
                          kTargetPieces, " from the original model"));
}

/// transformers have no name for ids with which a model is only padded.
void mask_padding(const TokenList& list, std::vector<std::uint32_t>& masked) {
  for (std::uint32_t id = 0; id < list.tokens.size(); ++id) {
    if (list.tokens[id].empty() && std::ranges::find(masked, id) == masked.end())
      masked.push_back(id);
  }
  std::ranges::sort(masked);
}

void read_generation(ForeignSettings& settings, ConvertedModel& model) {
  read_search(settings, kStartTokens, model);
  mask_ids(settings.text("bad_words_ids", "null"), model.config.transformer.masked_ids);
  note_unused(settings, {.name = "forced_bos_token_id"}, model);
}

ConvertedModel read_marian_mt(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  read_settings(
      files,
      [&](ForeignSettings& settings) {
        model.config = config_of(settings);
        ignore_bart_settings(settings);
      },
      [&](ForeignSettings& settings) { read_generation(settings, model); });
  read_arrays(files, name, [&](FileArrays file) { read_weights(std::move(file), model); });
  auto& config = model.config;
  check_splitters(files);
  const auto source =
      tokens_of(files, "vocab.json", kSourcePieces, model::source_vocabulary_of(config));
  const auto target =
      tokens_of(files, files.has("target_vocab.json") ? "target_vocab.json" : "vocab.json",
                kTargetPieces, config.vocabulary);
  mask_padding(target, config.transformer.masked_ids);
  with_name_once(files.path_of("vocab.json"), [&] { set_vocabularies(model, source, target); });
  // As transformers, which never forbid the end.
  std::erase(config.transformer.masked_ids, model.vocabulary->end_of_sentence());
  return model;
}

}  // namespace

ConvertedModel read_hugging_face(ModelFiles& files, const std::string& name) {
  if (!files.has(kConfigName)) base::fail(files.path_of(name), ": no config.json next to it");
  const auto type = with_name_once(files.path_of(kConfigName), [&] {
    return ForeignSettings::from_json(files.text(kConfigName)).text("model_type");
  });
  if (type == "bert") return read_hugging_face_bert(files, name);
  if (type == "xlm-roberta") return read_xlm_roberta(files, name);
  const auto read = type == "marian"                ? read_marian_mt
                    : type == "m2m_100"             ? read_m2m100
                    : type == "mbart"               ? read_mbart50
                    : type == "t5" || type == "mt5" ? read_t5
                                                    : nullptr;
  if (read == nullptr) {
    base::fail(files.path_of(kConfigName), ": models of type '", type,
               "' of Hugging Face are not supported (expected marian, bert, xlm-roberta, m2m_100, "
               "mbart, t5 or mt5)");
  }
  auto model = read(files, name);
  require_end(files, *model.vocabulary);
  return model;
}

}  // namespace awend::interchange
