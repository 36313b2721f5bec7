// An architecture that is not a Transformer: the next token depends on the last one, its position
// and the source.
//
// It differs where an architecture may: it keeps no cache of its own tokens, and computes the rows
// of a batch in reverse order.
#pragma once

#include <algorithm>
#include <optional>

#include "model/seq2seq.hpp"
#include "model/sinusoids.hpp"
#include "nn/decoding.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::tests {

class AttentiveBigram : public model::Seq2Seq {
 public:
  AttentiveBigram(const model::Config& config, nn::Parameters& parameters)
      : Seq2Seq(config),
        table_(parameters.add("table", config.vocabulary, config.d_model,
                              nn::Initializer::kEmbedding)),
        hidden_(parameters.add("hidden", config.d_model, config.d_model,
                               nn::Initializer::kGlorotUniform)) {}

  const nn::Parameter& projection() const override { return table_; }
  bool is_table(const nn::Parameter& parameter) const override {
    return parameter.index == table_.index;
  }
  std::unique_ptr<model::TeacherForcing> declare_inputs(
      nn::Graph& graph, const model::BatchSettings& settings) const override;
  std::unique_ptr<model::StepDecoding> make_cache(
      nn::Engine& engine, const model::StepCapacity& capacity) const override;
  store::AttentionLayout attention_layout() const override { return {}; }
  std::uint32_t max_tokens(const nn::Engine&) const override { return kMaxTokens; }
  model::DecodingFootprint footprint(const nn::Engine&) const override {
    const std::uint64_t row_bytes = config().d_model * sizeof(float);
    return {.vocabulary = config().vocabulary,
            .source_token_bytes = 2 * row_bytes,
            .target_token_bytes = 1,
            .widest_row_bytes = row_bytes,
            .widest_activation_bytes = row_bytes,
            .max_source_tokens = kMaxTokens,
            .max_target_tokens = kMaxTokens};
  }

  nn::EmbeddingInputs declare(nn::Graph& graph, const nn::Count& rows) const {
    return {.ids = graph.program().input(rows, 1),
            .positions = graph.program().input(rows, 1),
            .by_id = std::nullopt,
            .by_position = std::nullopt};
  }
  nn::Tensor embed(nn::Graph& graph, const nn::EmbeddingInputs& inputs) const {
    const std::uint32_t width = config().d_model;
    const nn::Tensor positions =
        graph.program().constant(width, model::sinusoids(kMaxTokens, width));
    return nn::embedding(graph, inputs, table_, {positions, std::nullopt}, 0);
  }
  /// The output for target embeddings, given source rows and their ranges.
  nn::Tensor output(nn::Graph& graph, const nn::Tensor& x, const nn::Tensor& source,
                    const nn::Tensor& ranges) const {
    const nn::Tensor attended = nn::portable_attention(graph, {x, source, source}, {ranges, ranges},
                                                       {1, config().d_model, config().d_model});
    return nn::linear(graph, nn::residual(graph, x, attended, 0), hidden_, std::nullopt,
                      nn::Activation::kRelu);
  }

  static constexpr std::uint32_t kMaxTokens = 100;

 private:
  nn::Parameter table_, hidden_;
};

class BigramBatch : public model::TeacherForcing {
 public:
  BigramBatch(const AttentiveBigram& bigram, nn::Graph& graph, const model::BatchSettings& settings)
      : bigram_(bigram),
        graph_(graph),
        for_host_(settings.loss == model::BatchSettings::Loss::kTokens),
        source_rows_(graph.program().count(settings.source_rows)),
        target_rows_(graph.program().count(settings.target_rows)),
        source_(bigram.declare(graph, source_rows_)),
        target_(bigram.declare(graph, target_rows_)),
        ranges_(graph.program().input(target_rows_, 2)),
        output_ids_(graph.program().input(target_rows_, 1)) {}

  void encode() override { memory_ = bigram_.embed(graph_, source_); }
  nn::Tensor decode() override {
    return bigram_.output(graph_, bigram_.embed(graph_, target_), *memory_, ranges_);
  }
  nn::Loss loss() override {
    encode();
    return nn::ChunkedLoss{graph_, decode(), bigram_.projection(),
                           nn::LossInputs{.targets = output_ids_,
                                          .vocabulary = bigram_.config().vocabulary,
                                          .label_smoothing = 0,
                                          .for_host = for_host_}};
  }
  std::uint32_t row_of(std::uint32_t row) const override { return rows_ - 1 - row; }
  const std::vector<model::AttentionOutput>& attentions() const override { return attentions_; }

