// The estimator of a learned metric: a feed-forward network from features of texts to a score.
//
// The score of a row does not depend on the others.  Test: tests/cli/comet.sh.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/config.hpp"
#include "nn/graph.hpp"
#include "nn/parameters.hpp"
#include "nn/program.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

class Estimator {
 public:
  /// Reads the weights of a metric.  The engine must outlive the object.
  Estimator(nn::Engine& engine, const store::ArrayFile& checkpoint, const model::Config& config);

  /// The number of features.
  std::uint32_t inputs() const { return input_->columns; }
  /// The scores of `count` rows.  `write` sets the features of a row.
  std::vector<double> score(std::size_t count,
                            const std::function<void(std::size_t row, std::span<float>)>& write);

 private:
  void declare_layers(const model::Config& config);

  struct Layer {
    nn::Parameter weight, bias;
    nn::Activation activation;
  };
  nn::Parameters parameters_;
  std::vector<Layer> layers_;
  nn::Program program_;
  nn::Count rows_;
  std::optional<nn::Tensor> input_, output_;
};

}  // namespace awend::decode
