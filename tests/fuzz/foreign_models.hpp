// The smallest models of other toolkits, as files in memory.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "interchange/export.hpp"
#include "interchange/hugging_face_t5.hpp"
#include "interchange/read_model.hpp"
#include "interchange/token_list.hpp"
#include "model/weight_layout.hpp"
#include "store/array_writer.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/bert/word_pieces.hpp"

namespace awend::tests {

using Contents = std::map<std::string, std::string>;
inline constexpr int kSize = 4;  // of all layers

inline std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7) - 3;
  return values;
}

/// Arrays and settings as files of Marian.
inline Contents marian_files(std::vector<MarianItem> items, const std::string& settings) {
  items.push_back(
      {"special:model.yml", 0x101, {static_cast<std::int32_t>(settings.size())}, settings});
  return {{"model.bin", marian_binary_of(items)},
          {"vocab.yml", "</s>: 0\n<unk>: 1\n\"\\xe4\": 2\n? b\n: 3\n"},
          {"model.bin.decoder.yml", "beam-size: 6\nnormalize: 0.6\nvocabs:\n  - vocab.yml\n"}};
}

enum class MarianDecoder { kSelfAttention, kSsru };

inline Contents marian_contents(MarianDecoder decoder = MarianDecoder::kSelfAttention) {
  const bool is_ssru = decoder == MarianDecoder::kSsru;
  const std::string settings = base::concat(
      "dec-cell: ssru\ndec-depth: 1\ndim-emb: 4\ndim-vocabs:\n  - 4\n  - 4\nenc-depth: 1\n"
      "tied-embeddings-all: true\ntransformer-decoder-autoreg: ",
      is_ssru ? "rnn" : "self-attention",
      "\ntransformer-dim-ffn: 4\ntransformer-ffn-activation: relu\ntransformer-heads: 1\n"
      "transformer-postprocess: dan\ntransformer-preprocess: \"\"\ntransformer-tied-layers:\n  []\n"
      "type: transformer\nversion: v1.12\n");
  std::vector<MarianItem> items;
  const auto add = [&](const std::string& name, std::int32_t rows) {
    items.push_back(
        {name, 0x404, {rows, kSize}, bytes_of(numbers(static_cast<std::size_t>(rows * kSize)))});
  };
  const auto add_linear = [&](const std::string& prefix, const std::string& letters) {
    for (const char letter : letters) {
      add(prefix + "W" + letter, kSize);
      add(prefix + "b" + letter, 1);
    }
  };
  const auto add_norm = [&](const std::string& prefix) {
    add(prefix + "_ln_scale", 1);
    add(prefix + "_ln_bias", 1);
  };
  for (const std::string side : {"encoder_l1_", "decoder_l1_"}) {
    if (is_ssru && side[0] == 'd') {
      add_linear(side + "rnn_", "f");
      add(side + "rnn_W", kSize);
      add_norm(side + "rnn_ffn");
    } else {
      add_linear(side + "self_", "qkvo");
      add_norm(side + "self_Wo");
    }
    if (side[0] == 'd') {
      add_linear(side + "context_", "qkvo");
      add_norm(side + "context_Wo");
    }
    add_linear(side + "ffn_", "12");
    add_norm(side + "ffn_ffn");
  }
  add("Wemb", kSize);
  add("decoder_ff_logit_out_b", 1);
  return marian_files(items, settings);
}

inline Contents marian_rnn_contents() {
  std::vector<MarianItem> items;
  const auto add = [&](const std::string& name, std::int32_t rows, std::int32_t columns) {
    items.push_back({name,
                     0x404,
                     {rows, columns},
                     bytes_of(numbers(static_cast<std::size_t>(rows) * columns))});
  };
  const auto add_cell = [&](const std::string& prefix, std::int32_t inputs) {
    for (const std::string end : {"", "x"}) {
      const std::int32_t columns = end.empty() ? 2 * kSize : kSize;
      add(prefix + "_W" + end, inputs, columns);
      add(prefix + "_U" + end, kSize, columns);
      add(prefix + "_b" + end, 1, columns);
    }
  };
  add_cell("encoder_bi", kSize);
  add_cell("encoder_bi_r", kSize);
  add_cell("decoder_cell1", kSize);
  add_cell("decoder_cell2", 2 * kSize);
  add("decoder_W_comb_att", kSize, 2 * kSize);
  add("decoder_Wc_att", 2 * kSize, 2 * kSize);
  add("decoder_b_att", 1, 2 * kSize);
  add("decoder_U_att", 2 * kSize, 1);
  add("decoder_ff_state_W", 2 * kSize, kSize);
  add("decoder_ff_state_b", 1, kSize);
  for (const std::string input : {"0", "1", "2"}) {
    add("decoder_ff_logit_l1_W" + input, input == "2" ? 2 * kSize : kSize, kSize);
    add("decoder_ff_logit_l1_b" + input, 1, kSize);
  }
  // The output is not tied.
  add("decoder_ff_logit_l2_Wt", kSize, kSize);
  add("decoder_ff_logit_l2_b", 1, kSize);
  add("Wemb", kSize, kSize);
  return marian_files(items,
                      "dec-cell: gru\ndec-cell-base-depth: 2\ndec-depth: 1\ndim-emb: 4\n"
                      "dim-rnn: 4\ndim-vocabs:\n  - 4\n  - 4\nenc-cell: gru\nenc-depth: 1\n"
                      "enc-type: bidirectional\nskip: false\ntied-embeddings-src: true\n"
                      "type: s2s\nversion: v1.12\n");
}

