#include "model/transformer/teacher_forcing.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/batch_inputs.hpp"
#include "nn/attention/guided.hpp"
#include "nn/graph.hpp"

namespace awend::model {
namespace {

/// The ids of a side, and the most rows of its table of positions.
struct SideShape {
  std::uint32_t vocabulary;
  const Config& config;
};

nn::EmbeddingInputs declare_embedding(nn::Graph& graph, const SideShape& side,
                                      const nn::Count& rows) {
  nn::Program& program = graph.program();
  nn::EmbeddingInputs inputs{.ids = program.input(rows, 1),
                             .positions = program.input(rows, 1),
                             .by_id = std::nullopt,
                             .by_position = std::nullopt};
  if (!graph.training()) return inputs;
  inputs.by_id = declare_segments(program, rows, side.vocabulary);
  if (side.config.transformer.positions == Positions::kLearned)
    inputs.by_position = declare_segments(program, rows, side.config.max_positions);
  return inputs;
}

/// Ranges of `queries` over the rows of `keys`.  In inference both directions are one tensor,
/// because only the first is read.
nn::AttentionRanges declare_ranges(nn::Graph& graph, const nn::Count& queries,
                                   const nn::Count& keys, std::uint32_t longest) {
  const nn::Tensor keys_of_query = graph.program().input(queries, 2);
  return {.keys_of_query = keys_of_query,
          .queries_of_key = graph.training() ? graph.program().input(keys, 2) : keys_of_query,
          .longest = longest};
}

SideInputs declare_target(nn::Graph& graph, const Config& config, const BatchSettings& settings) {
  const nn::Count rows = graph.program().count(settings.target_rows);
  return {.rows = rows,
          .embedding = declare_embedding(graph, {config.vocabulary, config}, rows),
          .self = declare_ranges(graph, rows, rows, longest_range(config, settings.longest))};
}

/// Writes the rows of each sentence.
void write_sentences(nn::Program& program, std::span<const std::uint32_t> begins,
                     const nn::Tensor& to) {
  const auto values = program.host<std::uint32_t>(to);
  const std::size_t sentences = begins.size() - 1;
  program.set(to.rows, static_cast<std::uint32_t>(sentences));
  for (std::size_t s = 0; s < sentences; ++s) {
    values[2 * s] = begins[s];
    values[2 * s + 1] = begins[s + 1];
  }
}

}  // namespace

SideInputs declare_source(nn::Graph& graph, const Config& config, std::uint32_t max_rows,
                          std::uint32_t longest) {
  const nn::Count rows = graph.program().count(max_rows);
  const nn::Tensor ranges = graph.program().input(rows, 2);
  const SideShape side{source_vocabulary_of(config), config};
  return {.rows = rows,
          .embedding = declare_embedding(graph, side, rows),
          .self = {.keys_of_query = ranges,
                   .queries_of_key = ranges,
                   .longest = longest_range(config, longest)}};
}

void write_side(nn::Program& program, const batch::PackedSide& side, const SideInputs& inputs) {
  program.set(inputs.rows, side.rows(), side.first_row);
  write_words(program, side.ids, inputs.embedding.ids);
  write_words(program, side.positions, inputs.embedding.positions);
  write_segments(program, side.by_id, inputs.embedding.by_id);
  write_segments(program, side.by_position, inputs.embedding.by_position);
}

std::uint32_t decoder_input(const Config& config, std::uint32_t id) {
  return id == batch::kNoToken && config.decoder_start == DecoderStart::kToken ? config.start_id
                                                                               : id;
}

TransformerTeacherForcing::TransformerTeacherForcing(const TransformerNetwork& network,
                                                     nn::Graph& graph,
                                                     const BatchSettings& settings)
    : network_(network),
      graph_(graph),
      settings_(settings),
      source_(declare_source(graph, network.config(), settings.source_rows, settings.longest)),
      target_(declare_target(graph, network.config(), settings)),
      cross_(declare_ranges(graph, target_.rows, source_.rows, settings.longest)),
      output_ids_(graph.program().input(target_.rows, 1)) {
  if (has_ssru(network.config())) {
    nn::Program& program = graph.program();
    sentences_ = program.input(program.count(settings.target_rows), 2);
  }
  if (settings.guided_alignment) {
    base::check(network.config().transformer.guided_alignment_layer != 0, "a layer is guided");
    max_keys_ = settings.longest == 0 ? settings.source_rows
                                      : std::min(settings.longest, settings.source_rows);
    links_ = graph.program().input(target_.rows, nn::link_words(max_keys_));
  }
  const bool records = settings.attention == BatchSettings::Attention::kRecorded;
  if (!records && !links_) return;
  graph.on_attention([this](const nn::AttentionRecord& record) { on_attention(record); });
}

/// A decoder layer attends to the target first, unless it has an SSRU, and to the source second.
AttentionOutput::Kind TransformerTeacherForcing::kind_of_next() const {
  if (!memory_) return Kind::kEncoder;
  return sentences_ || last_kind_ == Kind::kDecoder ? Kind::kCross : Kind::kDecoder;
}

void TransformerTeacherForcing::on_attention(const nn::AttentionRecord& record) {
  const Kind kind = kind_of_next();
  last_kind_ = kind;
  if (settings_.attention == BatchSettings::Attention::kRecorded) add_output(record, kind);
  if (kind != Kind::kCross || ++cross_layers_ != guided_layer()) return;
  guide(record);
}

/// The layer, from 1, or 0.
std::uint32_t TransformerTeacherForcing::guided_layer() const {
  return links_ ? network_.config().transformer.guided_alignment_layer : 0;
}

void TransformerTeacherForcing::guide(const nn::AttentionRecord& record) {
  alignment_cost_.emplace(nn::GuidedAttentionLoss(graph_, record,
                                                  {.links = *links_,
                                                   .queries_of_key = cross_.queries_of_key,
                                                   .max_keys = max_keys_,
                                                   .head = 0,
                                                   .settings = *settings_.guided_alignment}));
}

void TransformerTeacherForcing::add_output(const nn::AttentionRecord& record, Kind kind) {
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
  DecoderLayerInputs inputs{.self = target_.self, .cross = FreshKeyValues{*memory_, cross_}};
  if (sentences_) inputs.self = SsruRows{*sentences_};
  return network_.decode(graph_, target_.embedding, target_.rows.capacity,
                         [&](std::uint32_t) { return inputs; });
}

nn::Loss TransformerTeacherForcing::loss() {
  encode();
  const Config& config = network_.config();
  return nn::ChunkedLoss{
      graph_, decode(), network_.output_layer(),
      nn::LossInputs{.targets = output_ids_,
                     .vocabulary = config.vocabulary,
                     .label_smoothing = config.label_smoothing,
                     .for_host = settings_.loss == BatchSettings::Loss::kTokens}};
}

void TransformerTeacherForcing::write_links(const batch::PackedBatch& batch) {
  const std::size_t words = links_->columns;
  const auto bits = graph_.program().host<std::uint32_t>(*links_);
  std::fill_n(bits.begin(), batch.target_rows() * words, 0U);
  for (const auto& [source, row] : batch.links) {
    base::check(source < max_keys_ && row < batch.target_rows(), "a link is in the batch");
    bits[row * words + source / 32] |= std::uint32_t{1} << (source % 32);
  }
}

void TransformerTeacherForcing::write(const batch::PackedBatch& batch) {
  const auto& source = batch.source;
  const auto& target = batch.target;
  nn::Program& program = graph_.program();
  const Config& config = network_.config();
  write_side(program, source, source_);
  write_side(program,
             config.decoder_start == DecoderStart::kToken
                 ? batch::with_start(target, config.start_id)
                 : target,
             target_);
  write_words(program, batch.output_ids, output_ids_);
  if (sentences_) write_sentences(program, target.begins, *sentences_);
  if (links_) write_links(batch);
  const auto sentence_of = [](const batch::PackedSide& side, std::size_t sentence) {
    return batch::RowRange{side.begins[sentence], side.begins[sentence + 1]};
  };
  write_ranges(program, source, source_.self.keys_of_query,
               [&](std::uint32_t row, std::size_t sentence) {
                 return encoder_range(config, sentence_of(source, sentence), row);
               });
  write_ranges(program, target, target_.self.keys_of_query,
               [&](std::uint32_t row, std::size_t sentence) {
                 return in_window(config, {target.begins[sentence], row + 1}, row);
               });
  write_ranges(program, target, cross_.keys_of_query, [&](std::uint32_t, std::size_t sentence) {
    return attended_source(config, sentence_of(source, sentence));
  });
  if (!graph_.training()) return;
  write_ranges(program, target, target_.self.queries_of_key,
               [&](std::uint32_t row, std::size_t sentence) {
                 return in_window(config, {row, target.begins[sentence + 1]}, row);
               });
  write_ranges(
      program, source, cross_.queries_of_key, [&](std::uint32_t row, std::size_t sentence) {
        const batch::RowRange queries = sentence_of(target, sentence);
        const bool is_attended = row < attended_source(config, sentence_of(source, sentence)).end;
        return is_attended ? queries : batch::RowRange{queries.begin, queries.begin};
      });
}

}  // namespace awend::model
