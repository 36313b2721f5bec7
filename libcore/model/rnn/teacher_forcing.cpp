#include "model/rnn/teacher_forcing.hpp"

#include "base/error.hpp"
#include "model/batch_inputs.hpp"
#include "model/rnn/side.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/mean_rows.hpp"
#include "nn/recurrent/move_rows.hpp"

namespace awend::model {

RnnTeacherForcing::RnnTeacherForcing(const RnnNetwork& network, nn::Graph& graph,
                                     const BatchSettings& settings)
    : network_(network),
      graph_(graph),
      settings_(settings),
      source_(declare_side(graph, network.config(), {settings.source_rows, settings.longest},
                           SideKind::kSource)),
      target_(declare_side(graph, network.config(), {settings.target_rows, settings.longest},
                           SideKind::kTarget)),
      keys_of_query_(graph.program().input(target_.rows, 2)),
      queries_of_key_(graph.training() ? graph.program().input(source_.rows, 2) : keys_of_query_),
      source_ranks_(graph.program().input(target_.steps.sentences(), 1)),
      output_ids_(graph.program().input(target_.rows, 1)) {
  if (network.config().rnn.attention_span == AttentionSpan::kMonotonic)
    centers_ = graph.program().input(target_.rows, 1);
}

void RnnTeacherForcing::encode() {
  encoded_ = network_.encode(graph_, source_);
}

/// The first states of the decoder by rank of the target sentences.
std::vector<nn::CellState> RnnTeacherForcing::target_start() {
  const auto permuted = [&](const nn::Tensor& state) {
    return nn::permute_rows(graph_, state, source_ranks_, target_.steps.sentences());
  };
  std::vector<nn::CellState> start;
  const auto& from = encoded_->start;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i > 0 && from[i].h.id == from[i - 1].h.id) {
      start.push_back(start.back());
      continue;
    }
    nn::CellState state{permuted(from[i].h), std::nullopt};
    if (from[i].c) state.c = permuted(*from[i].c);
    start.push_back(state);
  }
  return start;
}

/// The summary of the source of each target row.
std::optional<nn::Tensor> RnnTeacherForcing::summaries() {
  if (!encoded_->summary) return std::nullopt;
  const nn::Tensor of_sentences =
      nn::permute_rows(graph_, *encoded_->summary, source_ranks_, target_.steps.sentences());
  return nn::repeat_rows(graph_, of_sentences, *target_.sentences, target_.rows);
}

nn::Tensor RnnTeacherForcing::decode() {
  base::check(encoded_.has_value(), "the decoder comes after the encoder");
  using Weights = nn::AttentionSteps::Weights;
  const bool records =
      network_.attends() && settings_.attention == BatchSettings::Attention::kRecorded;
  const auto max_keys = static_cast<std::uint32_t>(source_.steps.size());
  const RnnDecoded decoded =
      network_.decode(graph_, {.side = target_,
                               .start = target_start(),
                               .feed = std::nullopt,
                               .summaries = summaries(),
                               .encoded = *encoded_,
                               .keys_of_query = keys_of_query_,
                               .queries_of_key = queries_of_key_,
                               .centers = centers_,
                               .max_keys = max_keys,
                               .weights = records ? Weights::kOutput : Weights::kInternal});
  if (records) {
    attentions_.push_back({.kind = AttentionOutput::Kind::kCross,
                           .heads = 1,
                           .max_keys = max_keys,
                           .weights = *decoded.weights});
  }
  return decoded.output;
}

nn::Loss RnnTeacherForcing::loss() {
  encode();
  const Config& config = network_.config();
  return nn::ChunkedLoss{
      graph_, decode(), network_.output_layer(),
      nn::LossInputs{.targets = output_ids_,
                     .vocabulary = config.vocabulary,
                     .label_smoothing = config.label_smoothing,
                     .for_host = settings_.loss == BatchSettings::Loss::kTokens}};
}

void RnnTeacherForcing::write(const batch::PackedBatch& batch) {
  const auto& source = batch.source;
  const auto& target = batch.target;
  nn::Program& program = graph_.program();
  write_side(program, network_.config(), source, source_);
  write_side(program, network_.config(), target, target_);
  write_words(program, batch.output_ids, output_ids_);
  write_ranges(program, target, keys_of_query_, sentence_in(source));
  if (graph_.training()) write_ranges(program, source, queries_of_key_, sentence_in(target));
  if (centers_) write_centers(batch);
  const auto of_source = ranks(source.begins), of_target = ranks(target.begins);
  std::vector<std::uint32_t> rank_of(of_source.size());
  for (std::uint32_t rank = 0; rank < of_source.size(); ++rank) rank_of[of_source[rank]] = rank;
  const auto table = program.host<std::uint32_t>(source_ranks_);
  for (std::size_t rank = 0; rank < of_target.size(); ++rank)
    table[rank] = rank_of[of_target[rank]];
}

void RnnTeacherForcing::write_centers(const batch::PackedBatch& batch) {
  const auto centers = graph_.program().host<std::uint32_t>(*centers_);
  const auto& source = batch.source.begins;
  const auto& target = batch.target.begins;
  for (std::size_t s = 0; s + 1 < target.size(); ++s) {
    for (std::uint32_t row = target[s]; row < target[s + 1]; ++row)
      centers[row] = monotonic_center(row - target[s], source[s + 1] - source[s]);
  }
}

}  // namespace awend::model