/// Names of PyTorch for one layer on each side; `attention` is the prefix of cross-attention.
inline std::vector<std::pair<std::string, std::vector<std::int32_t>>> torch_shapes() {
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> shapes;
  const auto add = [&](const std::string& name, bool is_matrix) {
    if (is_matrix) shapes.push_back({name + ".weight", {kSize, kSize}});
    if (!is_matrix) shapes.push_back({name + ".weight", {kSize}});
    shapes.push_back({name + ".bias", {kSize}});
  };
  for (const std::string side : {"encoder.layers.0.", "decoder.layers.0."}) {
    std::vector<std::string> attentions = {"self_attn"};
    if (side[0] == 'd') attentions.push_back("encoder_attn");
    for (const auto& attention : attentions) {
      for (const char* part : {".q_proj", ".k_proj", ".v_proj", ".out_proj"})
        add(side + attention + part, true);
      add(side + attention + "_layer_norm", false);
    }
    add(side + "fc1", true);
    add(side + "fc2", true);
    add(side + "final_layer_norm", false);
  }
  return shapes;
}

inline Contents hugging_face_contents() {
  const Scratch scratch;
  const auto values = numbers(kSize * kSize);
  std::vector<store::Array> arrays;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& shape) {
    arrays.push_back({name, store::Type::F32, shape,
                      std::as_bytes(std::span(values)).first(4 * store::count_of(shape))});
  };
  for (const auto& [name, shape] : torch_shapes())
    add("model." + name, std::vector<std::uint64_t>(shape.begin(), shape.end()));
  add("model.shared.weight", {kSize, kSize});
  add("final_logits_bias", {1, kSize});
  store::write_arrays(scratch.path("x"), arrays, {});
  return {{"model.safetensors", Scratch::read(scratch.path("x"))},
          {"vocab.json", R"({"</s>": 0, "<unk>": 1, "a": 2, "<pad>": 3})"},
          {"generation_config.json", R"({"num_beams": 6, "max_length": 512})"},
          {"config.json",
           R"({"model_type": "marian", "vocab_size": 4, "d_model": 4, "encoder_ffn_dim": 4,)"
           R"( "decoder_ffn_dim": 4, "encoder_attention_heads": 1, "decoder_attention_heads": 1,)"
           R"( "encoder_layers": 1, "decoder_layers": 1, "activation_function": "swish",)"
           R"( "scale_embedding": true, "decoder_start_token_id": 3, "pad_token_id": 3,)"
           R"( "bad_words_ids": [[3]]})"}};
}

enum class Multilingual { kNllb, kM2m100, kMbart50 };

