#include "forward/pass.hpp"

#include <cstring>

#include "nn/graph.hpp"

namespace awend::forward {

void write_scalars(const nn::Program& program, const nn::Tensor& tensor,
                   const nn::StepScalars& scalars) {
  std::memcpy(program.host<std::byte>(tensor).data(), &scalars, sizeof scalars);
}

Pass::Pass(nn::Engine& engine, const model::ModelView& model, const PassSettings& settings)
    : rows_(settings.rows),
      program_(engine),
      graph_(std::make_unique<nn::Graph>(program_, *model.parameters, settings.mode)),
      inputs_(model.model->declare_loss(*graph_, {.source_rows = settings.rows,
                                                  .target_rows = settings.rows,
                                                  .loss = settings.loss,
                                                  .attention = settings.attention,
                                                  .longest = settings.longest,
                                                  .guided_alignment = settings.guided_alignment})),
      loss_(inputs_->loss()),
      sentence_loss_(inputs_->sentence_loss()),
      alignment_cost_(inputs_->alignment_cost()),
      alignment_weight_(settings.guided_alignment.value_or(nn::GuidedAlignment{}).weight) {
  if (!graph_->training()) return;
  step_scalars_ = graph_->step_scalars();
  graph_->derive_backward();
  program_.stage_inputs();
}

Pass::~Pass() = default;

void Pass::write(const batch::PackedBatch& batch, const nn::StepScalars& scalars,
                 float sentence_loss_scale) {
  if (writes_ahead()) program_.wait_for_inputs();
  written_ = {.target_rows = batch.target_rows(), .sentences = batch.sentences};
  // First, because models with random inputs read the seed.
  write_scalars(scalars, sentence_loss_scale);
  inputs_->write(batch);
  loss_.set_rows(written_.target_rows);
  if (sentence_loss_) sentence_loss_->set_rows(written_.sentences);
}

void Pass::write_scalars(const nn::StepScalars& scalars, float sentence_loss_scale) {
  if (step_scalars_) forward::write_scalars(program_, *step_scalars_, scalars);
  if (!sentence_loss_) return;
  if (const auto own = inputs_->sentence_scalars()) {
    nn::StepScalars own_scalars = scalars;
    own_scalars.loss_scale = sentence_loss_scale;
    forward::write_scalars(program_, *own, own_scalars);
  }
}

Losses Pass::losses() const {
  const auto totals = program_.host<float>(loss_.totals());
  Losses losses{
      .smoothed = totals[0], .negative_log_likelihood = totals[1], .tokens = run_.target_rows};
  if (alignment_cost_) {
    losses.of_alignments =
        alignment_weight_ * double{program_.host<float>(alignment_cost_->totals())[0]};
  }
  if (!sentence_loss_) return losses;
  losses.of_sentences = program_.host<float>(sentence_loss_->totals())[1];
  losses.sentences = run_.sentences;
  return losses;
}

float Pass::log_probability(std::uint32_t row) const {
  return -program_.host<float>(loss_.rows())[2 * std::size_t{inputs_->row_of(row)} + 1];
}

}  // namespace awend::forward