  void write(const batch::PackedBatch& batch) override {
    const auto& source = batch.source;
    const auto& target = batch.target;
    rows_ = target.rows();
    nn::Program& program = graph_.program();
    program.set(source_rows_, source.rows());
    program.set(target_rows_, rows_);
    std::ranges::copy(source.ids, words(source_.ids).begin());
    std::ranges::copy(source.positions, words(source_.positions).begin());
    std::ranges::reverse_copy(target.ids, words(target_.ids).begin());
    std::ranges::reverse_copy(target.positions, words(target_.positions).begin());
    std::ranges::reverse_copy(batch.output_ids, words(output_ids_).begin());
    for (std::size_t i = 0; i + 1 < target.begins.size(); ++i) {
      for (std::uint32_t row = target.begins[i]; row < target.begins[i + 1]; ++row) {
        words(ranges_)[2 * row_of(row)] = source.begins[i];
        words(ranges_)[2 * row_of(row) + 1] = source.begins[i + 1];
      }
    }
  }

 private:
  std::span<std::uint32_t> words(const nn::Tensor& tensor) const {
    return graph_.program().host<std::uint32_t>(tensor);
  }

  const AttentiveBigram& bigram_;
  nn::Graph& graph_;
  bool for_host_;
  std::uint32_t rows_ = 0;
  nn::Count source_rows_, target_rows_;
  nn::EmbeddingInputs source_, target_;
  nn::Tensor ranges_, output_ids_;
  std::optional<nn::Tensor> memory_;
  std::vector<model::AttentionOutput> attentions_;
};

class BigramSteps : public model::StepDecoding {
 public:
  BigramSteps(const AttentiveBigram& bigram, nn::Engine& engine,
              const model::StepCapacity& capacity)
      : bigram_(bigram),
        max_sources_(capacity.source_rows),
        sources_(engine, capacity.source_rows, bigram.config().d_model) {}

  void append_encoder(nn::Graph& graph) override {
    encoder_ = &graph.program();
    source_rows_ = encoder_->count(max_sources_);
    source_ = bigram_.declare(graph, source_rows_);
    places_ = encoder_->input(source_rows_, 1);
    nn::store_rows(graph, bigram_.embed(graph, source_), sources_.tensor(*encoder_), places_);
  }
  nn::Tensor append_step(nn::Graph& graph, const nn::Count& rows) override {
    step_ = &graph.program();
    last_ = bigram_.declare(graph, rows);
    ranges_ = step_->input(rows, 2);
    return bigram_.output(graph, bigram_.embed(graph, last_), sources_.tensor(*step_), ranges_);
  }
  void write(std::span<const model::SourceSentence> sentences) override {
    std::uint32_t row = 0;
    for (const auto& sentence : sentences) {
      for (std::uint32_t i = 0; i < sentence.ids.size(); ++i, ++row) {
        encoder_->host<std::uint32_t>(source_.ids)[row] = sentence.ids[i];
        encoder_->host<std::uint32_t>(source_.positions)[row] = i;
        encoder_->host<std::uint32_t>(places_)[row] = sentence.first_row + i;
      }
    }
    encoder_->set(source_rows_, row);
  }
  void write(const model::StepRows& step) override {
    for (std::size_t i = 0; i < step.rows.size(); ++i) {
      const auto& [last_id, source, past] = step.rows[i];
      step_->host<std::uint32_t>(last_.ids)[i] = last_id;
      step_->host<std::uint32_t>(last_.positions)[i] = past.end - past.begin - 1;
      step_->host<std::uint32_t>(ranges_)[2 * i] = source.begin;
      step_->host<std::uint32_t>(ranges_)[2 * i + 1] = source.end;
    }
  }

 private:
  const AttentiveBigram& bigram_;
  std::uint32_t max_sources_;
  nn::RowCache sources_;
  nn::Program* encoder_ = nullptr;
  nn::Program* step_ = nullptr;
  nn::Count source_rows_{};
  nn::EmbeddingInputs source_{}, last_{};
  nn::Tensor places_{}, ranges_{};
};

inline std::unique_ptr<model::TeacherForcing> AttentiveBigram::declare_inputs(
    nn::Graph& graph, const model::BatchSettings& settings) const {
  return std::make_unique<BigramBatch>(*this, graph, settings);
}

inline std::unique_ptr<model::StepDecoding> AttentiveBigram::make_cache(
    nn::Engine& engine, const model::StepCapacity& capacity) const {
  return std::make_unique<BigramSteps>(*this, engine, capacity);
}

}  // namespace awend::tests
