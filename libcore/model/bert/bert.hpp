// BERT as a model::Encoder.  Test: tests/unit/model/architectures_test.cpp.
#pragma once

#include "model/bert/network.hpp"
#include "model/encoder.hpp"

namespace awend::model {

class Bert : public Encoder {
 public:
  Bert(const Config& config, nn::Parameters& parameters)
      : Encoder(config), network_(config, parameters) {}

  bool is_table(const nn::Parameter& parameter) const override {
    return network_.is_table(parameter);
  }
  Part part_of(std::string_view name) const override;
  std::unique_ptr<BatchLoss> declare_loss(nn::Graph& graph,
                                          const BatchSettings& settings) const override;
  std::unique_ptr<BatchEncoding> declare_encoding(nn::Graph& graph,
                                                  const EncodingSettings& settings) const override;
  std::uint32_t max_tokens(const nn::Engine& engine) const override;
  std::uint32_t classes() const override { return network_.predictions().table.rows; }

 private:
  BertNetwork network_;
};

}  // namespace awend::model
