#include "model/bert/batch.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/batch_inputs.hpp"
#include "nn/decoding.hpp"
#include "nn/graph.hpp"
#include "nn/shader_types.hpp"

namespace awend::model {
namespace {

// [CLS] and [SEP]
constexpr std::uint32_t kMinSentenceRows = 2;
constexpr std::uint32_t kSentenceClasses = 2;

/// The positions of models whose first token does not have position 0.
void number_from(std::uint32_t first, batch::PackedSide& side) {
  const auto padding = first - 1;
  for (std::size_t sentence = 0; sentence + 1 < side.begins.size(); ++sentence) {
    std::uint32_t position = first;
    for (auto row = side.begins[sentence]; row < side.begins[sentence + 1]; ++row)
      side.positions[row] = side.ids[row] == padding ? padding : position++;
  }
  side.by_position = batch::rows_by_key(side.positions);
}

/// All segments of models that have one kind.
void join_segments(batch::PackedSide& side) {
  std::ranges::fill(side.segments, 0);
  side.by_segment = batch::rows_by_key(side.segments);
}

nn::FewLookupInputs declare_segment_inputs(nn::Graph& graph, const nn::Count& rows,
                                           std::uint32_t segments) {
  nn::Program& program = graph.program();
  nn::FewLookupInputs inputs{
      .ids = program.input(rows, 1), .rows = program.input(rows, 1), .counts = {}};
  for (std::uint32_t segment = 0; segment < segments; ++segment)
    inputs.counts.push_back(program.count(rows.capacity));
  return inputs;
}

}  // namespace

BertBatch::BertBatch(const BertNetwork& network, nn::Graph& graph, const Settings& settings)
    : network_(network),
      graph_(graph),
      settings_(settings),
      source_(
          declare_source(graph, network.config(), settings.rows, network.config().max_positions)),
      segments_(declare_segment_inputs(graph, source_.rows, network.config().bert.segments)),
      predicted_(declare_selected(settings.predictions)),
      output_ids_(graph.program().input(predicted_.rows, 1)) {
  nn::Program& program = graph.program();
  if (settings.attention == BatchSettings::Attention::kRecorded)
    graph.on_attention([this](const nn::AttentionRecord& record) { add_output(record); });
  if (network.has_spans()) spans_ = declare_spans();
  if (!network.has_next_sentence()) return;
  first_ = declare_selected(std::max(settings.rows / kMinSentenceRows, 1u));
  labels_ = program.input(first_->rows, 1);
  if (graph.training()) sentence_scalars_ = program.input(program.fixed(1), nn::kStepColumns);
}

BertBatch::Selected BertBatch::declare_selected(std::uint32_t max_rows) {
  nn::Program& program = graph_.program();
  const nn::Count rows = program.count(max_rows), entries = program.count(max_rows);
  return {.rows = rows, .selection = {.table = program.input(entries, 1), .entries = entries}};
}

/// A row attends to no more than its sentence.
void BertBatch::add_output(const nn::AttentionRecord& record) {
  const auto max_keys = std::min(record.k.rows.capacity, network_.config().max_positions);
  attentions_.push_back({.kind = AttentionOutput::Kind::kEncoder,
                         .heads = record.heads,
                         .max_keys = max_keys,
                         .weights = nn::attention_weights(graph_, record, max_keys)});
}

nn::Tensor BertBatch::encode() {
  return encode_layers().back();
}

std::vector<nn::Tensor> BertBatch::encode_layers() {
  auto layers = network_.encode_layers(graph_, {source_.embedding, segments_, source_.self});
  encoded_ = layers.back();
  return layers;
}

nn::Tensor BertBatch::gathered(const Selected& selected) {
  base::check(encoded_.has_value(), "predictions come after the encoder");
  return nn::gather_rows(graph_, *encoded_, selected.selection, selected.rows);
}

BertBatch::SpanInputs BertBatch::declare_spans() {
  nn::Program& program = graph_.program();
  const nn::Count sentences = program.count(std::max(settings_.rows / kMinSentenceRows, 1u));
  return {.sentences = sentences,
          .ranges = program.input(sentences, 2),
          .targets = program.input(sentences, 2)};
}

nn::Loss BertBatch::loss() {
  encode();
  const nn::OutputLayer output = network_.predictions();
  if (spans_) return nn::SpanLoss(graph_, *encoded_, output, {spans_->ranges, spans_->targets});
  return nn::ChunkedLoss{
      graph_, network_.head(graph_, gathered(predicted_)), output,
      nn::LossInputs{.targets = output_ids_,
                     .vocabulary = output.table.rows,
                     .label_smoothing = network_.config().label_smoothing,
                     .for_host = settings_.loss == BatchSettings::Loss::kTokens}};
}

std::optional<nn::Loss> BertBatch::sentence_loss() {
  if (!first_) return std::nullopt;
  return nn::ChunkedLoss(graph_, network_.pooled(graph_, gathered(*first_)),
                         network_.next_sentence(),
                         nn::LossInputs{.targets = *labels_,
                                        .vocabulary = kSentenceClasses,
                                        .label_smoothing = 0,
                                        .step = sentence_scalars_});
}

nn::Logits BertBatch::predict() {
  return nn::token_logits(graph_, network_.head(graph_, gathered(predicted_)),
                          network_.predictions());
}

std::optional<nn::Logits> BertBatch::classify_sentences() {
  if (!first_) return std::nullopt;
  return nn::token_logits(graph_, network_.pooled(graph_, gathered(*first_)),
                          network_.next_sentence());
}

std::optional<nn::Logits> BertBatch::span_ends() {
  if (!spans_) return std::nullopt;
  base::check(encoded_.has_value(), "spans come after the encoder");
  return nn::token_logits(graph_, *encoded_, network_.predictions());
}

void BertBatch::write_segments_of(const batch::PackedSide& source) {
  nn::Program& program = graph_.program();
  write_words(program, source.segments, segments_.ids);
  if (!graph_.training()) return;
  const batch::RowsByKey& by = source.by_segment;
  write_words(program, by.rows, segments_.rows);
  for (const auto& count : segments_.counts) program.set(count, 0);
  for (std::size_t i = 0; i < by.keys.size(); ++i)
    program.set(segments_.counts[by.keys[i]], by.begins[i + 1] - by.begins[i], by.begins[i]);
}

/// The answers are places in the sentences; none of them is known when lines are only encoded.
void BertBatch::write_spans(const batch::PackedBatch& batch) {
  const nn::Program& program = graph_.program();
  const auto& begins = batch.source.begins;
  std::vector<std::uint32_t> ranges, targets;
  for (std::size_t i = 0; i < batch.sentences; ++i) {
    ranges.insert(ranges.end(), {begins[i], begins[i + 1]});
    if (batch.output_ids.empty()) continue;
    for (const std::size_t end : {2 * i, 2 * i + 1})
      targets.push_back(begins[i] + batch.output_ids[end]);
  }
  graph_.program().set(spans_->sentences, batch.sentences);
  write_words(program, ranges, spans_->ranges);
  write_words(program, targets, spans_->targets);
}

void BertBatch::write_selected(std::span<const std::uint32_t> rows, std::uint32_t first,
                               const Selected& to) {
  nn::Program& program = graph_.program();
  const auto count = static_cast<std::uint32_t>(rows.size());
  program.set(to.rows, count, first);
  program.set(to.selection.entries, count);
  write_words(program, rows, to.selection.table);
}

void BertBatch::write(const batch::PackedBatch& batch) {
  nn::Program& program = graph_.program();
  const auto& bert = network_.config().bert;
  std::optional<batch::PackedSide> changed;
  if (bert.first_position > 0 || bert.segments == 1) changed = batch.source;
  if (bert.first_position > 0) number_from(bert.first_position, *changed);
  if (bert.segments == 1) join_segments(*changed);
  const batch::PackedSide& source = changed ? *changed : batch.source;
  write_side(program, source, source_);
  write_segments_of(source);
  write_ranges(program, source, source_.self.keys_of_query, sentence_in(source));
  if (spans_) return write_spans(batch);
  write_selected(batch.target.source_rows, batch.target.first_row, predicted_);
  write_words(program, batch.output_ids, output_ids_);
  if (!first_) return;
  const auto begins = std::span(source.begins).first(source.begins.size() - 1);
  write_selected(begins, source.first_sentence, *first_);
  write_words(program, source.labels, *labels_);
}

}  // namespace awend::model
