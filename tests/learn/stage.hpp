// Shared by the tests of learning: one device, a model with a few thousand parameters, and
// sequences of digits.
#pragma once

#include "base/random.hpp"
#include "data/batch.hpp"
#include "tests/shared_engine.hpp"
#include "text/vocabulary.hpp"
#include "train/trainer.hpp"

namespace awend::tests {

inline nn::Engine& engine() {
  return shared_engine();
}

/// Ids 2 to 11 are the digits.
inline model::Config digit_model() {
  model::Config config;
  auto& transformer = config.transformer;
  config.vocabulary = 12;
  config.d_model = 32;
  transformer.d_ff = 64;
  transformer.heads = 2;
  transformer.d_k = transformer.d_v = 16;
  config.encoder_layers = config.decoder_layers = 1;
  config.dropout = 0;
  config.max_positions = 64;
  return config;
}

/// A recurrent network for the same ids.
inline model::Config digit_rnn(nn::Cell cell, model::RnnAttention attention) {
  model::Config config = digit_model();
  config.architecture = "rnn";
  config.rnn.cell = cell;
  config.rnn.attention = attention;
  config.rnn.d_embedding = 16;
  config.rnn.d_attention = 20;
  return config;
}

/// A memory network for the same ids; 2 ends sentences and 3 questions.
inline model::Config digit_memory(model::HopTying tying) {
  model::Config config = digit_model();
  config.architecture = "memory";
  config.d_model = 20;
  config.label_smoothing = 0;
  config.memory.tying = tying;
  config.memory.hops = 2;
  config.memory.size = 8;
  config.memory.sentence_end_id = 2;
  config.memory.question_end_id = 3;
  return config;
}

/// The same with every setting of other toolkits that a model can have at once.
inline model::Config other_toolkits_model() {
  model::Config config = digit_model();
  auto& transformer = config.transformer;
  transformer.attention_bias = transformer.output_bias = transformer.embedding_norm =
      model::Switch::kOn;
  transformer.source_end = model::Switch::kOff;
  transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.final_norm = model::FinalNorm::kBoth;
  transformer.norm_epsilon = 1e-3;
  transformer.positions = model::Positions::kStored;
  transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  transformer.first_position = 2;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 0;
  transformer.masked_ids = {0};
  transformer.decoder_heads = 4;
  transformer.decoder_d_ff = 48;
  return config;
}

inline train::Recipe quick_recipe() {
  train::Recipe recipe;
  recipe.learning_rate = 0.01;
  recipe.warmup = 20;
  recipe.batch_tokens = 256;
  return recipe;
}

/// Of networks that are not Transformers.
inline train::Recipe clipped_recipe() {
  auto recipe = quick_recipe();
  recipe.warmup = 50;
  recipe.batch_tokens = 512;
  recipe.clip_norm = 1;
  return recipe;
}

/// Random digits; the translation is their reverse.
inline data::SentencePairs reversals(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  data::SentencePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> digits(3 + random.below(5));
    for (auto& digit : digits) digit = 2 + random.below(10);
    pairs.source.add(digits);
    pairs.target.add(std::vector<std::uint32_t>(digits.rbegin(), digits.rend()));
  }
  return pairs;
}

/// The same with links between equal digits.
inline data::SentencePairs aligned_reversals(std::size_t count, std::uint64_t seed) {
  data::SentencePairs pairs = reversals(count, seed);
  auto& alignments = pairs.alignments.emplace();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> links;
    const auto digits = static_cast<std::uint32_t>(pairs.source[i].size());
    for (std::uint32_t place = 0; place < digits; ++place)
      links.insert(links.end(), {place, digits - 1 - place});
    alignments.add(links);
  }
  return pairs;
}

/// Stories of up to 9 sentences "x y ." about the values y of keys x, and a question "x ?" for the
/// last value of one of them.  Keys are 4 to 7, values 8 to 11.
inline data::SentencePairs stories(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  data::SentencePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> line, values(12);
    const std::uint32_t sentences = 1 + random.below(9);
    for (std::uint32_t s = 0; s < sentences; ++s) {
      const std::uint32_t key = 4 + random.below(4), value = 8 + random.below(4);
      values[key] = value;
      line.insert(line.end(), {key, value, 2});
    }
    std::uint32_t key = 4 + random.below(4);
    while (values[key] == 0) key = 4 + random.below(4);
    line.insert(line.end(), {key, 3});
    pairs.source.add(line);
    pairs.target.add(std::vector<std::uint32_t>{values[key]});
  }
  return pairs;
}

/// The pairs `first` … `last` - 1 as one batch.
inline batch::PackedBatch batch_of(const data::SentencePairs& pairs, std::uint32_t first,
                                   std::uint32_t last) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = first; i < last; ++i) numbers.push_back(i);
  batch::PackedBatch batch;
  data::pack_batch(pairs, numbers, batch);
  return batch;
}

/// All values of a buffer, parameter after parameter.
inline std::vector<float> flat(const nn::Parameters& parameters,
                               nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues) {
  std::vector<float> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto values = parameters.read(parameters.parameter(i), buffer);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// Sets all values from the result of flat().
inline void set_flat(nn::Parameters& parameters, std::span<const float> all) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::size_t count = std::size_t{parameter.rows} * parameter.columns;
    parameters.write(parameter, all.first(count));
    all = all.subspan(count);
  }
}

}  // namespace awend::tests
