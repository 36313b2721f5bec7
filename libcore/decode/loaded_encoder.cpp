#include "decode/loaded_encoder.hpp"

#include <utility>

#include "base/error.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"

namespace awend::decode {

namespace {

std::unique_ptr<model::Model> made_of(const store::ArrayFile& checkpoint,
                                      nn::Parameters& parameters) {
  const auto config = model::read_config(checkpoint);
  return base::with_name(checkpoint.path(), [&] {
    auto model = model::make_model(config, parameters);
    model::require_encoder(*model);
    return model;
  });
}

}  // namespace

LoadedEncoder::LoadedEncoder(nn::Engine& engine, const store::ArrayFile& checkpoint,
                             nn::Element precision)
    : model_(made_of(checkpoint, parameters_)) {
  model::load_for_inference(engine, parameters_, checkpoint, precision);
}

LoadedEncoder::LoadedEncoder(nn::Engine& engine, store::ArrayFile&& checkpoint,
                             nn::Element precision)
    : LoadedEncoder(engine, checkpoint, precision) {
  own_checkpoint_ = std::move(checkpoint);
}

}  // namespace awend::decode
