#include "nn/graph.hpp"

#include "base/error.hpp"
#include "host/int8_product.hpp"
#include "nn/activation_scales.hpp"
#include "nn/fake_quantize.hpp"
#include "nn/narrow.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

/// The same tensor, whose numbers products round as they read them.
Tensor read_in(Tensor tensor, Element element) {
  tensor.read_as = element;
  return tensor;
}

std::uint32_t inner_of(const Parameter& parameter, Form form) {
  return form == Form::kNT ? parameter.columns : parameter.rows;
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

/// Checkpoints with 8-bit weights store matrices as integers, and vectors as floats.
bool Graph::is_rounded(const Parameter& parameter) const {
  return parameters_.fake_quantization() == FakeQuantization::kOn && parameter.rows > 1 &&
         parameter.columns > 1;
}

Tensor Graph::value(const Parameter& parameter) {
  const Tensor values = cached(values_, parameter, Parameters::Buffer::kValues);
  if (!is_rounded(parameter)) return values;
  const auto found = rounded_values_.find(parameter.index);
  if (found != rounded_values_.end()) return found->second;
  return rounded_values_.emplace(parameter.index, fake_quantize_rows(program_, values))
      .first->second;
}

Tensor Graph::operand(const Parameter& parameter, Form form) {
  if (is_rounded(parameter)) {
    // The rows of a table are the columns of the right operand, and already rounded.
    if (form == Form::kNT || inner_of(parameter, form) > host::kMaxInt8Inner)
      return value(parameter);
    const auto found = rounded_operands_.find(parameter.index);
    if (found != rounded_operands_.end()) return found->second;
    return rounded_operands_
        .emplace(parameter.index, fake_quantize_columns(program_, value(parameter)))
        .first->second;
  }
  if (!parameters_.keeps_operands()) return read_in(value(parameter), parameters_.operands());
  return cached(parameter_operands_, parameter, Parameters::Buffer::kOperands);
}

Tensor Graph::left_operand(const Tensor& tensor, const Parameter& matrix) {
  const auto quantization = parameters_.fake_quantization();
  if (quantization == FakeQuantization::kOff || tensor.columns > host::kMaxInt8Inner)
    return operand(tensor);
  if (quantization == FakeQuantization::kCalibrating) {
    left_magnitudes_.push_back({matrix, row_magnitudes(program_, tensor)});
    return operand(tensor);
  }
  base::check(tensor.first_row == 0, "only whole tensors are rounded");
  const std::pair key(tensor.id, activation_scale(parameters_, matrix));
  const auto found = rounded_tensors_.find(key);
  if (found != rounded_tensors_.end()) return found->second;
  return rounded_tensors_.emplace(key, fake_quantize(program_, tensor, key.second)).first->second;
}

RightOperand Graph::right_operand(const Parameter& parameter, Form form) {
  if (parameters_.trained()) return {operand(parameter, form), std::nullopt};
  const ParameterOperand constant{&parameters_, parameter};
  const auto& stored = parameters_.stored(parameter);
  if (!stored || !is_read_in_place(*stored, inner_of(parameter, form)))
    return {operand(parameter, form), constant};
  // Products read the values where they are stored, without padding.
  const std::uint64_t bytes =
      std::uint64_t{parameter.padded_rows()} * parameter.columns * sizeof(float);
  const Tensor tensor = program_.external(
      range_of(*stored, bytes), program_.fixed(parameter.padded_rows()), parameter.columns);
  return {read_in(tensor, parameters_.operands()), constant};
}

Tensor Graph::table(const Parameter& parameter) {
  if (is_rounded(parameter)) return value(parameter);
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
