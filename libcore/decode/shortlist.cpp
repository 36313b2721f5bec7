#include "decode/shortlist.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::decode {

Shortlist::Shortlist(std::vector<std::uint32_t> ids, const SpecialIds& special)
    : ids_(std::move(ids)) {
  if (ids_.empty()) return;
  ids_.insert(ids_.end(), {special.end_of_sentence, special.unknown});
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

std::optional<std::uint32_t> Shortlist::place(std::uint32_t id) const {
  if (all()) return id;
  const auto found = std::ranges::lower_bound(ids_, id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - ids_.begin());
}

ShortProjection::ShortProjection(nn::Engine& engine, const model::ModelView& member,
                                 const Shortlist& shortlist) {
  const nn::Parameter& whole = member.seq2seq->projection();
  const auto rows = static_cast<std::uint32_t>(shortlist.size());
  table_ = parameters_.add("shortlist", rows, whole.columns, nn::Initializer::kZero);
  parameters_.allocate(engine, nn::Use::kInference, member.parameters->operands());
  const std::vector<float> all = member.parameters->read(whole);
  std::vector<float> kept;
  for (std::uint32_t place = 0; place < rows; ++place) {
    const std::uint32_t id = shortlist.id(place);
    base::check(id < whole.rows, "the ids of a shortlist are in the vocabulary");
    const auto row = std::span(all).subspan(std::size_t{id} * whole.columns, whole.columns);
    kept.insert(kept.end(), row.begin(), row.end());
  }
  parameters_.write(table_, kept);
  if (member.parameters->quantized()) parameters_.set_quantized();
}

}  // namespace awend::decode
