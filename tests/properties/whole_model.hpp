// A small model run over a whole sentence at once, as training does: what a search must agree with.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "nn/decoding.hpp"
#include "nn/shader_types.hpp"
#include "store/array_file.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {

class WholeModel {
 public:
  explicit WholeModel(const std::string& path)
      : checkpoint_(path),
        transformer_(model::read_config(checkpoint_), parameters_),
        program_(engine()) {
    parameters_.allocate(engine(), nn::Use::kInference);
    model::load(parameters_, checkpoint_);
    nn::Graph graph(program_, parameters_, nn::Mode::kInference);
    inputs_ = model::declare_inputs(graph, transformer_.config(), {kRows, kRows});
    const nn::Tensor memory = transformer_.encode(graph, inputs_.source);
    const nn::Tensor decoded = transformer_.decode(graph, inputs_.target, memory);
    wanted_ = program_.input(inputs_.target.rows, 1);
    ranked_ = nn::top_k(program_, nn::token_logits(graph, decoded, transformer_.projection()),
                        vocabulary(), {.wanted = wanted_, .adjustments = std::nullopt});
    program_.compile();
  }

  std::uint32_t vocabulary() const { return transformer_.config().vocabulary; }

  /// ln p of each token after each of the beginnings of `target`, the empty one first: as many as
  /// its tokens and one more.
  std::vector<std::vector<double>> log_probabilities(Sentence source, const Sentence& target) {
    source.push_back(1);
    const auto source_rows = static_cast<std::uint32_t>(source.size());
    const auto rows = static_cast<std::uint32_t>(target.size() + 1);
    for (std::uint32_t row = 0; row < source_rows; ++row) {
      words(inputs_.source.embedding.ids)[row] = source[row];
      words(inputs_.source.embedding.positions)[row] = row;
      set_range(inputs_.source.self.keys_of_query, row, source_rows);
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      words(inputs_.target.embedding.ids)[row] = row == 0 ? NO_TOKEN : target[row - 1];
      words(inputs_.target.embedding.positions)[row] = row;
      words(wanted_)[row] = NO_TOKEN;
      set_range(inputs_.target.self.keys_of_query, row, row + 1);
      set_range(inputs_.target.cross.keys_of_query, row, source_rows);
    }
    program_.set(inputs_.source.rows, source_rows);
    program_.set(inputs_.target.rows, rows);
    program_.replay();
    std::vector<std::vector<double>> all(rows, std::vector<double>(vocabulary()));
    for (std::size_t i = 0; i < std::size_t{rows} * vocabulary(); ++i) {
      all[i / vocabulary()][words(ranked_.ids)[i]] =
          program_.host<float>(ranked_.log_probabilities)[i];
    }
    return all;
  }

 private:
  static constexpr std::uint32_t kRows = 64;

  std::span<std::uint32_t> words(const nn::Tensor& tensor) {
    return program_.host<std::uint32_t>(tensor);
  }
  void set_range(const nn::Tensor& ranges, std::uint32_t row, std::uint32_t end) {
    words(ranges)[2 * row] = 0;
    words(ranges)[2 * row + 1] = end;
  }

  store::ArrayFile checkpoint_;
  nn::Parameters parameters_;
  model::Transformer transformer_;
  nn::Program program_;
  model::BatchInputs inputs_{};
  nn::Tensor wanted_{};
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
