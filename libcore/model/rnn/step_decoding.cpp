#include "model/rnn/step_decoding.hpp"

#include "base/error.hpp"
#include "model/rnn/side.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/shader_types.hpp"

namespace awend::model {
namespace {

/// The states of layers in the order of the caches.
std::vector<std::optional<nn::Tensor>> states_of(const std::vector<nn::CellState>& layers,
                                                 nn::Cell cell) {
  std::vector<std::optional<nn::Tensor>> states;
  for (const auto& [h, c] : layers) {
    states.emplace_back(h);
    if (cell == nn::Cell::kLstm) states.push_back(c);
  }
  return states;
}

}  // namespace

RnnStepDecoding::RnnStepDecoding(const RnnNetwork& network, nn::Engine& engine,
                                 const StepCapacity& capacity)
    : network_(network), capacity_(capacity) {
  const Config& config = network.config();
  if (network.attends()) {
    memory_.emplace(engine, capacity.source_rows, network.memory_columns());
    // Scores by dot products have the encoder's outputs as keys.
    if (config.rnn.attention != RnnAttention::kDot)
      keys_.emplace(engine, capacity.source_rows, network.key_columns());
  }
  if (network.feeds_context()) summary_.emplace(engine, capacity.source_rows, config.d_model);
  using Start = StateCache::Start;
  const Start of_c = config.rnn.bridge == Bridge::kCopy ? Start::kEncoder : Start::kZero;
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    add_state(engine, Start::kEncoder);
    if (config.rnn.cell == nn::Cell::kLstm) add_state(engine, of_c);
  }
  if (config.rnn.input_feeding == Switch::kOn) add_state(engine, Start::kZero);
}

void RnnStepDecoding::add_state(nn::Engine& engine, StateCache::Start start) {
  const std::uint32_t size = network_.config().d_model;
  states_.push_back({nn::RowCache(engine, capacity_.cache_rows, size), std::nullopt});
  if (start == StateCache::Start::kEncoder)
    states_.back().at_start.emplace(engine, capacity_.source_rows, size);
}

void RnnStepDecoding::append_encoder(nn::Graph& graph) {
  nn::Program& program = graph.program();
  const RnnSide source =
      declare_side(graph, network_.config(), {capacity_.source_rows, 0}, SideKind::kSource);
  encoder_.emplace(program, source, program.input(source.rows, 1),
                   program.input(source.steps.sentences(), 1));
  const RnnEncoded encoded = network_.encode(graph, source);
  if (memory_) nn::store_rows(graph, encoded.memory, memory_->tensor(program), encoder_->places);
  if (keys_) nn::store_rows(graph, *encoded.keys, keys_->tensor(program), encoder_->places);
  if (summary_) {
    nn::store_rows(graph, *encoded.summary, summary_->tensor(program), encoder_->start_places);
  }
  const auto start = states_of(encoded.start, network_.config().rnn.cell);
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!states_[i].at_start) continue;
    nn::store_rows(graph, *start[i], states_[i].at_start->tensor(program), encoder_->start_places);
  }
}

/// The state before the last token of each hypothesis, (rows, d_model).
nn::Tensor RnnStepDecoding::restored(nn::Graph& graph, const StateCache& cache,
                                     const nn::Count& rows) const {
  nn::Program& program = graph.program();
  const nn::Tensor state = program.activation(rows, network_.config().d_model);
  const auto gather = [&](const nn::RowCache& from, const nn::Tensor& table) {
    nn::move_rows(program, {.x = from.tensor(program),
                            .y = state,
                            .rows = rows,
                            .table = table,
                            .by = nn::RowMove::By::kGather});
  };
  if (cache.at_start) {
    gather(*cache.at_start, step_->start);
  } else {
    nn::zero_rows(program, state, rows);
  }
  gather(cache.after_tokens, step_->before);
  return state;
}

