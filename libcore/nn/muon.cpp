// Muon (Jordan et al., 2024): a matrix of a layer moves along its momentum, made orthogonal.
//
// The momentum U = P Σ Qᵀ is replaced by about P Qᵀ, whose singular values are all the same, so
// that rare directions are learned as fast as frequent ones.  Five times
//
//   A = X Xᵀ    X ← (a I + b A + c A²) X      from X = U / |U|
//
// do it with products alone (Newton-Schulz): singular values that are not near 0 come to about 0.7
// to 1.2.  If U has more rows than columns, A = Xᵀ X and multiplies from the right.  The update has
// the root mean square of those of Adam (Liu et al., 2025), so that one learning rate and one
// weight decay are for both; all other parameters are those of Adam.
#include <algorithm>
#include <cmath>

#include "nn/graph.hpp"
#include "nn/matmul/matmul.hpp"
#include "nn/operations.hpp"
#include "nn/optimizer.hpp"
#include "shaders/op_muon.h"

namespace awend::nn {

using Buffer = Parameters::Buffer;

namespace {

constexpr int kIterations = 5;
constexpr float kConstant = 3.4445F, kLinear = -4.7750F, kQuadratic = 2.0315F;
/// About the root mean square of an update of Adam with the learning rate 1.
constexpr float kUpdateOfAdam = 0.2F;
/// Numbers of the matrices that a GPU computes side by side, so that it is busy between two
/// barriers; their copies take memory.
constexpr std::uint64_t kSideBySide = std::uint64_t{1} << 20;

/// A matrix on its way to the direction of its update.
struct Direction {
  Parameter parameter;
  Tensor x;

  bool is_tall() const { return x.rows.capacity > x.columns; }
};

class OrthogonalUpdates {
 public:
  OrthogonalUpdates(Graph& graph, Parameters& parameters, const MuonSettings& settings,
                    const Tensor& norm)
      : graph_(graph),
        program_(graph.program()),
        parameters_(parameters),
        settings_(settings),
        norm_(norm) {}

  /// Of all these matrices, side by side.
  void append(const std::vector<Parameter>& matrices) {
    std::vector<Direction> directions;
    for (const Parameter& it : matrices) directions.push_back(momentum(it));
    for (int i = 0; i < kIterations; ++i) iterate(directions, i == 0);
    for (const Direction& it : directions) move(it);
  }

 private:
  /// The parameter, or a tensor of its shape, as a flat buffer.
  Tensor flat(const Tensor& tensor) {
    return tensor.reshaped(program_.fixed(tensor.rows.capacity * tensor.columns), 1);
  }
  Tensor flat(const Parameter& parameter, Buffer buffer) {
    return flat(parameters_.tensor(program_, parameter, buffer));
  }
  /// Iterations converge in bf16 as well; the gradients of small matrices are too small for fp16.
  Tensor operand(const Tensor& tensor) {
    return graph_.operand_element() == Element::kBfloat16 ? graph_.narrowed(tensor) : tensor;
  }
  Tensor product(Form form, const Tensor& a, const Tensor& b) {
    const Count rows = form == Form::kTN ? program_.fixed(a.columns) : a.rows;
    const Tensor c = program_.activation(rows, form == Form::kNT ? b.rows.capacity : b.columns);
    matmul(program_, {.form = form, .a = a, .b = b, .c = c, .bias = {}});
    return c;
  }

  Direction momentum(const Parameter& parameter) {
    const Tensor u =
        program_.activation(program_.fixed(parameter.padded_rows()), parameter.columns);
    const Tensor gradients = flat(parameter, Buffer::kGradients);
    program_.launch(MuonMomentumLaunch{.constants = {},
                                       .operands = {.step = graph_.step_scalars(),
                                                    .squared_norm = norm_,
                                                    .gradients = gradients,
                                                    .m = flat(parameter, Buffer::kMoment1),
                                                    .u = flat(u)},
                                       .push = {.floats_count = gradients.rows.word,
                                                .momentum = static_cast<float>(settings_.momentum)},
                                       .x = flat_groups(program_, gradients)});
    return {parameter, u};
  }

  void iterate(std::vector<Direction>& directions, bool is_first) {
    std::vector<Tensor> x, a, square;
    for (const auto& it : directions) x.push_back(operand(it.x));
    for (std::size_t i = 0; i < x.size(); ++i)
      a.push_back(product(directions[i].is_tall() ? Form::kTN : Form::kNT, x[i], x[i]));
    for (const Tensor& it : a) {
      const Tensor factor = operand(it);
      square.push_back(product(Form::kNN, factor, factor));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      program_.launch(MuonPolynomialLaunch{
          .constants = {.columns = a[i].columns, .normalize = is_first ? 1U : 0U},
          .operands = {.a = a[i], .square = square[i]},
          .push = {.rows_count = a[i].rows.word,
                   .constant = kConstant,
                   .linear = kLinear,
                   .quadratic = kQuadratic},
          .x = Axis::rows(a[i].rows, ROWS_PER_GROUP)});
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Tensor polynomial = operand(square[i]);
      directions[i].x = directions[i].is_tall() ? product(Form::kNN, x[i], polynomial)
                                                : product(Form::kNN, polynomial, x[i]);
    }
  }

  void move(const Direction& direction) {
    const auto decay = static_cast<float>(settings_.adam.weight_decay.rate);
    const auto longest =
        static_cast<float>(std::max(direction.parameter.rows, direction.parameter.columns));
    const Tensor values = flat(direction.parameter, Buffer::kValues);
    program_.launch(MuonUpdateLaunch{.constants = {},
                                     .operands = {.step = graph_.step_scalars(),
                                                  .squared_norm = norm_,
                                                  .direction = flat(direction.x),
                                                  .x = values},
                                     .push = {.floats_count = values.rows.word,
                                              .scale = kUpdateOfAdam * std::sqrt(longest),
                                              .weight_decay = decay},
                                     .x = flat_groups(program_, values)});
  }

  Graph& graph_;
  Program& program_;
  Parameters& parameters_;
  const MuonSettings& settings_;
  Tensor norm_;
};

/// The trained projections, in the groups that are computed side by side.
std::vector<std::vector<Parameter>> groups_of(const Parameters& parameters, const Engine& engine) {
  std::vector<std::vector<Parameter>> groups;
  std::uint64_t numbers = 0;  // of the last group
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters.parameter(i);
    if (!parameters.trains(parameter) || parameters.kind(i) != kProjections) continue;
    const std::uint64_t own = std::uint64_t{parameter.rows} * parameter.columns;
    if (groups.empty() || engine.on_processor() || numbers + own > kSideBySide) {
      groups.emplace_back();
      numbers = 0;
    }
    groups.back().push_back(parameter);
    numbers += own;
  }
  return groups;
}

}  // namespace

Tensor muon(Graph& graph, Parameters& parameters, const MuonSettings& settings) {
  Program& program = graph.program();
  const Tensor norm = squared_norm(program, parameters.pieces(program, Buffer::kGradients));
  OrthogonalUpdates updates(graph, parameters, settings, norm);
  for (const auto& group : groups_of(parameters, program.engine())) updates.append(group);
  update_by_adam(graph, parameters, settings.adam, norm, kAllKinds & ~kProjections);
  follow_update(graph, parameters, norm);
  return norm;
}

}  // namespace awend::nn
