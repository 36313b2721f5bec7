// An encoder-only model whose weights are on a device, or in the mapped file of its checkpoint.
#pragma once

#include <memory>
#include <optional>

#include "model/encoder.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

class LoadedEncoder {
 public:
  /// Reads the weights.  The checkpoint must outlive the object, unless it is moved to it.  Throws
  /// Error naming the checkpoint if it is not a valid model, or not encoder-only.
  LoadedEncoder(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);
  LoadedEncoder(nn::Engine& engine, store::ArrayFile&& checkpoint, nn::Element precision);

  model::EncoderView view() { return {&parameters_, model_->as_encoder()}; }

 private:
  std::optional<store::ArrayFile> own_checkpoint_;
  nn::Parameters parameters_;
  std::unique_ptr<model::Model> model_;
};

}  // namespace awend::decode
