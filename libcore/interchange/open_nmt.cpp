// Transformers of OpenNMT-py 2 and 3.
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr base::Word<nn::Activation> kActivations[] = {{nn::Activation::kRelu, "relu"},
                                                       {nn::Activation::kGelu, "gelu"},
                                                       {nn::Activation::kSwish, "silu"}};

void require_supported(ForeignSettings& settings) {
  for (const char* name : {"encoder_type", "decoder_type"}) {
    const auto type = settings.text(name);
    if (type != "transformer")
      base::fail("setting '", name, "': models of type '", type, "' are not supported");
  }
  settings.require("model_task", {"seq2seq"}, "another task");
  settings.require("model_type", {"text"}, "another type of input");
  settings.require("position_encoding", {"true"}, "a model without positions");
  settings.require("position_encoding_type", {"SinusoidalInterleaved"},
                   "another position encoding");
  settings.require("max_relative_positions", {"0"}, "a relative position encoding");
  settings.require("self_attn_type", {"scaled-dot", "scaled-dot-flash"}, "another attention");
  settings.require("global_attention_function", {"softmax"}, "another attention function");
  settings.require("generator_function", {"softmax"}, "another output function");
  settings.require("copy_attn", {"false"}, "copy attention");
  settings.require("coverage_attn", {"false"}, "coverage attention");
  settings.require("layer_norm", {"standard"}, "another normalization");
  settings.require("parallel_residual", {"false"}, "a parallel residual");
  settings.require("multiquery", {"false"}, "multi-query attention");
  settings.require("num_kv", {"0"}, "grouped attention");
  settings.require("n_src_feats", {"0"}, "source features");
  settings.require("lora_layers", {""}, "a model with LoRA");
  settings.require("quant_layers", {""}, "a quantized model");
}

std::uint32_t size_of_both(ForeignSettings& settings, const char* encoder, const char* decoder) {
  const auto size = settings.count(encoder);
  if (settings.count(decoder, size) != size)
    base::fail("settings '", encoder, "' and '", decoder, "' differ");
  return size;
}

model::Config config_of(ForeignSettings& settings, const ForeignWeights& weights) {
  require_supported(settings);
  model::Config config;
  auto& transformer = config.transformer;
  config.d_model =
      size_of_both(settings, settings.has("enc_hid_size") ? "enc_hid_size" : "enc_rnn_size",
                   settings.has("dec_hid_size") ? "dec_hid_size" : "dec_rnn_size");
  for (const char* name : {"src_word_vec_size", "tgt_word_vec_size"}) {
    if (settings.count(name, config.d_model) != config.d_model)
      base::fail("setting '", name, "' differs from the size of the layers");
  }
  transformer.d_ff = settings.count("transformer_ff");
  transformer.heads = settings.count("heads");
  set_head_sizes(config);
  config.encoder_layers = settings.count("enc_layers");
  config.decoder_layers = settings.count("dec_layers");
  transformer.activation = word_in<kActivations>("pos_ffn_activation_fn",
                                                 settings.text("pos_ffn_activation_fn", "relu"));
  transformer.norm = model::Norm::kPre;
  transformer.norm_epsilon = settings.real("norm_eps", 1e-6);
  const bool qkv = weights.has("encoder.transformer.0.self_attn.linear_query.bias");
  if (qkv) transformer.attention_bias = Switch::kOn;
  transformer.output_bias = Switch::kOn;
  transformer.source_end = Switch::kOff;
  config.decoder_start = model::DecoderStart::kToken;
  const bool shared = settings.is_on("share_embeddings"),
             output = settings.is_on("share_decoder_embeddings");
  transformer.tie = shared   ? (output ? model::Tie::kAll : model::Tie::kEmbeddings)
                    : output ? model::Tie::kDecoder
                             : model::Tie::kNone;
  return config;
}

const std::map<std::string, std::string, std::less<>> kParts = {
    {"query", "linear_query"},  {"key", "linear_keys"}, {"value", "linear_values"},
    {"output", "final_linear"}, {"inner", "w_1"},       {"outer", "w_2"}};

const std::string kTable = "embeddings.make_embedding.emb_luts.0.weight";

Location locate_table(const std::string& part) {
  if (part == "output_bias") return {.name = "generator.bias", .if_missing = 0.0f};
  if (part == "projection") return {.name = "generator.weight"};
  return {.name = (part == "source_embedding" ? "encoder." : "decoder.") + kTable};
}

Location locate(const model::WeightShape& weight) {
  if (weight.side.empty()) return locate_table(weight.part);
  const bool encoder = weight.side == "encoder";
  const auto dot = weight.part.find('.');
  const auto block = weight.part.substr(0, dot), part = weight.part.substr(dot + 1);
  const auto end = part == "gain" ? ".weight" : ".bias";
  if (!weight.layer) return {.name = weight.side + ".layer_norm" + end};
  const auto prefix = base::concat(encoder ? "encoder.transformer." : "decoder.transformer_layers.",
                                   *weight.layer, ".");
  if (block == "self_norm")
    return {.name = prefix + (encoder ? "layer_norm" : "layer_norm_1") + end};
  if (block == "cross_norm") return {.name = prefix + "layer_norm_2" + end};
  if (block == "feed_forward_norm") return {.name = prefix + "feed_forward.layer_norm" + end};
  const auto place = prefix + (block == "self"    ? "self_attn."
                               : block == "cross" ? "context_attn."
                                                  : "feed_forward.");
  if (const auto biased = without_end(part, "_bias"))
    return {.name = place + kParts.at(*biased) + ".bias", .if_missing = 0.0f};
  return {.name = place + kParts.at(part) + ".weight", .order = Location::Order::kTransposed};
}

