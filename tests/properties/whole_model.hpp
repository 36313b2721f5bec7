// A small model on a complete sentence pair, as in training; searches must agree with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/batch.hpp"
#include "nn/decoding.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"
#include "store/array_file.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {

class WholeModel {
 public:
  explicit WholeModel(const std::string& path)
      : checkpoint_(path),
        seq2seq_(model::make_seq2seq(model::read_config(checkpoint_), parameters_)),
        program_(engine()),
        graph_(program_, parameters_, nn::Mode::kInference) {
    parameters_.allocate(engine(), nn::Use::kInference);
    model::load(parameters_, checkpoint_);
    inputs_ = seq2seq_->declare_inputs(graph_, {.source_rows = kRows, .target_rows = kRows});
    inputs_->encode();
    const nn::Tensor decoded = inputs_->decode();
    forced_ids_ = program_.input(decoded.rows, 1);
    ranked_ = nn::top_k(program_, nn::token_logits(graph_, decoded, seq2seq_->output_layer()),
                        vocabulary(), {.forced_id = forced_ids_, .adjustments = std::nullopt});
    program_.compile();
    std::ranges::fill(program_.host<std::uint32_t>(forced_ids_), NO_TOKEN);
  }

  std::uint32_t vocabulary() const { return seq2seq_->config().vocabulary; }

  /// ln p of all tokens after each prefix of `target`, the empty one first.
  std::vector<std::vector<double>> log_probabilities(const Sentence& source,
                                                     const Sentence& target) {
    data::SentencePairs pairs;
    pairs.source.add(source);
    pairs.target.add(target);
    const std::uint32_t only[] = {0};
    batch::PackedBatch batch;
    data::pack_batch(pairs, only, batch);
    inputs_->write(batch);
    program_.replay();
    std::vector<std::vector<double>> all(target.size() + 1, std::vector<double>(vocabulary()));
    const auto ids = program_.host<std::uint32_t>(ranked_.ids);
    const auto log_probabilities = program_.host<float>(ranked_.log_probabilities);
    for (std::size_t token = 0; token < all.size(); ++token) {
      const auto row = inputs_->row_of(static_cast<std::uint32_t>(token));
      for (std::size_t i = 0; i < vocabulary(); ++i) {
        const std::size_t at = std::size_t{row} * vocabulary() + i;
        all[token][ids[at]] = log_probabilities[at];
      }
    }
    return all;
  }

 private:
  static constexpr std::uint32_t kRows = 64;

  store::ArrayFile checkpoint_;
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
  nn::Program program_;
  nn::Graph graph_;
  std::unique_ptr<model::TeacherForcing> inputs_;
  nn::Tensor forced_ids_{};
  nn::TopK ranked_{};
};

/// ln P of the first `tokens` tokens of `target` and its end, by the distributions before each.
inline double log_probability_of(const std::vector<std::vector<double>>& log_p,
                                 const Sentence& target, std::size_t tokens) {
  double sum = 0;
  for (std::size_t i = 0; i < tokens; ++i) sum += log_p[i][i < target.size() ? target[i] : 1];
  return sum;
}

}  // namespace awend::tests
