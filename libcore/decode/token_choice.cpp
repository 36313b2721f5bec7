#include "decode/token_choice.hpp"

#include <bit>

#include "base/error.hpp"
#include "nn/shader_types.hpp"

namespace awend::decode {

TokenChoice::TokenChoice(nn::Program& program, const nn::Count& rows, const Capacity& capacity)
    : program_(program), capacity_(capacity) {
  demands_.wanted = program.input(rows, 1);
  if (capacity.adjustments > 0) {
    demands_.adjustments = {.ranges = program.input(rows, 2),
                            .changes = program.input(program.fixed(capacity.adjustments), 2)};
  }
}

void TokenChoice::append(const nn::Logits& logits) {
  best_ = nn::top_k(program_, logits, capacity_.candidates, demands_);
}

void TokenChoice::write_adjustments(const Step& step) {
  const auto ranges = program_.host<std::uint32_t>(demands_.adjustments->ranges);
  const auto changes = program_.host<std::uint32_t>(demands_.adjustments->changes);
  base::check(step.adjustments.size() <= capacity_.adjustments, "adjustments fit their input");
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    ranges[2 * i] = step.rows[i].adjustments.begin;
    ranges[2 * i + 1] = step.rows[i].adjustments.end;
  }
  for (std::size_t i = 0; i < step.adjustments.size(); ++i) {
    const auto& [id, kind, amount] = step.adjustments[i];
    changes[2 * i] = kind == Adjustment::Kind::kRepeated ? id | ADJUST_REPEATED : id;
    changes[2 * i + 1] = std::bit_cast<std::uint32_t>(amount);
  }
}

void TokenChoice::write(const Step& step) {
  const auto wanted = program_.host<std::uint32_t>(demands_.wanted);
  for (std::size_t i = 0; i < step.rows.size(); ++i) wanted[i] = step.rows[i].wanted;
  if (demands_.adjustments) write_adjustments(step);
}

std::span<const Candidate> TokenChoice::read(std::uint32_t rows) {
  const auto ids = program_.host<std::uint32_t>(best_.ids);
  const auto log_probabilities = program_.host<float>(best_.log_probabilities);
  candidates_.resize(std::size_t{rows} * capacity_.candidates);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    candidates_[i] = {ids[i], log_probabilities[i]};
  return candidates_;
}

}  // namespace awend::decode
