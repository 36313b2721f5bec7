// Removing tokens: ids, rows, and everything that refers to ids.
#include "interchange/keep_tokens.hpp"

#include "base/error.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/token_list.hpp"
#include "model/weight_layout.hpp"
#include "store/weights.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::interchange {
namespace {

text::Vocabulary vocabulary_with(const std::vector<std::string>& words) {
  TokenList list;
  list.tokens = {"<pad>", "</s>", "<unk>"};
  list.tokens.insert(list.tokens.end(), words.begin(), words.end());
  return vocabulary_of(list);
}

/// The number of each element tells its weight's row.
ConvertedModel sample(model::Tie tie) {
  ConvertedModel model;
  auto& config = model.config;
  config.vocabulary = 9;
  config.d_model = 8;
  config.encoder_layers = config.decoder_layers = 1;
  config.transformer.d_ff = 12;
  config.transformer.heads = 2;
  config.transformer.d_k = config.transformer.d_v = 4;
  config.transformer.tie = tie;
  config.transformer.output_bias = model::Switch::kOn;
  config.transformer.masked_ids = {6};
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 8;
  model.vocabulary = vocabulary_with({"a", "b", "<0x0A>", "masked", "c", "start"});
  if (tie == model::Tie::kDecoder) {
    config.source_vocabulary = 5;
    model.source_vocabulary = vocabulary_with({"x", "a"});
  }
  for (const auto& weight : model::transformer_weights(config)) {
    auto& values = model.weights[weight.name()];
    for (std::uint32_t i = 0; i < weight.rows * weight.columns; ++i)
      values.push_back(static_cast<float>(i / weight.columns) + 0.25f);
  }
  return model;
}

std::vector<std::uint32_t> rows(const ConvertedModel& model, const std::string& name,
                                std::size_t columns) {
  const auto& values = model.weights.at(name);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < values.size(); i += columns)
    rows.push_back(static_cast<std::uint32_t>(values[i]));
  return rows;
}

std::vector<std::string> pieces(const text::Vocabulary& vocabulary) {
  std::vector<std::string> all;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) all.emplace_back(vocabulary.piece(id));
  return all;
}

}  // namespace

TEST_CASE("tokens are the words of lines") {
  base::LineReader in(base::InputFile("tokens", "a b\n\nb  c d\n"));
  CHECK(tokens_in(in) == TokenSet{"a", "b", "c", "d"});
}

TEST_CASE("a model keeps tokens and those that it needs") {
  auto model = sample(model::Tie::kAll);
  store::LexicalShortlist lists{.first = 5, .best = 3};
  for (std::uint32_t id = 0; id < 9; ++id)
    lists.append(id == 7 ? std::vector<std::uint32_t>{3, 4, 7} : std::vector<std::uint32_t>{id});
  model.shortlist = lists;
  const auto counts = keep_tokens(model, {"c", "a", "unheard"});
  CHECK(counts.before == 9);
  CHECK(counts.after == 8);
  CHECK(pieces(*model.vocabulary) ==
        std::vector<std::string>{"<pad>", "</s>", "<unk>", "a", "<0x0A>", "masked", "c", "start"});
  CHECK(model.vocabulary->end_of_sentence() == 1);
  CHECK(model.vocabulary->unknown() == 2);
  const std::vector<std::uint32_t> kept = {0, 1, 2, 3, 5, 6, 7, 8};
  CHECK(rows(model, "embedding", 8) == kept);
  CHECK(rows(model, "output_bias", 1) == kept);
  CHECK(model.config.vocabulary == 8);
  CHECK(model.config.source_vocabulary == 0);
  CHECK(model.config.start_id == 7);
  CHECK(model.config.transformer.masked_ids == std::vector<std::uint32_t>{5});
  CHECK(model.shortlist->first == 4);
  CHECK(model.shortlist->source_words() == 8);
  CHECK(std::ranges::equal(model.shortlist->of(6), std::vector<std::uint32_t>{3, 6}));
  CHECK(std::ranges::equal(model.shortlist->of(7), std::vector<std::uint32_t>{7}));
  // The result is a complete model.
  const tests::Scratch scratch;
  write_checkpoint(scratch.path("model"), model);
  CHECK(read_checkpoint(scratch.path("model")).shortlist == model.shortlist);
}

