#include "decode/feed.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::decode {
namespace {

template <class Element>
void copy(const nn::Program& program, const std::vector<Element>& from, const nn::Tensor& to) {
  const auto room = program.host<Element>(to);
  base::check(from.size() <= room.size(), "an input holds the largest batch");
  std::ranges::copy(from, room.begin());
}

void copy(nn::Program& program, const data::RowsByKey& from, const nn::Segments& to) {
  program.set(to.count, static_cast<std::uint32_t>(from.keys.size()));
  copy(program, from.keys, to.keys);
  copy(program, from.begins, to.begins);
  copy(program, from.rows, to.rows);
}

/// What only gradients need is absent in inference.
void copy(nn::Program& program, const data::RowsByKey& from,
          const std::optional<nn::Segments>& to) {
  if (to) copy(program, from, *to);
}

}  // namespace

void feed(nn::Program& program, const model::BatchInputs& inputs, const data::Batch& batch) {
  const auto& [source, target] = inputs;
  program.set(source.rows, batch.source_rows(), batch.first_source_row);
  program.set(target.rows, batch.target_rows(), batch.first_target_row);
  copy(program, batch.source_ids, source.embedding.ids);
  copy(program, batch.source_positions, source.embedding.positions);
  copy(program, batch.source_by_id, source.embedding.by_id);
  copy(program, batch.source_by_position, source.embedding.by_position);
  copy(program, batch.encoder_rows, source.self.keys_of_query);

  copy(program, batch.target_input_ids, target.embedding.ids);
  copy(program, batch.target_positions, target.embedding.positions);
  copy(program, batch.target_by_id, target.embedding.by_id);
  copy(program, batch.target_by_position, target.embedding.by_position);
  copy(program, batch.target_output_ids, target.targets);
  copy(program, batch.causal_keys, target.self.keys_of_query);
  copy(program, batch.cross_keys, target.cross.keys_of_query);
  // In inference the ranges of queries share memory with those of keys.
  if (!target.embedding.by_id) return;
  copy(program, batch.causal_queries, target.self.queries_of_key);
  copy(program, batch.cross_queries, target.cross.queries_of_key);
}

}  // namespace awend::decode
