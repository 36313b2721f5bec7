#include "decode/stepper.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/checkpoint.hpp"

namespace awend::decode {

LoadedModel::LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint,
                         nn::Element precision)
    : transformer_(model::read_config(checkpoint), parameters_) {
  parameters_.allocate(engine, nn::Use::kInference, precision);
  model::load(parameters_, checkpoint);
}

Stepper::Stepper(nn::Engine& engine, nn::Parameters& parameters,
                 const model::Transformer& transformer, const StepperCapacity& capacity)
    : transformer_(transformer),
      capacity_(capacity),
      cross_(engine, transformer_.config(), capacity.source_rows),
      self_(engine, transformer_.config(), capacity.cache_rows),
      encoder_(engine),
      decoder_(engine) {
  nn::Graph encoder_graph(encoder_, parameters, nn::Mode::kInference);
  source_ =
      model::declare_source_inputs(encoder_graph, transformer_.config(), capacity.source_rows);
  model::fill_cross_cache(encoder_graph, transformer_, source_, cross_);
  encoder_.compile();

  nn::Graph decoder_graph(decoder_, parameters, nn::Mode::kInference);
  inputs_ = model::declare_step_inputs(decoder_graph, capacity.rows, capacity.cache_rows);
  const nn::Tensor decoded =
      model::decode_step(decoder_graph, transformer_, inputs_, self_, cross_, capacity.cache_rows);
  best_ = nn::top_k(decoder_graph, decoded, transformer_.projection(), capacity.candidates);
  decoder_.compile();
}

void Stepper::start(std::span<const std::vector<std::uint32_t>> sentences) {
  const auto ids = encoder_.host<std::uint32_t>(source_.embedding.ids);
  const auto positions = encoder_.host<std::uint32_t>(source_.embedding.positions);
  const auto ranges = encoder_.host<std::uint32_t>(source_.self.keys_of_query);
  source_begin_.assign(1, 0);
  std::uint32_t row = 0;
  for (const auto& sentence : sentences) {
    const std::uint32_t begin = row;
    const auto end = begin + static_cast<std::uint32_t>(sentence.size());
    base::check(end <= capacity_.source_rows, "a batch fits the stepper's source rows");
    for (; row < end; ++row) {
      ids[row] = sentence[row - begin];
      positions[row] = row - begin;
      ranges[2 * row] = begin;
      ranges[2 * row + 1] = end;
    }
    source_begin_.push_back(end);
  }
  encoder_.set(source_.rows, row);
  encoder_.replay();
  cache_first_ = cache_next_ = steps_ = 0;
}

std::span<const Candidate> Stepper::step(std::span<const StepRow> rows) {
  const auto count = static_cast<std::uint32_t>(rows.size());
  base::check(count <= capacity_.rows && cache_next_ + count <= capacity_.cache_rows,
              "a step fits the caches");
  cache_first_ = cache_next_;
  cache_next_ += count;
  const std::uint32_t stride = steps_ + 1;
  const auto ids = decoder_.host<std::uint32_t>(inputs_.embedding.ids);
  const auto positions = decoder_.host<std::uint32_t>(inputs_.embedding.positions);
  const auto table = decoder_.host<std::uint32_t>(inputs_.ancestors.table);
  const auto ranges = decoder_.host<std::uint32_t>(inputs_.source_ranges);
  for (std::uint32_t row = 0; row < count; ++row) {
    base::check(rows[row].ancestors.size() == steps_, "all hypotheses of a step are equally long");
    ids[row] = rows[row].last_id;
    positions[row] = steps_;
    std::copy(rows[row].ancestors.begin(), rows[row].ancestors.end(),
              table.begin() + std::size_t{row} * stride);
    table[std::size_t{row} * stride + steps_] = cache_first_ + row;
    ranges[2 * row] = source_begin_[rows[row].sentence];
    ranges[2 * row + 1] = source_begin_[rows[row].sentence + 1];
  }
  decoder_.set(inputs_.rows, count);
  decoder_.set(inputs_.ancestors.stride, stride);
  decoder_.set(inputs_.ancestors.keys, stride);
  decoder_.set(inputs_.cache_first, cache_first_);
  decoder_.replay();
  ++steps_;

  const auto best_ids = decoder_.host<std::uint32_t>(best_.ids);
  const auto log_probabilities = decoder_.host<float>(best_.log_probabilities);
  candidates_.resize(std::size_t{count} * capacity_.candidates);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    candidates_[i] = {best_ids[i], log_probabilities[i]};
  return candidates_;
}

}  // namespace awend::decode
