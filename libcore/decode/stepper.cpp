#include "decode/stepper.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "nn/shader_types.hpp"

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
  source_places_ = encoder_.input(source_.rows, 1);
  model::fill_cross_cache(encoder_graph, transformer_, source_, source_places_, cross_);
  encoder_.compile();

  nn::Graph decoder_graph(decoder_, parameters, nn::Mode::kInference);
  inputs_ = model::declare_step_inputs(decoder_graph, capacity.rows, capacity.cache_rows);
  const nn::Tensor decoded =
      model::decode_step(decoder_graph, transformer_, inputs_, self_, cross_, capacity.longest);
  best_ = nn::top_k(decoder_graph, decoded, transformer_.projection(), capacity.candidates,
                    declare_demands());
  decoder_.compile();
}

nn::Demands Stepper::declare_demands() {
  demands_.wanted = decoder_.input(inputs_.rows, 1);
  if (capacity_.adjustments > 0) {
    demands_.adjustments = {.ranges = decoder_.input(inputs_.rows, 2),
                            .changes = decoder_.input(decoder_.fixed(capacity_.adjustments), 2)};
  }
  return demands_;
}

void Stepper::encode(std::span<const Source> sentences) {
  const auto ids = encoder_.host<std::uint32_t>(source_.embedding.ids);
  const auto positions = encoder_.host<std::uint32_t>(source_.embedding.positions);
  const auto ranges = encoder_.host<std::uint32_t>(source_.self.keys_of_query);
  const auto places = encoder_.host<std::uint32_t>(source_places_);
  std::uint32_t row = 0;
  for (const Source& sentence : sentences) {
    const std::uint32_t begin = row;
    const auto end = begin + static_cast<std::uint32_t>(sentence.ids.size());
    base::check(end <= capacity_.source_rows, "sentences fit the stepper's source rows");
    for (; row < end; ++row) {
      ids[row] = sentence.ids[row - begin];
      positions[row] = row - begin;
      ranges[2 * row] = begin;
      ranges[2 * row + 1] = end;
      places[row] = sentence.first_row + row - begin;
    }
  }
  encoder_.set(source_.rows, row);
  encoder_.replay();
}

void Stepper::write_adjustments(const Step& step) {
  const auto ranges = decoder_.host<std::uint32_t>(demands_.adjustments->ranges);
  const auto changes = decoder_.host<std::uint32_t>(demands_.adjustments->changes);
  base::check(step.adjustments.size() <= capacity_.adjustments, "adjustments fit their input");
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    ranges[2 * i] = step.rows[i].adjustments.begin;
    ranges[2 * i + 1] = step.rows[i].adjustments.end;
  }
  for (std::size_t i = 0; i < step.adjustments.size(); ++i) {
    const auto& [id, kind, amount] = step.adjustments[i];
    changes[2 * i] = kind == Adjustment::Kind::kRepeated ? id | ADJUST_REPEATED : id;
    changes[2 * i + 1] = std::bit_cast<std::uint32_t>(amount);
  }
}

std::span<const Candidate> Stepper::step(const Step& step) {
  const auto count = static_cast<std::uint32_t>(step.rows.size());
  base::check(count <= capacity_.rows && step.cache_rows.size() <= capacity_.cache_rows,
              "a step fits the caches");
  const auto ids = decoder_.host<std::uint32_t>(inputs_.embedding.ids);
  const auto positions = decoder_.host<std::uint32_t>(inputs_.embedding.positions);
  const auto pasts = decoder_.host<std::uint32_t>(inputs_.ancestors.ranges);
  const auto places = decoder_.host<std::uint32_t>(inputs_.places);
  const auto sources = decoder_.host<std::uint32_t>(inputs_.source_ranges);
  const auto wanted_ids = decoder_.host<std::uint32_t>(demands_.wanted);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [last_id, source, past, wanted, adjustments] = step.rows[i];
    base::check(past.end - past.begin <= capacity_.longest, "a hypothesis has a position");
    ids[i] = last_id;
    positions[i] = past.end - past.begin - 1;
    pasts[2 * i] = past.begin;
    pasts[2 * i + 1] = past.end;
    places[i] = step.cache_rows[past.end - 1];
    wanted_ids[i] = wanted;
    sources[2 * i] = source.begin;
    sources[2 * i + 1] = source.end;
  }
  if (demands_.adjustments) write_adjustments(step);
  const auto table = decoder_.host<std::uint32_t>(inputs_.ancestors.table);
  std::copy(step.cache_rows.begin(), step.cache_rows.end(), table.begin());
  decoder_.set(inputs_.rows, count);
  decoder_.replay();

  const auto best_ids = decoder_.host<std::uint32_t>(best_.ids);
  const auto log_probabilities = decoder_.host<float>(best_.log_probabilities);
  candidates_.resize(std::size_t{count} * capacity_.candidates);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    candidates_[i] = {best_ids[i], log_probabilities[i]};
  return candidates_;
}

}  // namespace awend::decode
