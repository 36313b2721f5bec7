#include "model/transformer/teacher_forcing.hpp"

#include "base/error.hpp"
#include "model/batch_inputs.hpp"

namespace awend::model {
namespace {

nn::EmbeddingInputs declare_embedding(nn::Graph& graph, const Config& config,
                                      const nn::Count& rows) {
  nn::Program& program = graph.program();
  nn::EmbeddingInputs inputs{.ids = program.input(rows, 1),
                             .positions = program.input(rows, 1),
                             .by_id = std::nullopt,
                             .by_position = std::nullopt};
  if (!graph.training()) return inputs;
  inputs.by_id = declare_segments(program, rows, config.vocabulary);
  if (config.positions == Positions::kLearned)
    inputs.by_position = declare_segments(program, rows, config.longest);
  return inputs;
}

/// Ranges of `queries` over the rows of `keys`.  In inference both directions are one tensor,
/// because only the first is read.
nn::AttentionRanges declare_ranges(nn::Graph& graph, const nn::Count& queries,
                                   const nn::Count& keys) {
  const nn::Tensor keys_of_query = graph.program().input(queries, 2);
  return {keys_of_query, graph.training() ? graph.program().input(keys, 2) : keys_of_query};
}

SideInputs declare_target(nn::Graph& graph, const Config& config, std::uint32_t max_rows) {
  const nn::Count rows = graph.program().count(max_rows);
  return {.rows = rows,
          .embedding = declare_embedding(graph, config, rows),
          .self = declare_ranges(graph, rows, rows)};
}

void write_side(nn::Program& program, const PackedSide& side, const SideInputs& inputs) {
  program.set(inputs.rows, side.rows(), side.first_row);
  write_words(program, side.ids, inputs.embedding.ids);
  write_words(program, side.positions, inputs.embedding.positions);
  write_segments(program, side.by_id, inputs.embedding.by_id);
  write_segments(program, side.by_position, inputs.embedding.by_position);
}

}  // namespace

SideInputs declare_source(nn::Graph& graph, const Config& config, std::uint32_t max_rows) {
  const nn::Count rows = graph.program().count(max_rows);
  const nn::Tensor ranges = graph.program().input(rows, 2);
  return {
      .rows = rows, .embedding = declare_embedding(graph, config, rows), .self = {ranges, ranges}};
}

TransformerTeacherForcing::TransformerTeacherForcing(const TransformerNetwork& network,
                                                     nn::Graph& graph,
                                                     const BatchSettings& settings)
    : network_(network),
      graph_(graph),
      settings_(settings),
      source_(declare_source(graph, network.config(), settings.source_rows)),
      target_(declare_target(graph, network.config(), settings.target_rows)),
      cross_(declare_ranges(graph, target_.rows, source_.rows)),
      output_ids_(graph.program().input(target_.rows, 1)) {
  if (settings.attention != BatchSettings::Attention::kRecorded) return;
  graph.on_attention([this](const nn::AttentionRecord& record) { add_output(record); });
}

/// A decoder layer attends to the target first and to the source second.
void TransformerTeacherForcing::add_output(const nn::AttentionRecord& record) {
  using Kind = AttentionOutput::Kind;
  Kind kind = Kind::kEncoder;
  if (memory_) kind = attentions_.back().kind == Kind::kDecoder ? Kind::kCross : Kind::kDecoder;
  const std::uint32_t max_keys = record.k.rows.capacity;
  attentions_.push_back({.kind = kind,
                         .heads = record.heads,
                         .max_keys = max_keys,
                         .weights = nn::attention_weights(graph_, record, max_keys)});
}

void TransformerTeacherForcing::encode() {
  memory_ = network_.encode(graph_, source_.embedding, source_.self);
}

nn::Tensor TransformerTeacherForcing::decode() {
  base::check(memory_.has_value(), "the decoder comes after the encoder");
  const auto key_values = [&](std::uint32_t) {
    return DecoderKeyValues{.self =
                                [this](const nn::Tensor& x) {
                                  return FreshKeyValues{x, target_.self};
                                },
                            .cross = FreshKeyValues{*memory_, cross_}};
  };
  return network_.decode(graph_, target_.embedding, target_.rows.capacity, key_values);
}

nn::ChunkedLoss TransformerTeacherForcing::loss() {
  encode();
  const Config& config = network_.config();
  return {graph_, decode(), network_.projection(),
          nn::LossInputs{.targets = output_ids_,
                         .vocabulary = config.vocabulary,
                         .label_smoothing = config.label_smoothing,
                         .for_host = settings_.loss == BatchSettings::Loss::kTokens}};
}

void TransformerTeacherForcing::write(const PackedBatch& batch) {
  const auto& [source, target, output_ids] = batch;
  nn::Program& program = graph_.program();
  write_side(program, source, source_);
  write_side(program, target, target_);
  write_words(program, output_ids, output_ids_);
  write_ranges(program, source, source_.self.keys_of_query, sentence_in(source));
  write_ranges(program, target, target_.self.keys_of_query,
               [&](std::uint32_t row, std::size_t sentence) {
                 return RowRange{target.begins[sentence], row + 1};
               });
  write_ranges(program, target, cross_.keys_of_query, sentence_in(source));
  if (!graph_.training()) return;
  write_ranges(program, target, target_.self.queries_of_key,
               [&](std::uint32_t row, std::size_t sentence) {
                 return RowRange{row, target.begins[sentence + 1]};
               });
  write_ranges(program, source, cross_.queries_of_key, sentence_in(target));
}

}  // namespace awend::model