/// A model in two files, with two languages.
inline Contents multilingual_contents(Multilingual kind) {
  const bool is_mbart = kind == Multilingual::kMbart50;
  constexpr std::uint64_t kTokens = 12, kRows = 5;
  const Scratch scratch;
  const auto values = numbers(kTokens * kSize);
  std::vector<store::Array> first, second;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& shape) {
    (name.starts_with("encoder.layers") ? first : second)
        .push_back({"model." + name, store::Type::F32, shape,
                    std::as_bytes(std::span(values)).first(4 * store::count_of(shape))});
  };
  for (const auto& [name, shape] : torch_shapes())
    add(name, std::vector<std::uint64_t>(shape.begin(), shape.end()));
  add("shared.weight", {kTokens, kSize});
  for (const std::string side : {"encoder.", "decoder."}) {
    for (const char* norm : {"layer_norm", "layernorm_embedding"}) {
      if (!is_mbart && norm[5] == 'n') continue;
      add(side + norm + ".weight", {kSize});
      add(side + norm + ".bias", {kSize});
    }
    if (is_mbart) add(side + "embed_positions.weight", {kRows, kSize});
  }
  if (is_mbart) {
    second.push_back({"final_logits_bias",
                      store::Type::F32,
                      {1, kTokens},
                      std::as_bytes(std::span(values)).first(4 * kTokens)});
  }
  Contents contents;
  std::string index;
  for (const auto& [number, arrays] : {std::pair("1", first), std::pair("2", second)}) {
    const auto name = base::concat("model-0000", number, "-of-00002.safetensors");
    store::write_arrays(scratch.path(name), arrays, {{"format", "pt"}});
    contents[name] = Scratch::read(scratch.path(name));
    for (const auto& array : arrays)
      index += base::concat(index.empty() ? "" : ", ", "\"", array.name, "\": \"", name, "\"");
  }
  contents["model.safetensors.index.json"] = "{\"metadata\": {}, \"weight_map\": {" + index + "}}";
  contents["sentencepiece.bpe.model"] = small_model(ModelKind::kBpe);
  contents["generation_config.json"] = R"({"num_beams": 5, "max_length": 200})";
  contents["config.json"] = base::concat(
      R"({"model_type": ")", is_mbart ? "mbart" : "m2m_100",
      R"(", "vocab_size": 12, "d_model": 4, "encoder_ffn_dim": 4, "decoder_ffn_dim": 4,)",
      R"( "encoder_attention_heads": 1, "decoder_attention_heads": 1, "encoder_layers": 1,)",
      R"( "decoder_layers": 1, "activation_function": "relu", "scale_embedding": true,)",
      R"( "decoder_start_token_id": 2, "max_length": null})");
  switch (kind) {
    case Multilingual::kNllb:
      contents["tokenizer_config.json"] =
          R"({"added_tokens_decoder": {"9": {"content": "<mask>"}, "10": {"content": "deu_Latn"},)"
          R"( "11": {"content": "eng_Latn"}}, "tokenizer_class": "NllbTokenizer"})";
      contents["added_tokens.json"] = R"({"deu_Latn": 10, "eng_Latn": 11, "<mask>": 9})";
      break;
    case Multilingual::kM2m100:
      contents["vocab.json"] =
          R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "b": 4, "a": 5, "\u2581a": 6})";
      contents["special_tokens_map.json"] =
          R"({"additional_special_tokens": ["__de__", "__en__"]})";
      break;
    case Multilingual::kMbart50:
      contents["tokenizer.json"] =
          R"({"added_tokens": [{"id": 9, "content": "de_DE"}, {"id": 10, "content": "en_XX"},)"
          R"( {"id": 11, "content": "<mask>", "special": true}], "model": {}})";
      break;
  }
  return contents;
}

/// A gated model with an output of its own, and tags of two languages.
inline Contents t5_contents(const std::string& embedding = "shared.weight") {
  model::Config config;
  auto& transformer = config.transformer;
  config.vocabulary = 12;
  config.d_model = transformer.d_ff = kSize;
  transformer.heads = 1;
  transformer.d_k = transformer.d_v = 8;
  config.encoder_layers = config.decoder_layers = 1;
  transformer.norm = model::Norm::kPre;
  transformer.norm_kind = model::NormKind::kRms;
  transformer.feed_forward = model::FeedForwardKind::kGated;
  transformer.feed_forward_bias = model::Switch::kOff;
  transformer.positions = model::Positions::kRelative;
  transformer.relative_buckets = 8;
  transformer.relative_max_distance = 9;
  transformer.tie = model::Tie::kEmbeddings;
  const auto values = numbers(std::size_t{config.vocabulary} * kSize);
  const Scratch scratch;
  std::vector<store::Array> arrays;
  for (const auto& weight : model::transformer_weights(config)) {
    const auto location = interchange::t5_location(config, weight);
    std::vector<std::uint64_t> shape = {weight.rows, weight.columns};
    if (location.order == interchange::Location::Order::kTransposed) std::ranges::reverse(shape);
    if (weight.columns == 1) shape = {weight.rows, 1};
    if (weight.rows == 1) shape = {weight.columns};
    arrays.push_back({weight.part == "embedding" ? embedding : location.name, store::Type::F32,
                      shape, std::as_bytes(std::span(values)).first(4 * store::count_of(shape))});
  }
  store::write_arrays(scratch.path("x"), arrays, {});
  return {{"model.safetensors", Scratch::read(scratch.path("x"))},
          {"spiece.model", small_model(ModelKind::kBpe)},
          {"added_tokens.json", R"({"<pad>": 8, "<2de>": 9, "<2en>": 10})"},
          {"tokenizer_config.json", R"({"tokenizer_class": "T5Tokenizer", "extra_ids": 0})"},
          {"generation_config.json", R"({"num_beams": 3, "decoder_start_token_id": 8})"},
          {"config.json",
           R"({"model_type": "t5", "vocab_size": 12, "d_model": 4, "d_kv": 8, "d_ff": 4,)"
           R"( "num_layers": 1, "num_decoder_layers": 1, "num_heads": 1,)"
           R"( "feed_forward_proj": "gated-gelu", "dense_act_fn": "gelu_new",)"
           R"( "relative_attention_num_buckets": 8, "relative_attention_max_distance": 9,)"
           R"( "tie_word_embeddings": false, "decoder_start_token_id": 8})"}};
}