nn::Tensor RnnStepDecoding::append_step(nn::Graph& graph, const nn::Count& rows) {
  nn::Program& program = graph.program();
  const Config& config = network_.config();
  const auto words = [&] { return program.input(rows, 1); };
  step_.emplace(program, words(), words(), words(), words(), program.input(rows, 2), words(),
                words());
  const nn::Steps steps = nn::single_step(program, rows);
  RnnDecoderInputs inputs{.side = {.rows = rows,
                                   .flat = rows,
                                   .tokens = {step_->ids, std::nullopt},
                                   .steps = steps,
                                   .reverse = std::nullopt,
                                   .masks = steps.table,
                                   .step_masks = steps.table},
                          .start = {},
                          .feed = std::nullopt,
                          .encoded = {},
                          .keys_of_query = step_->source_ranges,
                          .queries_of_key = step_->source_ranges,
                          .centers = step_->centers,
                          .max_keys = capacity_.source_rows,
                          .weights = nn::AttentionSteps::Weights::kInternal};
  auto cache = states_.begin();
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    inputs.start.push_back({restored(graph, *cache++, rows), std::nullopt});
    if (config.rnn.cell == nn::Cell::kLstm) inputs.start.back().c = restored(graph, *cache++, rows);
  }
  if (cache != states_.end()) inputs.feed = restored(graph, *cache, rows);
  if (summary_) {
    inputs.summaries = program.activation(rows, config.d_model);
    nn::move_rows(program, {.x = summary_->tensor(program),
                            .y = *inputs.summaries,
                            .rows = rows,
                            .table = step_->first_rows,
                            .by = nn::RowMove::By::kGather});
  }
  if (memory_) inputs.encoded.memory = memory_->tensor(program);
  if (memory_) inputs.encoded.keys = keys_ ? keys_->tensor(program) : inputs.encoded.memory;
  const RnnDecoded decoded = network_.decode(graph, inputs);
  auto last = states_of(decoded.last, config.rnn.cell);
  if (decoded.feed) last.push_back(decoded.feed);
  for (std::size_t i = 0; i < last.size(); ++i)
    nn::store_rows(graph, *last[i], states_[i].after_tokens.tensor(program), step_->places);
  return decoded.output;
}

void RnnStepDecoding::write(std::span<const SourceSentence> sentences) {
  auto& [program, source, place_of, start_place_of] = *encoder_;
  std::vector<std::uint32_t> ids, begins = {0};
  for (const SourceSentence& sentence : sentences) {
    ids.insert(ids.end(), sentence.ids.begin(), sentence.ids.end());
    begins.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  base::check(ids.size() <= capacity_.source_rows, "sentences fit the source cache");
  write_side(program, network_.config(), {.ids = std::move(ids), .begins = begins}, source);
  const auto places = program.host<std::uint32_t>(place_of);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    for (std::uint32_t row = begins[s]; row < begins[s + 1]; ++row)
      places[row] = sentences[s].first_row + row - begins[s];
  }
  const auto start_places = program.host<std::uint32_t>(start_place_of);
  const auto order = ranks(begins);
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    start_places[rank] = sentences[order[rank]].first_row;
}

void RnnStepDecoding::write(const StepRows& step) {
  const auto& [program, id_of, place_of, before_of, start_of, range_of, first_of, center_of] =
      *step_;
  const auto ids = program.host<std::uint32_t>(id_of);
  const auto places = program.host<std::uint32_t>(place_of);
  const auto before = program.host<std::uint32_t>(before_of);
  const auto start = program.host<std::uint32_t>(start_of);
  const auto sources = program.host<std::uint32_t>(range_of);
  const auto first = program.host<std::uint32_t>(first_of);
  const auto centers = program.host<std::uint32_t>(center_of);
  const auto start_id = start_token_of(network_.config());
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const auto& [last_id, source, past] = step.rows[i];
    const bool is_first = past.end - past.begin == 1;
    ids[i] = is_first ? start_id.value_or(last_id) : last_id;
    places[i] = step.cache_rows[past.end - 1];
    before[i] = is_first ? NO_TOKEN : step.cache_rows[past.end - 2];
    start[i] = is_first ? source.begin : NO_TOKEN;
    sources[2 * i] = first[i] = source.begin;
    sources[2 * i + 1] = source.end;
    centers[i] = monotonic_center(past.end - past.begin - 1, source.end - source.begin);
  }
}

}  // namespace awend::model
