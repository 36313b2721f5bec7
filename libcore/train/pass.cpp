#include "train/pass.hpp"

#include <cmath>
#include <cstring>

#include "decode/feed.hpp"

namespace awend::train {

Losses& Losses::operator+=(const Losses& other) {
  smoothed += other.smoothed;
  negative_log_likelihood += other.negative_log_likelihood;
  tokens += other.tokens;
  return *this;
}

double Losses::perplexity() const {
  return std::exp(negative_log_likelihood / static_cast<double>(tokens));
}

void write_scalars(const nn::Program& program, const nn::Tensor& tensor,
                   const nn::StepScalars& scalars) {
  std::memcpy(program.host<std::byte>(tensor).data(), &scalars, sizeof scalars);
}

Pass::Pass(Unplanned, nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
           std::uint32_t rows, nn::Mode mode)
    : program_(engine),
      graph_(program_, parameters, mode),
      inputs_(seq2seq.declare_inputs(graph_, {.source_rows = rows, .target_rows = rows})),
      loss_(inputs_->loss()),
      step_scalars_(graph_.step_scalars()) {
  if (mode == nn::Mode::kTraining) graph_.derive_backward();
}

Pass::Pass(nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
           std::uint32_t rows, nn::Mode mode, Ranks* ranks)
    : Pass(Unplanned{}, engine, parameters, seq2seq, rows, mode) {
  if (ranks != nullptr && ranks->size() > 1)
    shared_ = std::make_unique<SharedGradients>(*ranks, program_, parameters);
  program_.compile();
}

std::uint64_t Pass::bytes(nn::Engine& engine, nn::Parameters& parameters,
                          const model::Seq2Seq& seq2seq, std::uint32_t rows, nn::Mode mode) {
  return Pass(Unplanned{}, engine, parameters, seq2seq, rows, mode).program_.plan();
}

void Pass::feed_all(const data::Batch& batch, const nn::StepScalars& scalars) {
  inputs_->write(decode::packed(batch));
  loss_.set_rows(batch.target_rows());
  write_scalars(program_, step_scalars_, scalars);
}

Losses Pass::run(const data::Batch& batch, const nn::StepScalars& scalars) {
  feed_all(batch, scalars);
  program_.replay();
  return losses(batch);
}

Losses Pass::run_last(const data::Batch& batch, const nn::StepScalars& scalars) {
  if (!shared_) return run(batch, scalars);
  feed_all(batch, scalars);
  shared_->replay();
  return losses(batch);
}

void Pass::run_none() {
  if (shared_) shared_->add_nothing();
}

Losses Pass::losses(const data::Batch& batch) const {
  const auto totals = program_.host<float>(loss_.totals());
  return {
      .smoothed = totals[0], .negative_log_likelihood = totals[1], .tokens = batch.target_rows()};
}

}  // namespace awend::train
