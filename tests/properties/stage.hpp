// Small models with random weights, and sentences for them.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "decode/translator.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/shared_engine.hpp"

namespace awend::tests {

using Sentence = std::vector<std::uint32_t>;

inline nn::Engine& engine() {
  return shared_engine();
}

inline model::Config small_config(std::uint32_t vocabulary = 50) {
  model::Config config;
  config.vocabulary = vocabulary;
  config.d_model = 32;
  config.transformer.d_ff = 64;
  config.transformer.heads = 2;
  config.transformer.d_k = config.transformer.d_v = 16;
  config.encoder_layers = config.decoder_layers = 2;
  return config;
}

/// A checkpoint of random weights, larger than at the start of training so that outputs differ.
inline std::string random_checkpoint(const std::string& path, const model::Config& config,
                                     std::uint64_t seed = 5) {
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialize(seed);
  model::save(path, {parameters}, config, {});
  return path;
}

/// Some are empty; ids start at 2.
inline std::vector<Sentence> some_sentences(std::uint32_t vocabulary = 50) {
  base::Random random(3);
  std::vector<Sentence> sentences(23);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    sentences[i].resize(i % 9);
    for (auto& id : sentences[i]) id = 2 + random.below(vocabulary - 2);
  }
  return sentences;
}

inline decode::TranslatorSettings settings(std::uint32_t beam, std::uint32_t batch_tokens) {
  decode::TranslatorSettings made;
  made.search.beam_size = beam;
  made.search.max_length_extra = 8;
  made.batch_tokens = batch_tokens;
  made.longest_piece = 20;
  return made;
}

struct ModelHolder {
  decode::LoadedModel model;
};
/// A translator with the model of a checkpoint.
class LoadedTranslator : ModelHolder, public decode::Translator {
 public:
  LoadedTranslator(const store::ArrayFile& checkpoint, const decode::TranslatorSettings& settings)
      : ModelHolder{{engine(), checkpoint, nn::Element::kFloat32}},
        decode::Translator(engine(), decode::single_model(model.view()), settings) {}
};

inline bool same(const decode::Hypothesis& a, const decode::Hypothesis& b) {
  return a.ids == b.ids && a.log_probability == b.log_probability && a.score == b.score;
}

/// The best translations of `sentences` are the same bits in batches of 500 and of `few_tokens`
/// tokens, in reverse order, and one by one.
inline void require_batch_invariance(const store::ArrayFile& file,
                                     const std::vector<Sentence>& sentences,
                                     std::uint32_t few_tokens) {
  LoadedTranslator wide(file, settings(3, 500));
  LoadedTranslator narrow(file, settings(3, few_tokens));
  const auto together = wide.translate(sentences);
  const auto in_small_batches = narrow.translate(sentences);
  const std::vector<Sentence> backwards(sentences.rbegin(), sentences.rend());
  const auto reversed = wide.translate(backwards);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
    REQUIRE(same(together[i][0], reversed[sentences.size() - 1 - i][0]));
    if (i % 4 > 0) continue;
    REQUIRE(same(together[i][0], wide.translate(std::span(&sentences[i], 1))[0][0]));
  }
}

}  // namespace awend::tests
