// Recurrent layers over packed sentences: LSTM (Hochreiter and Schmidhuber, 1997) and GRU (Cho et
// al., 2014), with the formulas and the order of gates of PyTorch.
//
// N rows are sentences packed end to end; sentence s has the rows begins[s] … begins[s + 1] - 1.
// d is the size of the state, G the number of gates.  inputs (N, G · d) are products of the inputs;
// hidden (d, G · d), bias (1, G · d); states are (sentences, d).
#pragma once

#include <cmath>
#include <vector>

#include "tests/reference/activation.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

enum class Cell { kLstm, kGru };
enum class Direction { kForward, kReverse };

struct Recurrence {
  Cell cell;
  Direction direction;
  std::vector<std::size_t> begins;
  Matrix inputs, hidden, bias;
  Matrix h, c;  // at the start; c is empty for a GRU
};

struct RecurrentResult {
  Matrix outputs;  // (N, d)
  Matrix h, c;     // after the last token of each sentence
  // Kept for the gradient.
  Matrix gates, candidate, h_before, c_before;
};

struct RecurrentGradient {
  Matrix inputs, hidden, bias, h, c;
};

/// The row of token t of sentence s.
inline std::size_t token_row(const Recurrence& layer, std::size_t s, std::size_t t) {
  return layer.direction == Direction::kForward ? layer.begins[s] + t : layer.begins[s + 1] - 1 - t;
}

inline RecurrentResult recurrent(const Recurrence& layer) {
  const std::size_t rows = layer.inputs.rows, d = layer.hidden.rows, width = layer.hidden.columns;
  RecurrentResult r{Matrix(rows, d), layer.h,         layer.c,        Matrix(rows, width),
                    Matrix(rows, d), Matrix(rows, d), Matrix(rows, d)};
  for (std::size_t s = 0; s + 1 < layer.begins.size(); ++s) {
    for (std::size_t t = 0; t < layer.begins[s + 1] - layer.begins[s]; ++t) {
      const std::size_t row = token_row(layer, s, t);
      std::vector<double> product(layer.bias.values);
      for (std::size_t j = 0; j < width; ++j) {
        for (std::size_t k = 0; k < d; ++k) product[j] += r.h(s, k) * layer.hidden(k, j);
      }
      for (std::size_t k = 0; k < d; ++k) {
        const auto z = [&](std::size_t gate) {
          return layer.inputs(row, gate * d + k) + product[gate * d + k];
        };
        r.h_before(row, k) = r.h(s, k);
        if (layer.cell == Cell::kLstm) {
          const double i = sigmoid(z(0)), f = sigmoid(z(1)), g = std::tanh(z(2)), o = sigmoid(z(3));
          r.c_before(row, k) = r.c(s, k);
          r.c(s, k) = f * r.c(s, k) + i * g;
          r.outputs(row, k) = o * std::tanh(r.c(s, k));
          const double gates[] = {i, f, g, o};
          for (std::size_t gate = 0; gate < 4; ++gate) r.gates(row, gate * d + k) = gates[gate];
        } else {
          const double candidate = product[2 * d + k];
          const double reset = sigmoid(z(0)), update = sigmoid(z(1));
          const double n = std::tanh(layer.inputs(row, 2 * d + k) + reset * candidate);
          r.candidate(row, k) = candidate;
          r.outputs(row, k) = (1 - update) * n + update * r.h(s, k);
          const double gates[] = {reset, update, n};
          for (std::size_t gate = 0; gate < 3; ++gate) r.gates(row, gate * d + k) = gates[gate];
        }
      }
      for (std::size_t k = 0; k < d; ++k) r.h(s, k) = r.outputs(row, k);
    }
  }
  return r;
}

/// Gradients from dy (N, d) and those of the last states.
inline RecurrentGradient recurrent_backward(const Recurrence& layer, const RecurrentResult& r,
                                            const Matrix& dy, const Matrix& dh_last,
                                            const Matrix& dc_last) {
  const std::size_t d = layer.hidden.rows, width = layer.hidden.columns;
  RecurrentGradient g{Matrix(layer.inputs.rows, width), Matrix(d, width), Matrix(1, width), dh_last,
                      dc_last};
  for (std::size_t s = 0; s + 1 < layer.begins.size(); ++s) {
    for (std::size_t t = layer.begins[s + 1] - layer.begins[s]; t-- > 0;) {
      const std::size_t row = token_row(layer, s, t);
      std::vector<double> of_product(width);  // of the product of the state
      std::vector<double> direct(d);          // the part of dh that is not a product
      for (std::size_t k = 0; k < d; ++k) {
        const auto gate = [&](std::size_t number) { return r.gates(row, number * d + k); };
        const double dh = dy(row, k) + g.h(s, k);
        if (layer.cell == Cell::kLstm) {
          const double i = gate(0), f = gate(1), c_in = gate(2), o = gate(3);
          const double squashed = std::tanh(f * r.c_before(row, k) + i * c_in);
          const double dc = g.c(s, k) + dh * o * (1 - squashed * squashed);
          const double dz[] = {dc * c_in * i * (1 - i), dc * r.c_before(row, k) * f * (1 - f),
                               dc * i * (1 - c_in * c_in), dh * squashed * o * (1 - o)};
          for (std::size_t number = 0; number < 4; ++number)
            g.inputs(row, number * d + k) = of_product[number * d + k] = dz[number];
          g.c(s, k) = dc * f;
        } else {
          const double reset = gate(0), update = gate(1), n = gate(2);
          const double dn = dh * (1 - update) * (1 - n * n);
          const double dreset = dn * r.candidate(row, k) * reset * (1 - reset);
          const double dupdate = dh * (r.h_before(row, k) - n) * update * (1 - update);
          g.inputs(row, k) = of_product[k] = dreset;
          g.inputs(row, d + k) = of_product[d + k] = dupdate;
          g.inputs(row, 2 * d + k) = dn;
          of_product[2 * d + k] = dn * reset;
          direct[k] = dh * update;
        }
      }
      for (std::size_t k = 0; k < d; ++k) {
        g.h(s, k) = direct[k];
        for (std::size_t j = 0; j < width; ++j) {
          g.h(s, k) += of_product[j] * layer.hidden(k, j);
          g.hidden(k, j) += r.h_before(row, k) * of_product[j];
        }
      }
      for (std::size_t j = 0; j < width; ++j) g.bias(0, j) += of_product[j];
    }
  }
  return g;
}

}  // namespace awend::reference
