// What must hold of translation whatever the weights are, on a small model with random ones.
#include <memory>

#include "base/error.hpp"
#include "base/random.hpp"
#include "decode/translator.hpp"
#include "model/checkpoint.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend {
namespace {

using Sentence = std::vector<std::uint32_t>;

nn::Engine& engine() {
  static nn::Engine shared;
  return shared;
}

model::Config small_config() {
  model::Config config;
  config.vocabulary = 50;
  config.d_model = 32;
  config.d_ff = 64;
  config.heads = 2;
  config.d_k = config.d_v = 16;
  config.encoder_layers = config.decoder_layers = 2;
  return config;
}

/// A checkpoint of random weights, larger than at the start of training so that outputs differ.
std::string random_checkpoint(const std::string& folder) {
  const model::Config config = small_config();
  nn::Parameters parameters;
  const model::Transformer transformer(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialise(5);
  const std::string path = folder + "/model.safetensors";
  model::save(path, parameters, config, {});
  return path;
}

std::vector<Sentence> some_sentences() {
  base::Random random(3);
  std::vector<Sentence> sentences(23);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    sentences[i].resize(i % 9);  // empty ones too
    for (auto& id : sentences[i]) id = 2 + random.below(48);
  }
  return sentences;
}

decode::TranslatorSettings settings(std::uint32_t beam, std::uint32_t batch_tokens) {
  decode::TranslatorSettings made;
  made.search.beam_size = beam;
  made.search.max_length_extra = 8;
  made.batch_tokens = batch_tokens;
  made.longest_piece = 20;
  return made;
}

bool same(const decode::Hypothesis& a, const decode::Hypothesis& b) {
  return a.ids == b.ids && a.log_probability == b.log_probability && a.score == b.score;
}

}  // namespace

TEST_CASE("a sentence translates alike alone, in any batch and in any order, bit for bit") {
  const tests::Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder()));
  decode::Translator wide(engine(), checkpoint, settings(3, 500));
  decode::Translator narrow(engine(), checkpoint, settings(3, 40));
  const auto sentences = some_sentences();
  const auto together = wide.translate(sentences);
  const auto in_small_batches = narrow.translate(sentences);
  const std::vector<Sentence> backwards(sentences.rbegin(), sentences.rend());
  const auto reversed = wide.translate(backwards);
  REQUIRE(together.size() == sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    const auto alone = wide.translate(std::span(&sentences[i], 1));
    REQUIRE(same(together[i][0], alone[0][0]));
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
    REQUIRE(same(together[i][0], reversed[sentences.size() - 1 - i][0]));
    if (sentences[i].empty()) REQUIRE(together[i][0].ids.empty());
  }
}

TEST_CASE(
    "a beam of one takes the most probable token at each step, which the whole model confirms") {
  const tests::Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder()));
  decode::Translator greedy(engine(), checkpoint, settings(1, 200));
  const auto sentences = some_sentences();
  const auto answers = greedy.translate(sentences);

  // The same model run over the finished pair at once: its loss is the search's log-probability.
  nn::Parameters parameters;
  const model::Transformer transformer(small_config(), parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  model::load(parameters, checkpoint);
  nn::Program program(engine());
  nn::Graph graph(program, parameters, nn::Mode::kInference);
  const auto inputs =
      model::declare_inputs(graph, transformer.config(), {.source_rows = 64, .target_rows = 64});
  auto loss = transformer.loss(graph, inputs);
  program.compile();
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    Sentence source = sentences[i];
    source.push_back(1);
    Sentence target = answers[i][0].ids;
    const bool ended =
        target.size() + 1 <= sentences[i].size() + 8;  // else the limit cut it before an end
    const auto rows = static_cast<std::uint32_t>(target.size() + (ended ? 1 : 0));
    const auto words = [&](const nn::Tensor& tensor) {
      return program.host<std::uint32_t>(tensor);
    };
    const auto source_rows = static_cast<std::uint32_t>(source.size());
    for (std::uint32_t row = 0; row < source_rows; ++row) {
      words(inputs.source.embedding.ids)[row] = source[row];
      words(inputs.source.embedding.positions)[row] = row;
      words(inputs.source.self.keys_of_query)[2 * row] = 0;
      words(inputs.source.self.keys_of_query)[2 * row + 1] = source_rows;
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      words(inputs.target.embedding.ids)[row] = row == 0 ? 0xffffffffu : target[row - 1];
      words(inputs.target.embedding.positions)[row] = row;
      words(inputs.target.self.keys_of_query)[2 * row] = 0;
      words(inputs.target.self.keys_of_query)[2 * row + 1] = row + 1;
      words(inputs.target.cross.keys_of_query)[2 * row] = 0;
      words(inputs.target.cross.keys_of_query)[2 * row + 1] = source_rows;
      words(inputs.target.targets)[row] = row < target.size() ? target[row] : 1;
    }
    program.set(inputs.source.rows, source_rows);
    program.set(inputs.target.rows, rows);
    loss.set_rows(rows);
    program.replay();
    REQUIRE(program.host<float>(loss.totals())[1] ==
            Approx(-answers[i][0].log_probability).epsilon(1e-4));
  }
}

TEST_CASE("a sentence beyond the longest piece is translated in pieces, none of them lost") {
  const tests::Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder()));
  decode::Translator translator(engine(), checkpoint, settings(2, 40));
  Sentence sentence;
  for (std::uint32_t i = 0; i < 3 * translator.longest_piece(); ++i) sentence.push_back(2 + i % 48);
  const std::size_t part = sentence.size() / 3;
  Sentence joined;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<Sentence> one = {
        {sentence.begin() + static_cast<std::ptrdiff_t>(i * part),
         sentence.begin() + static_cast<std::ptrdiff_t>((i + 1) * part)}};
    const auto piece = translator.translate(one)[0][0].ids;
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  const std::vector<Sentence> whole = {sentence};
  REQUIRE(translator.translate(whole)[0][0].ids == joined);
}

TEST_CASE("a wider n-best than the beam is refused") {
  const tests::Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder()));
  auto wrong = settings(2, 40);
  wrong.search.n_best = 3;
  REQUIRE_THROWS_AS(std::make_unique<decode::Translator>(engine(), checkpoint, wrong),
                    base::UsageError);
}

}  // namespace awend
