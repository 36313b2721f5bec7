// An encoder-only model whose weights are on a device.
#pragma once

#include <memory>

#include "model/encoder.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

class LoadedEncoder {
 public:
  /// Reads the weights.  Throws Error naming the checkpoint if it is not a valid model, or not
  /// encoder-only.
  LoadedEncoder(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);

  model::EncoderView view() { return {&parameters_, model_->as_encoder()}; }

 private:
  nn::Parameters parameters_;
  std::unique_ptr<model::Model> model_;
};

}  // namespace awend::decode