/// With a head for the next sentence, which has the most arrays.
inline interchange::ConvertedModel small_bert() {
  interchange::ConvertedModel model;
  auto& config = model.config;
  config = model::preset("bert-tiny");
  config.vocabulary = 7;
  config.d_model = config.transformer.d_ff = config.transformer.d_k = config.transformer.d_v =
      kSize;
  config.transformer.heads = config.encoder_layers = 1;
  config.max_positions = 3;
  for (const auto& weight : model::bert_weights(config))
    model.weights[weight.name()] = numbers(std::size_t{weight.rows} * weight.columns);
  model.vocabulary =
      text::import_word_pieces("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n", "v",
                               text::LetterCase::kLower, text::BertRules::kHuggingFace);
  return model;
}

/// The files of a BERT.
inline Contents contents_of_bert(const interchange::ConvertedModel& model) {
  const Scratch scratch;
  interchange::write_hugging_face_model(scratch.folder(), model);
  Contents contents;
  for (const char* name :
       {"model.safetensors", "config.json", "vocab.txt", "tokenizer_config.json"})
    contents[name] = Scratch::read(scratch.path(name));
  return contents;
}

inline Contents bert_contents() {
  return contents_of_bert(small_bert());
}

inline Contents fairseq_contents() {
  Entries tensors;
  const auto shapes = torch_shapes();
  for (const auto& [name, shape] : shapes) {
    tensors.emplace_back(name, pickled::tensor("0", shape,
                                               shape.size() == 2 ? std::vector<std::int32_t>{4, 1}
                                                                 : std::vector<std::int32_t>{1}));
  }
  tensors.emplace_back("decoder.embed_tokens.weight", pickled::tensor("1", {6, 4}, {4, 1}));
  Entries settings;
  for (const char* name : {"encoder_embed_dim", "encoder_ffn_embed_dim", "decoder_ffn_embed_dim"})
    settings.emplace_back(name, pickled::number(kSize));
  for (const char* name :
       {"encoder_attention_heads", "decoder_attention_heads", "encoder_layers", "decoder_layers"})
    settings.emplace_back(name, pickled::number(1));
  settings.emplace_back("arch", pickled::text("transformer"));
  settings.emplace_back("share_all_embeddings", "\x88");
  settings.emplace_back("source_lang", pickled::text("a"));
  settings.emplace_back("target_lang", pickled::text("a"));
  const auto arguments = "cargparse\nNamespace\n)\x81" + pickled::dictionary(settings) + "b";
  return {{"model.pt",
           torch_legacy_of(
               pickled::dictionary({{"args", arguments}, {"model", pickled::dictionary(tensors)}}),
               {{"0", numbers(16)}, {"1", numbers(24)}})},
          {"dict.a.txt", "x 3\ny 2\n"}};
}

/// The files that CTranslate2 needs.
inline Contents contents_for_ctranslate2(const interchange::ConvertedModel& model) {
  const Scratch scratch;
  interchange::write_ctranslate2_model(scratch.folder(), model);
  Contents contents;
  for (const char* name : {"model.bin", "config.json", "shared_vocabulary.json"})
    contents[name] = Scratch::read(scratch.path(name));
  return contents;
}

inline Contents ctranslate2_contents() {
  interchange::ConvertedModel model;
  auto& config = model.config;
  config.vocabulary = config.d_model = config.transformer.d_ff = config.transformer.d_k =
      config.transformer.d_v = kSize;
  config.transformer.heads = config.encoder_layers = config.decoder_layers = 1;
  config.transformer.positions = model::Positions::kLearned;
  config.max_positions = 2;
  for (const auto& weight : model::transformer_weights(config))
    model.weights[weight.name()] = numbers(std::size_t{weight.rows} * weight.columns);
  interchange::TokenList list;
  list.tokens = {"<unk>", "</s>", "a", "b"};
  model.vocabulary = interchange::vocabulary_of(list);
  return contents_for_ctranslate2(model);
}

/// Another model in the format of CTranslate2.
inline Contents ctranslate2_contents_of(const Contents& contents) {
  interchange::ModelFiles files(contents);
  return contents_for_ctranslate2(interchange::read_model(files));
}

}  // namespace awend::tests