/// The list of tokens of a side.  Version 2 has it in an object of torchtext, the second item of
/// the only field.
std::optional<store::PickleId> token_list_of(const store::Pickle& pickle, store::PickleId side) {
  const auto fields = pickle.at(side, "fields");
  if (!fields) return side;
  const auto* list = pickle.find<store::PickleList>(*fields);
  if (list != nullptr && list->items.size() > 1) base::fail("source features are not supported");
  const auto* field = list == nullptr || list->items.empty()
                          ? nullptr
                          : pickle.find<store::PickleList>(list->items[0]);
  if (field == nullptr || field->items.size() != 2) return std::nullopt;
  const auto vocabulary = pickle.at(field->items[1], "vocab");
  return vocabulary ? pickle.at(*vocabulary, "itos") : std::nullopt;
}

TokenList tokens_of(const store::Pickle& pickle, store::PickleId vocabularies, const char* side) {
  const auto id = pickle.at(vocabularies, side);
  const auto place = id ? token_list_of(pickle, *id) : std::nullopt;
  const auto* list = place ? pickle.find<store::PickleList>(*place) : nullptr;
  if (list == nullptr)
    base::fail("no list of tokens 'vocab.", side, "'; models of version 1 are not supported");
  TokenList tokens;
  for (const auto item : list->items) {
    const auto* token = pickle.find<std::string>(item);
    tokens.tokens.push_back(token == nullptr ? "" : *token);
  }
  return tokens;
}

bool has_end(const TokenList& list) {
  return std::ranges::find(list.tokens, list.end) != list.tokens.end();
}

/// In version 2, a source vocabulary of its own has no end, because no source has one.  Here both
/// sides have it with the same id: adds it, with an embedding of zeros.
void add_source_end(const TokenList& target, TokenList& source, ForeignWeights& weights,
                    ConvertedModel& model) {
  if (has_end(source) || model::ties_embeddings(model.config.transformer.tie)) return;
  const auto id = std::ranges::find(target.tokens, target.end) - target.tokens.begin();
  const std::vector<std::uint64_t> shape = {source.tokens.size(), model.config.d_model};
  const auto name = "encoder." + kTable;
  if (id > std::ssize(source.tokens) || weights.shape(name) != shape) return;
  source.tokens.insert(source.tokens.begin() + id, source.end);
  auto table = weights.values(name);
  table.insert(table.begin() + id * model.config.d_model, model.config.d_model, 0.0f);
  model.weights.emplace("source_embedding", table);
}

store::StridedArrays arrays_of(const store::TorchFile& file) {
  const auto& pickle = file.pickle();
  const auto model = pickle.at(pickle.root(), "model"),
             generator = pickle.at(pickle.root(), "generator");
  if (!model || !generator) base::fail("no weights ('model', 'generator')");
  auto arrays = file.tensors(*model);
  for (const auto& [name, array] : file.tensors(*generator)) {
    // "0." in older versions
    arrays.emplace("generator." + (name.starts_with("0.") ? name.substr(2) : name), array);
  }
  return arrays;
}

}  // namespace

ConvertedModel read_open_nmt(ModelFiles& files, const std::string& name) {
  return with_name_once(files.path_of(name), [&] {
    const store::TorchFile file(files.bytes(name));
    const auto& pickle = file.pickle();
    const auto vocabularies = pickle.at(pickle.root(), "vocab");
    if (!vocabularies) base::fail("no vocabulary ('vocab')");
    ForeignWeights weights(arrays_of(file));
    weights.after_reading([&] {
      files.forget();
      file.forget();
    });
    auto settings = ForeignSettings::from_pickle(pickle, *pickle.at(pickle.root(), "opt"));
    ConvertedModel model;
    auto& config = model.config = config_of(settings, weights);
    auto source = tokens_of(pickle, *vocabularies, "src");
    const auto target = tokens_of(pickle, *vocabularies, "tgt");
    add_source_end(target, source, weights, model);
    config.source_vocabulary = static_cast<std::uint32_t>(source.tokens.size());
    config.vocabulary = static_cast<std::uint32_t>(target.tokens.size());
    set_vocabularies(model, source, target);
    const auto start = settings.text("decoder_start_token", "<s>");
    const auto id = model.vocabulary->find(start);
    if (!id) base::fail("the vocabulary has no token '", start, "', which begins the output");
    config.start_id = *id;
    weights.read_all(model, locate);
    // The sinusoids are computed; tied matrices are stored again.
    for (const std::string side : {"encoder", "decoder"}) {
      weights.ignore(side + ".embeddings.make_embedding.pe.pe");
      weights.ignore(side + "." + kTable);
    }
    weights.ignore("generator.weight");
    weights.require_all_known();
    return model;
  });
}

}  // namespace awend::interchange
