#include "decode/stepper.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::decode {

Stepper::Stepper(nn::Engine& engine, const Ensemble& ensemble, const StepperCapacity& capacity,
                 const StepperSettings& settings)
    : capacity_(capacity),
      encoder_(engine),
      decoder_(engine),
      inputs_(model::declare_step_inputs(decoder_, capacity.rows, capacity.cache_rows)),
      choice_(decoder_, inputs_.rows,
              {.candidates = capacity.candidates,
               .adjustments = capacity.adjustments,
               .sampling = settings.sampling,
               .shortlist = settings.shortlist}) {
  for (const auto& member : ensemble.members) {
    const model::Config& config = member.transformer->config();
    caches_.push_back({.cross = {engine, config, capacity.source_rows},
                       .self = {engine, config, capacity.cache_rows}});
    if (!settings.shortlist.all()) {
      projections_.push_back(std::make_unique<ShortProjection>(engine, member, settings.shortlist));
    }
  }
  record_encoders(ensemble, settings.timing);
  record_decoders(ensemble, settings.timing);
}

void Stepper::record_encoders(const Ensemble& ensemble, vulkan::Timing timing) {
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    const auto& [parameters, transformer] = ensemble.members[i];
    nn::Graph graph(encoder_, *parameters, nn::Mode::kInference);
    if (i == 0) {
      source_ = model::declare_source_inputs(graph, transformer->config(), capacity_.source_rows);
      source_places_ = encoder_.input(source_.rows, 1);
    }
    model::fill_cross_cache(graph, *transformer, source_, source_places_, caches_[i].cross);
  }
  encoder_.compile(timing);
}

void Stepper::record_decoders(const Ensemble& ensemble, vulkan::Timing timing) {
  nn::Mixture mixture(ensemble.mixing, ensemble.shares);
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    const auto& [parameters, transformer] = ensemble.members[i];
    nn::Graph graph(decoder_, *parameters, nn::Mode::kInference);
    const nn::Tensor decoded = model::decode_step(graph, *transformer, inputs_, caches_[i].self,
                                                  caches_[i].cross, capacity_.longest);
    if (projections_.empty()) {
      mixture.add(decoder_, nn::token_logits(graph, decoded, transformer->projection()));
    } else {
      nn::Graph shorter(decoder_, projections_[i]->parameters(), nn::Mode::kInference);
      mixture.add(decoder_, nn::token_logits(shorter, decoded, projections_[i]->table()));
    }
  }
  choice_.append(mixture.logits());
  decoder_.compile(timing);
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

std::span<const Candidate> Stepper::step(const Step& step) {
  const auto count = static_cast<std::uint32_t>(step.rows.size());
  base::check(count <= capacity_.rows && step.cache_rows.size() <= capacity_.cache_rows,
              "a step fits the caches");
  const auto ids = decoder_.host<std::uint32_t>(inputs_.embedding.ids);
  const auto positions = decoder_.host<std::uint32_t>(inputs_.embedding.positions);
  const auto pasts = decoder_.host<std::uint32_t>(inputs_.ancestors.ranges);
  const auto places = decoder_.host<std::uint32_t>(inputs_.places);
  const auto sources = decoder_.host<std::uint32_t>(inputs_.source_ranges);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Range source = step.rows[i].source, past = step.rows[i].past;
    base::check(past.end - past.begin <= capacity_.longest, "a hypothesis has a position");
    ids[i] = step.rows[i].last_id;
    positions[i] = past.end - past.begin - 1;
    pasts[2 * i] = past.begin;
    pasts[2 * i + 1] = past.end;
    places[i] = step.cache_rows[past.end - 1];
    sources[2 * i] = source.begin;
    sources[2 * i + 1] = source.end;
  }
  choice_.write(step);
  const auto table = decoder_.host<std::uint32_t>(inputs_.ancestors.table);
  std::copy(step.cache_rows.begin(), step.cache_rows.end(), table.begin());
  decoder_.set(inputs_.rows, count);
  decoder_.replay();
  return choice_.read(count);
}

}  // namespace awend::decode
