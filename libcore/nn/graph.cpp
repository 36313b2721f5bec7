#include "nn/graph.hpp"

#include "base/error.hpp"
#include "host/int8_product.hpp"
#include "nn/narrow.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

/// The same tensor, whose numbers products round as they read them.
Tensor read_in(Tensor tensor, Element element) {
  tensor.read_as = element;
  return tensor;
}

/// Integers are read as they are only by products of integers.
bool is_read_in_place(const StoredValues& stored, std::uint32_t inner) {
  return !stored.integers || inner <= host::kMaxInt8Inner;
}

}  // namespace

Tensor Graph::step_scalars() {
  if (!step_scalars_) step_scalars_ = program_.input(program_.fixed(1), kStepColumns);
  return *step_scalars_;
}

Tensor Graph::cached(std::unordered_map<std::uint32_t, Tensor>& cache, const Parameter& parameter,
                     Parameters::Buffer buffer) {
  const auto found = cache.find(parameter.index);
  if (found != cache.end()) return found->second;
  return cache.emplace(parameter.index, parameters_.tensor(program_, parameter, buffer))
      .first->second;
}

Tensor Graph::value(const Parameter& parameter) {
  return cached(values_, parameter, Parameters::Buffer::kValues);
}

Tensor Graph::operand(const Parameter& parameter) {
  if (!parameters_.keeps_operands()) return read_in(value(parameter), parameters_.operands());
  return cached(parameter_operands_, parameter, Parameters::Buffer::kOperands);
}

RightOperand Graph::right_operand(const Parameter& parameter, std::uint32_t inner) {
  if (parameters_.trained()) return {operand(parameter), std::nullopt};
  const ParameterOperand constant{&parameters_, parameter};
  const auto& stored = parameters_.stored(parameter);
  if (!stored || !is_read_in_place(*stored, inner)) return {operand(parameter), constant};
  // Products read the values where they are stored, without padding.
  const std::uint64_t bytes =
      std::uint64_t{parameter.padded_rows()} * parameter.columns * sizeof(float);
  const Tensor tensor = program_.external(
      range_of(*stored, bytes), program_.fixed(parameter.padded_rows()), parameter.columns);
  return {read_in(tensor, parameters_.operands()), constant};
}

Tensor Graph::table(const Parameter& parameter) {
  const auto found = tables_.find(parameter.index);
  if (found != tables_.end()) return found->second;
  return tables_.emplace(parameter.index, parameters_.unpadded_tensor(program_, parameter))
      .first->second;
}

std::optional<host::Int8Matrix> Graph::integers(const Parameter& parameter) const {
  const auto& stored = parameters_.stored(parameter);
  return stored ? stored->integers : std::nullopt;
}

Tensor Graph::operand(const Tensor& tensor) {
  base::check(tensor.first_row == 0, "only whole tensors are narrowed");
  const auto found = operands_.find(tensor.id);
  if (found != operands_.end()) return found->second;
  return operands_.emplace(tensor.id, narrowed(tensor)).first->second;
}

Tensor Graph::narrowed(const Tensor& tensor) {
  if (!parameters_.keeps_operands()) return read_in(tensor, parameters_.operands());
  const Tensor made = program_.activation(tensor.rows, tensor.columns, parameters_.operands());
  narrow(program_, tensor, made);
  return made;
}

Tensor Graph::parameter_gradient(const Parameter& parameter) {
  return cached(parameter_gradients_, parameter, Parameters::Buffer::kGradients);
}

void Graph::tape(std::function<void()> rule) {
  if (training()) tape_.push_back(std::move(rule));
}

std::optional<Tensor> Graph::gradient(const Tensor& tensor) const {
  const auto found = gradients_.find(tensor.id);
  if (found == gradients_.end()) return std::nullopt;
  return found->second;
}

GradientTarget Graph::gradient_target(const Tensor& tensor) {
  base::check(tensor.first_row == 0, "gradients belong to whole tensors");
  const auto found = gradients_.find(tensor.id);
  if (found != gradients_.end()) return {found->second, true};
  const Tensor made = program_.activation(tensor.rows, tensor.columns);
  gradients_.emplace(tensor.id, made);
  return {made, false};
}

void Graph::seed_gradient(const Tensor& result, const Tensor& dy) {
  base::check(dy.columns == result.columns, "a gradient has the shape of its tensor");
  const bool first = gradients_.emplace(result.id, dy).second;
  base::check(first, "no operation has used the result at which the backward pass starts");
}

void Graph::derive_backward() {
  for (auto rule = tape_.rbegin(); rule != tape_.rend(); ++rule) (*rule)();
  tape_.clear();
}

}  // namespace awend::nn
