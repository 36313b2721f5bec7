#include "decode/estimator.hpp"

#include <algorithm>
#include <string>

#include "model/weight_layout.hpp"
#include "nn/operations.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "store/weights.hpp"

namespace awend::decode {
namespace {

// Rows that are computed at once: enough for the speed of matrix products.
constexpr std::uint32_t kRows = 256;

nn::Activation activation_of(model::MetricActivation activation) {
  switch (activation) {
    case model::MetricActivation::kTanh:
      return nn::Activation::kTanh;
    case model::MetricActivation::kSigmoid:
      return nn::Activation::kSigmoid;
    case model::MetricActivation::kRelu:
      return nn::Activation::kRelu;
    case model::MetricActivation::kGelu:
      return nn::Activation::kGelu;
    case model::MetricActivation::kNone:
      break;
  }
  return nn::Activation::kNone;
}

/// The number of columns of a parameter must be a multiple of 4.
std::uint32_t padded(std::uint32_t columns) {
  return (columns + 3) / 4 * 4;
}

/// A matrix of a checkpoint, stored as one column, with its padding.
std::vector<float> padded_values(const store::ArrayFile& checkpoint, const std::string& name,
                                 const model::EstimatorLayer& layer,
                                 const nn::Parameter& parameter) {
  const bool is_bias = parameter.rows == 1;
  const std::size_t rows = is_bias ? 1 : layer.inputs;
  const std::uint64_t shape[] = {std::uint64_t{rows} * layer.outputs, 1};
  const auto stored = store::Weights(checkpoint, name, shape).read();
  std::vector<float> values(std::size_t{parameter.rows} * parameter.columns);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(row * layer.outputs), layer.outputs,
                values.begin() + static_cast<std::ptrdiff_t>(row * parameter.columns));
  }
  return values;
}

}  // namespace

Estimator::Estimator(nn::Engine& engine, const store::ArrayFile& checkpoint,
                     const model::Config& config)
    : program_(engine), rows_(program_.count(kRows)) {
  declare_layers(config);
  parameters_.allocate(engine, nn::Use::kInference);
  const auto sizes = model::estimator_layers(config);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto name = parameters_.name(2 * i);
    const auto& [weight, bias, activation] = layers_[i];
    parameters_.write(weight, padded_values(checkpoint, name, sizes[i], weight));
    parameters_.write(bias, padded_values(checkpoint, name + "_bias", sizes[i], bias));
  }
  nn::Graph graph(program_, parameters_, nn::Mode::kInference);
  input_ = program_.input(rows_, layers_.front().weight.rows);
  nn::Tensor x = *input_;
  for (const auto& [weight, bias, activation] : layers_)
    x = nn::linear(graph, x, weight, bias, activation);
  output_ = program_.output(x.rows, x.columns);
  nn::move_rows(program_, {.x = x, .y = *output_, .rows = x.rows});
  program_.compile();
}

void Estimator::declare_layers(const model::Config& config) {
  const auto& metric = config.bert.metric;
  const auto sizes = model::estimator_layers(config);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto name = base::concat("estimator.", i);
    const auto columns = padded(sizes[i].outputs);
    const bool is_last = i + 1 == sizes.size();
    layers_.push_back(
        {.weight = parameters_.add(name, padded(sizes[i].inputs), columns, nn::Initializer::kZero),
         .bias = parameters_.add(name + "_bias", 1, columns, nn::Initializer::kZero),
         .activation = activation_of(is_last ? metric.final_activation : metric.activation)});
  }
}

std::vector<double> Estimator::score(
    std::size_t count, const std::function<void(std::size_t row, std::span<float>)>& write) {
  std::vector<double> scores;
  const auto features = program_.host<float>(*input_);
  const auto results = program_.host<float>(*output_);
  const std::size_t columns = input_->columns;
  for (std::size_t begin = 0; begin < count; begin += kRows) {
    const auto rows = std::min<std::size_t>(kRows, count - begin);
    for (std::size_t row = 0; row < rows; ++row)
      write(begin + row, features.subspan(row * columns, columns));
    program_.set(rows_, static_cast<std::uint32_t>(rows));
    program_.replay();
    for (std::size_t row = 0; row < rows; ++row) scores.push_back(results[row * output_->columns]);
  }
  return scores;
}

}  // namespace awend::decode
