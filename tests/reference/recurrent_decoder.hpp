// Recurrent decoders with attention, forward: attention before the cells (Bahdanau et al., 2015),
// and stacked cells with attention after them and input feeding (Luong et al., 2015).  Their
// gradients are central differences of these functions.
//
// Symbols as in recurrent.hpp; the sentences of the target have the rows of `layer.begins`, and row
// i attends to the keys of attention.ranges[i].  The queries of `attention` are not used.
#pragma once

#include <utility>
#include <vector>

#include "tests/reference/matmul.hpp"
#include "tests/reference/recurrent.hpp"
#include "tests/reference/step_attention.hpp"

namespace awend::reference {

/// Row `row` of a matrix as a matrix.
inline Matrix row_of(const Matrix& matrix, std::size_t row) {
  Matrix result(1, matrix.columns);
  for (std::size_t column = 0; column < matrix.columns; ++column)
    result(0, column) = matrix(row, column);
  return result;
}

inline Matrix sum_of(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

/// The context of one query (1, columns), that of row `row`.
inline Matrix context_of(const SourceAttention& attention, const Matrix& query, std::size_t row) {
  const auto range = attention.ranges[row];
  const double center = attention.centers.empty() ? 0 : attention.centers[row];
  SourceAttention one{query, attention.keys, attention.v, attention.values, {range}};
  one.window = attention.window;
  if (!attention.centers.empty()) one.centers = {center};
  one.center_w = attention.center_w;
  one.center_v = attention.center_v;
  return attend(one);
}

struct StepState {
  Matrix h, c;  // (1, d)
};

/// One step of the cells of `layer` from `state`, with the products `inputs` (1, G · d).
inline void step(const Recurrence& layer, const Matrix& inputs, StepState& state) {
  const auto result = recurrent({layer.cell,
                                 Direction::kForward,
                                 {0, 1},
                                 inputs,
                                 layer.hidden,
                                 layer.bias,
                                 state.h,
                                 state.c});
  state = {result.h, result.c};
}

inline StepState state_of(const Recurrence& layer, std::size_t sentence) {
  return {row_of(layer.h, sentence),
          layer.cell == Cell::kLstm ? row_of(layer.c, sentence) : Matrix()};
}

struct AttentiveDecoder {
  Recurrence layer;  // inputs: of what is known for all steps
  SourceAttention attention;
  Matrix query, context;  // (d, columns), (width, G · d)
  // With two cells, the hidden matrix and bias of the second, which reads the context.
  Matrix second_hidden, second_bias;
};

/// outputs (N, d), contexts (N, width)
struct AttentiveResult {
  Matrix outputs, contexts;
};

inline AttentiveResult decode(const AttentiveDecoder& decoder) {
  const auto& [layer, attention, query, context, second_hidden, second_bias] = decoder;
  const bool has_second = !second_hidden.values.empty();
  AttentiveResult result{Matrix(layer.inputs.rows, layer.hidden.rows),
                         Matrix(layer.inputs.rows, attention.values.columns)};
  const auto set = [](Matrix& to, std::size_t row, const Matrix& from) {
    for (std::size_t column = 0; column < to.columns; ++column) to(row, column) = from(0, column);
  };
  for (std::size_t s = 0; s + 1 < layer.begins.size(); ++s) {
    StepState state = state_of(layer, s);
    for (std::size_t row = layer.begins[s]; row < layer.begins[s + 1]; ++row) {
      const Matrix input = row_of(layer.inputs, row);
      if (has_second) step(layer, input, state);
      const Matrix attended = context_of(attention, product(state.h, query), row);
      const Matrix read = product(attended, context);
      if (has_second) {
        Recurrence second = layer;
        second.hidden = second_hidden;
        second.bias = second_bias;
        step(second, read, state);
      } else {
        step(layer, sum_of(input, read), state);
      }
      set(result.outputs, row, state.h);
      set(result.contexts, row, attended);
    }
  }
  return result;
}

struct FeedingDecoder {
  std::vector<Recurrence> layers;       // the inputs of those above the first are empty
  std::vector<Matrix> weights, biases;  // of the inputs of those above the first
  SourceAttention attention;
  Matrix feed;                  // (d, G · d)
  Matrix state, context, bias;  // (d, d), (width, d), (1, d)
  bool residual = false;        // whether the input of each layer above the first is added
};

/// The attentional states (N, d); before the first step they are zero.
inline Matrix decode(const FeedingDecoder& decoder) {
  const Recurrence& first = decoder.layers.front();
  Matrix outputs(first.inputs.rows, decoder.state.columns);
  for (std::size_t s = 0; s + 1 < first.begins.size(); ++s) {
    std::vector<StepState> states;
    for (const auto& layer : decoder.layers) states.push_back(state_of(layer, s));
    Matrix f(1, decoder.state.columns);
    for (std::size_t row = first.begins[s]; row < first.begins[s + 1]; ++row) {
      step(first, sum_of(row_of(first.inputs, row), product(f, decoder.feed)), states[0]);
      Matrix x = states[0].h;
      for (std::size_t i = 1; i < states.size(); ++i) {
        const Matrix inputs = sum_of(product(x, decoder.weights[i - 1]), decoder.biases[i - 1]);
        step(decoder.layers[i], inputs, states[i]);
        x = decoder.residual ? sum_of(x, states[i].h) : states[i].h;
      }
      const Matrix attended = context_of(decoder.attention, x, row);
      const Matrix z = sum_of(product(x, decoder.state),
                              sum_of(product(attended, decoder.context), decoder.bias));
      for (std::size_t column = 0; column < f.columns; ++column)
        outputs(row, column) = f(0, column) = std::tanh(z(0, column));
    }
  }
  return outputs;
}

}  // namespace awend::reference
