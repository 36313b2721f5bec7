#include "decode/loaded_encoder.hpp"

#include "base/error.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"

namespace awend::decode {

LoadedEncoder::LoadedEncoder(nn::Engine& engine, const store::ArrayFile& checkpoint,
                             nn::Element precision)
    : model_(model::make_model(model::read_config(checkpoint), parameters_)) {
  try {
    model::require_encoder(*model_);
  } catch (const base::Error& error) {
    base::fail(checkpoint.path(), ": ", error.what());
  }
  model::require_arrays(parameters_, checkpoint);
  parameters_.allocate(engine, nn::Use::kInference, precision);
  model::load(parameters_, checkpoint);
}

}  // namespace awend::decode
