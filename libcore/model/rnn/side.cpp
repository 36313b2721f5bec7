#include "model/rnn/side.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/batch_inputs.hpp"
#include "nn/graph.hpp"

namespace awend::model {
namespace {

void write_ids(nn::Program& program, const batch::PackedSide& packed, const RnnSide& side) {
  write_words(program, packed.ids, side.tokens.ids);
  write_segments(program, packed.by_id, side.tokens.by_id);
}

/// The position of the token of step `step` in a sentence of `length` tokens.
std::uint32_t position_of(std::uint32_t step, std::uint32_t length, SourceOrder order) {
  const bool is_end = step + 1 == length;
  return order == SourceOrder::kForward || is_end ? step : length - 2 - step;
}

}  // namespace

RnnSide declare_side(nn::Graph& graph, const Config& config, const SideCapacity& capacity,
                     SideKind kind) {
  const bool is_source = kind == SideKind::kSource;
  nn::Program& program = graph.program();
  const nn::Count rows = program.count(capacity.rows);
  const std::uint32_t longest = capacity.longest == 0
                                    ? config.max_positions
                                    : std::min(capacity.longest, config.max_positions);
  RnnSide side{.rows = rows,
               .flat = program.count(capacity.rows),
               .tokens = {program.input(rows, 1), std::nullopt},
               .steps = nn::declare_steps(program, rows, longest),
               .reverse = std::nullopt,
               .order = is_source ? config.rnn.source_order : SourceOrder::kForward,
               .masks = program.input(rows, 1),
               .step_masks = program.input(rows, 1)};
  if (graph.training()) {
    side.tokens.by_id = declare_segments(
        program, rows, is_source ? source_vocabulary_of(config) : config.vocabulary);
  }
  const bool reads_sentences =
      is_source ? config.rnn.bridge == Bridge::kMean : config.rnn.context_feeding == Switch::kOn;
  if (reads_sentences) side.sentences = program.input(side.steps.sentences(), 2);
  if (is_source && config.rnn.bidirectional != Bidirectional::kNone)
    side.reverse = nn::with_own_table(program, side.steps);
  return side;
}

std::vector<std::uint32_t> ranks(std::span<const std::uint32_t> begins) {
  std::vector<std::uint32_t> order(begins.size() - 1);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::uint32_t s) { return begins[s + 1] - begins[s]; });
  return order;
}

std::uint32_t monotonic_center(std::uint32_t t, std::uint32_t source_tokens) {
  // Longer translations attend to the end of the source.
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::min(t + 1, source_tokens)) - 1);
}

void write_side(nn::Program& program, const Config& config, const batch::PackedSide& packed,
                const RnnSide& side) {
  program.set(side.rows, packed.rows(), packed.first_row);
  program.set(side.flat, packed.rows());
  const auto order = ranks(packed.begins);
  std::vector<std::uint32_t> lengths;
  for (const std::uint32_t s : order) lengths.push_back(packed.begins[s + 1] - packed.begins[s]);
  nn::set_counts(program, side.steps, lengths);
  if (side.sentences) {
    const auto sentences = program.host<std::uint32_t>(*side.sentences);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      sentences[2 * rank] = packed.begins[order[rank]];
      sentences[2 * rank + 1] = packed.begins[order[rank] + 1];
    }
  }
  const auto start = start_token_of(config);
  write_ids(program, start ? batch::with_start(packed, *start) : packed, side);
  const auto masks = program.host<std::uint32_t>(side.masks);
  const auto step_masks = program.host<std::uint32_t>(side.step_masks);
  const auto table = program.host<std::uint32_t>(side.steps.table);
  const bool variational = config.rnn.variational_dropout == Switch::kOn;
  std::size_t entry = 0;
  for (std::uint32_t t = 0; !lengths.empty() && t < lengths.front(); ++t) {
    for (std::size_t rank = 0; rank < order.size() && lengths[rank] > t; ++rank, ++entry) {
      const std::uint32_t begin = packed.begins[order[rank]], length = lengths[rank];
      const std::uint32_t row = begin + position_of(t, length, side.order);
      table[entry] = row;
      masks[row] = step_masks[entry] = packed.first_row + (variational ? begin : row);
      if (side.reverse) {
        program.host<std::uint32_t>(side.reverse->table)[entry] =
            begin + position_of(length - 1 - t, length, side.order);
      }
    }
  }
}

}  // namespace awend::model
