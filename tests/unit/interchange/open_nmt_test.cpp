// OpenNMT-py: the vocabularies of its versions.
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;
using Tokens = std::vector<std::string>;

/// An object of a class with attributes.
std::string object(const std::string& module, const std::string& name, const Entries& attributes) {
  return "c" + module + "\n" + name + "\n)\x81" + pickled::dictionary(attributes) + "b";
}

std::string list(const std::vector<std::string>& items) {
  std::string out = "](";
  for (const auto& item : items) out += item;
  return out + "e";
}

std::string token_list(const Tokens& tokens) {
  std::vector<std::string> items;
  for (const auto& token : tokens) items.push_back(pickled::text(token));
  return list(items);
}

/// A side of the vocabulary in version 2, with fields of these tokens.
std::string text_fields(const std::vector<Tokens>& fields) {
  std::vector<std::string> named;
  for (const auto& tokens : fields) {
    const auto vocabulary = object("torchtext.vocab", "Vocab", {{"itos", token_list(tokens)}});
    named.push_back(pickled::tuple(
        {pickled::text("x"), object("torchtext.data.field", "Field", {{"vocab", vocabulary}})}));
  }
  return object("onmt.inputters.text_dataset", "TextMultiField", {{"fields", list(named)}});
}

/// The arrays of a model of one layer on each side; element i of each table is i.
Entries arrays(std::int32_t source_tokens, std::int32_t target_tokens) {
  Entries arrays;
  const auto add = [&](const std::string& name, std::int32_t rows) {
    arrays.emplace_back(
        name, rows == 0 ? pickled::tensor("0", {4}, {1}) : pickled::tensor("0", {rows, 4}, {4, 1}));
  };
  const auto add_norm = [&](const std::string& name) {
    add(name + ".weight", 0);
    add(name + ".bias", 0);
  };
  const std::string encoder = "encoder.transformer.0.", decoder = "decoder.transformer_layers.0.";
  for (const auto& attention :
       {encoder + "self_attn.", decoder + "self_attn.", decoder + "context_attn."}) {
    for (const char* part : {"linear_query", "linear_keys", "linear_values", "final_linear"})
      add(attention + part + ".weight", 4);
  }
  for (const auto& layer : {encoder, decoder}) {
    for (const char* part : {"w_1", "w_2"}) {
      add(layer + "feed_forward." + part + ".weight", 4);
      add(layer + "feed_forward." + part + ".bias", 0);
    }
    add_norm(layer + "feed_forward.layer_norm");
  }
  for (const auto& norm :
       {encoder + "layer_norm", decoder + "layer_norm_1", decoder + "layer_norm_2",
        std::string("encoder.layer_norm"), std::string("decoder.layer_norm")})
    add_norm(norm);
  add("encoder.embeddings.make_embedding.emb_luts.0.weight", source_tokens);
  add("decoder.embeddings.make_embedding.emb_luts.0.weight", target_tokens);
  return arrays;
}

/// A model with the vocabularies of both sides, which have these numbers of tokens.
ConvertedModel read_with(const std::string& source, std::int32_t source_tokens,
                         const std::string& target, std::int32_t target_tokens) {
  Entries options = {{"encoder_type", pickled::text("transformer")},
                     {"decoder_type", pickled::text("transformer")}};
  for (const char* size : {"enc_rnn_size", "dec_rnn_size", "transformer_ff"})
    options.emplace_back(size, pickled::number(4));
  for (const char* count : {"heads", "enc_layers", "dec_layers"})
    options.emplace_back(count, pickled::number(1));
  const auto generator =
      pickled::dictionary({{"0.weight", pickled::tensor("0", {target_tokens, 4}, {4, 1})},
                           {"0.bias", pickled::tensor("0", {target_tokens}, {1})}});
  const auto model =
      pickled::dictionary({{"model", pickled::dictionary(arrays(source_tokens, target_tokens))},
                           {"generator", generator},
                           {"vocab", pickled::dictionary({{"src", source}, {"tgt", target}})},
                           {"opt", object("argparse", "Namespace", options)}});
  std::vector<float> values;
  for (int i = 0; i < 24; ++i) values.push_back(static_cast<float>(i));
  ModelFiles files({{"model.pt", torch_zip_of(model, {{"0", values}})}});
  return read_model(files);
}

const Tokens kTarget = {"<unk>", "<blank>", "<s>", "</s>", "x", "y"};
// Version 2 gives the tokens <s> and </s> to the target only.
const Tokens kSource = {"<unk>", "<blank>", "a", "b", "c"};

TEST_CASE("vocabularies of OpenNMT-py 2 are those of the fields of torchtext") {
  const auto listed = read_with(token_list(kTarget), 6, token_list(kTarget), 6),
             fields = read_with(text_fields({kTarget}), 6, text_fields({kTarget}), 6);
  CHECK(fields.vocabulary->serialize() == listed.vocabulary->serialize());
  CHECK(!fields.source_vocabulary);
  CHECK(fields.weights == listed.weights);
  CHECK(message_of([] {
          read_with(text_fields({kTarget, kTarget}), 6, text_fields({kTarget}), 6);
        }) == "model.pt: source features are not supported");
  CHECK(message_of([] { read_with(text_fields({}), 6, text_fields({kTarget}), 6); }) ==
        "model.pt: no list of tokens 'vocab.src'; models of version 1 are not supported");
}

TEST_CASE("a source vocabulary without an end has one with the id of the target's") {
  const auto model = read_with(text_fields({kSource}), 5, text_fields({kTarget}), 6);
  REQUIRE(model.source_vocabulary);
  CHECK(model.source_vocabulary->end_of_sentence() == 3);
  CHECK(model.source_vocabulary->piece(2) == "a");
  CHECK(model.source_vocabulary->piece(4) == "b");
  CHECK(model.config.source_vocabulary == 0);  // as many as the target
  CHECK(model.weights.at("source_embedding") == std::vector<float>{0,  1,  2,  3,  4,  5,  6,  7,
                                                                   8,  9,  10, 11, 0,  0,  0,  0,
                                                                   12, 13, 14, 15, 16, 17, 18, 19});
}

}  // namespace
