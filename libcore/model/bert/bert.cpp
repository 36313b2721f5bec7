#include "model/bert/bert.hpp"

#include <algorithm>

#include "model/bert/batch.hpp"

namespace awend::model {

Part Bert::part_of(std::string_view name) const {
  if (name.starts_with("classifier")) return Part::kLabelHead;
  for (const char* prefix : {"masked.", "pooler.", "next_sentence", "span", "mix", "estimator."}) {
    if (name.starts_with(prefix)) return Part::kHead;
  }
  return Part::kShared;
}

std::unique_ptr<BatchLoss> Bert::declare_loss(nn::Graph& graph,
                                              const BatchSettings& settings) const {
  return std::make_unique<BertBatch>(network_, graph,
                                     BertBatch::Settings{.rows = settings.source_rows,
                                                         .predictions = settings.target_rows,
                                                         .loss = settings.loss,
                                                         .attention = settings.attention});
}

std::unique_ptr<BatchEncoding> Bert::declare_encoding(nn::Graph& graph,
                                                      const EncodingSettings& settings) const {
  return std::make_unique<BertBatch>(network_, graph,
                                     BertBatch::Settings{.rows = settings.rows,
                                                         .predictions = settings.predictions,
                                                         .attention = settings.attention});
}

std::uint32_t Bert::max_tokens(const nn::Engine& engine) const {
  const auto& it = config().transformer;
  return std::min(config().max_positions - config().bert.first_position,
                  nn::max_attended_keys(engine, {it.heads, it.d_k, it.d_v}));
}

}  // namespace awend::model
