#include "model/transformer/ssru.hpp"

#include "nn/decoding.hpp"
#include "nn/operations.hpp"
#include "nn/recurrent/ssru.hpp"

namespace awend::model {

SsruWeights declare_ssru(nn::Parameters& parameters, const Config& config,
                         const std::string& name) {
  const auto matrix = [&](const char* part) {
    return parameters.add(name + "." + part, config.d_model, config.d_model,
                          nn::Initializer::kGlorotUniform);
  };
  const auto bias = [&](const char* part) {
    return parameters.add(name + "." + part, 1, config.d_model, nn::Initializer::kZero);
  };
  SsruWeights weights{.input = matrix("input"),
                      .forget = matrix("forget"),
                      .forget_bias = bias("forget_bias"),
                      .output = std::nullopt,
                      .output_bias = std::nullopt};
  if (config.transformer.ssru_projection == Switch::kOff) return weights;
  weights.output = matrix("output");
  weights.output_bias = bias("output_bias");
  return weights;
}

nn::Tensor ssru(nn::Graph& graph, const SsruWeights& weights, const nn::Tensor& x,
                const SsruRows& rows) {
  using States = nn::SsruInputs::States;
  const auto& cache = rows.cache;
  const auto made =
      nn::ssru(graph, {.ranges = rows.ranges,
                       .candidate = nn::linear(graph, x, weights.input),
                       .forget = nn::linear(graph, x, weights.forget, weights.forget_bias),
                       .initial = cache ? std::optional(cache->before) : std::nullopt,
                       .result = cache ? States::kOutput : States::kInternal});
  if (cache) nn::store_rows(graph, *made.states, cache->states, cache->places);
  if (!weights.output) return made.outputs;
  return nn::linear(graph, made.outputs, *weights.output, weights.output_bias);
}

}  // namespace awend::model
