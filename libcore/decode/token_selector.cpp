#include "decode/token_selector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/sampling.hpp"
#include "nn/shader_types.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kBitsOfWord = 32;

/// Logits are multiplied by the inverse temperature.  If it is not finite, the most probable token
/// is selected.
nn::Sampling device_sampling(const SamplingSettings& settings) {
  const auto temperature = static_cast<float>(settings.temperature);
  if (!std::isfinite(1 / temperature)) return {.temperature = 1, .top_k = 1, .top_p = 1};
  return {.temperature = temperature,
          .top_k = settings.top_k,
          .top_p = static_cast<float>(settings.top_p)};
}

}  // namespace

TokenSelector::TokenSelector(nn::Program& program, const nn::Count& rows, const Settings& settings)
    : program_(program), settings_(settings) {
  constraints_.forced_id = program.input(rows, 1);
  if (settings.sampling) random_keys_ = program.input(rows, 2);
  if (settings.adjustments > 0) {
    constraints_.adjustments = {.ranges = program.input(rows, 2),
                                .changes = program.input(program.fixed(settings.adjustments), 2)};
  }
  base::check(settings.lists == SentenceLists::kNone || settings.shortlist.all(),
              "there is one kind of shortlist");
  if (settings.lists == SentenceLists::kMasked) allowed_ = program.input(rows, mask_words());
}

/// The words of a row of bits, as for padded logits.
std::uint32_t TokenSelector::mask_words() const {
  return base::divide_up(base::divide_up(settings_.vocabulary, 4) * 4, kBitsOfWord);
}

void TokenSelector::restrict_tokens(const nn::Logits& logits) {
  if (allowed_) nn::restrict_tokens(program_, logits, *allowed_);
}

void TokenSelector::append(nn::Graph& graph, const nn::Tensor& decoded,
                           const nn::OutputLayer& output) {
  nn::ListedSelection selection{.candidates = settings_.candidates};
  if (settings_.sampling) {
    selection.sampling = device_sampling(*settings_.sampling);
    selection.random_keys = random_keys_;
  }
  best_ = nn::select_listed(graph, decoded, output, lists_, selection, constraints_);
}

void TokenSelector::append(const nn::Logits& logits) {
  if (settings_.sampling) {
    best_ = nn::sample(program_, logits, device_sampling(*settings_.sampling), constraints_,
                       random_keys_);
    return;
  }
  best_ = nn::top_k(program_, logits, settings_.candidates, constraints_);
}

/// The places of the ids of a row.
const Shortlist& TokenSelector::list_of(const TokenRequest& request) const {
  return settings_.lists == SentenceLists::kSelected ? *request.allowed : settings_.shortlist;
}

void TokenSelector::write_lists(const Step& step) {
  base::check(std::ranges::all_of(step.requests,
                                  [](const auto& request) { return request.allowed != nullptr; }),
              "each sentence has a list of tokens");
  lists_.clear();
  for (const auto& request : step.requests) lists_.push_back(request.allowed->ids());
  if (!allowed_) return;
  const auto bits = program_.host<std::uint32_t>(*allowed_);
  const std::size_t words = mask_words();
  std::ranges::fill(bits.first(words * lists_.size()), 0u);
  for (std::size_t row = 0; row < lists_.size(); ++row) {
    for (const auto id : lists_[row])
      bits[row * words + id / kBitsOfWord] |= 1u << (id % kBitsOfWord);
  }
}

void TokenSelector::write_adjustments(const Step& step) {
  const auto ranges = program_.host<std::uint32_t>(constraints_.adjustments->ranges);
  const auto changes = program_.host<std::uint32_t>(constraints_.adjustments->changes);
  base::check(step.adjustments.size() <= settings_.adjustments, "adjustments fit their input");
  std::uint32_t written = 0;
  for (std::size_t i = 0; i < step.requests.size(); ++i) {
    const auto [begin, end] = step.requests[i].adjustments;
    ranges[2 * i] = written;
    for (const auto& [id, kind, amount] : std::span(step.adjustments).subspan(begin, end - begin)) {
      const auto place = list_of(step.requests[i]).place(id);
      if (!place) continue;
      changes[2 * written] =
          kind == Adjustment::Kind::kRepeated ? *place | ADJUST_REPEATED : *place;
      changes[2 * written + 1] = std::bit_cast<std::uint32_t>(amount);
      ++written;
    }
    ranges[2 * i + 1] = written;
  }
}

void TokenSelector::write(const Step& step) {
  if (settings_.lists != SentenceLists::kNone) write_lists(step);
  const auto forced_id = program_.host<std::uint32_t>(constraints_.forced_id);
  for (std::size_t i = 0; i < step.requests.size(); ++i) {
    const std::uint32_t id = step.requests[i].forced_id;
    forced_id[i] = id == batch::kNoToken ? NO_TOKEN : list_of(step.requests[i]).place(id).value();
  }
  if (constraints_.adjustments) write_adjustments(step);
  if (!settings_.sampling) return;
  const auto draws = program_.host<std::uint32_t>(random_keys_);
  for (std::size_t i = 0; i < step.requests.size(); ++i)
    std::ranges::copy(step.requests[i].random_key, draws.subspan(2 * i).begin());
}

std::span<const Candidate> TokenSelector::read(std::uint32_t rows) {
  const auto ids = program_.host<std::uint32_t>(best_.ids);
  const auto log_probabilities = program_.host<float>(best_.log_probabilities);
  candidates_.resize(std::size_t{rows} * settings_.candidates);
  const auto id_of = [&](std::size_t i) {
    if (settings_.lists == SentenceLists::kSelected)
      return lists_[i / settings_.candidates][ids[i]];
    return settings_.shortlist.id(ids[i]);
  };
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    candidates_[i] = {ids[i] == NO_TOKEN ? batch::kNoToken : id_of(i), log_probabilities[i]};
  return candidates_;
}

}  // namespace awend::decode