TEST_CASE("each vocabulary keeps its own tokens") {
  auto model = sample(model::Tie::kDecoder);
  keep_tokens(model, {"a"});
  CHECK(pieces(*model.source_vocabulary) ==
        std::vector<std::string>{"<pad>", "</s>", "<unk>", "a"});
  CHECK(rows(model, "source_embedding", 8) == std::vector<std::uint32_t>{0, 1, 2, 4});
  CHECK(rows(model, "target_embedding", 8) == std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6, 8});
  CHECK(model.config.source_vocabulary == 4);
  CHECK(model.config.vocabulary == 7);
}

TEST_CASE("two vocabularies of one table keep the same ids") {
  auto model = sample(model::Tie::kAll);
  model.source_vocabulary = vocabulary_with({"a", "x", "y", "z", "b", "w"});
  const auto counts = keep_tokens(model, {"b"});
  CHECK(counts.after == 8);
  CHECK(pieces(*model.vocabulary) ==
        std::vector<std::string>{"<pad>", "</s>", "<unk>", "b", "<0x0A>", "masked", "c", "start"});
  CHECK(pieces(*model.source_vocabulary) ==
        std::vector<std::string>{"<pad>", "</s>", "<unk>", "x", "y", "z", "b", "w"});
  CHECK(rows(model, "embedding", 8) == std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 7, 8});
  CHECK(model.config.source_vocabulary == 0);
  CHECK(model.config.start_id == 7);
  const tests::Scratch scratch;
  write_checkpoint(scratch.path("model"), model);
  CHECK(read_checkpoint(scratch.path("model")).source_vocabulary->size() == 8);
}

TEST_CASE("vocabularies of one size may become those of two") {
  auto model = sample(model::Tie::kDecoder);
  auto& config = model.config;
  config.source_vocabulary = 0;
  model.source_vocabulary = vocabulary_with({"x", "a", "y", "z", "b", "w"});
  auto& table = model.weights["source_embedding"];
  table.resize(std::size_t{config.vocabulary} * config.d_model);
  keep_tokens(model, {"a"});
  CHECK(model.source_vocabulary->size() == 4);
  CHECK(config.source_vocabulary == 4);
  CHECK(config.vocabulary == 7);
  const tests::Scratch scratch;
  write_checkpoint(scratch.path("model"), model);
  CHECK(read_checkpoint(scratch.path("model")).config.source_vocabulary == 4);
}

TEST_CASE("tokens that no vocabulary has are refused") {
  auto model = sample(model::Tie::kAll);
  CHECK_THROWS_AS(keep_tokens(model, {"unheard"}), base::Error);
  model.config.architecture = "bert";
  CHECK_THROWS_AS(keep_tokens(model, {"a"}), base::Error);
}

TEST_CASE("a quantized checkpoint has the matrices that average writes") {
  const tests::Scratch scratch;
  const auto model = sample(model::Tie::kDecoder);
  const std::string full = scratch.path("full");
  write_checkpoint(full, model);
  write_checkpoint(scratch.path("direct"), model, store::Storage::kInt8);
  store::average({&full, 1}, scratch.path("average"), {.storage = store::Storage::kInt8});
  const store::ArrayFile direct(scratch.path("direct")), average(scratch.path("average"));
  direct.verify();
  REQUIRE(direct.arrays().size() == average.arrays().size());
  std::size_t integers = 0;
  for (const auto& array : direct.arrays()) {
    const auto& other = average.at(array.name);
    CHECK(array.type == other.type);
    CHECK(array.shape == other.shape);
    CHECK(std::ranges::equal(array.bytes, other.bytes));
    integers += array.type == store::Type::I8 ? 1 : 0;
  }
  CHECK(integers > 5);
  CHECK(direct.metadata("awend.quantize") == "int8");
}

}  // namespace awend::interchange
