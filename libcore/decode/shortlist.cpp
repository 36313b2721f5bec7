#include "decode/shortlist.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::decode {

Shortlist::Shortlist(std::vector<std::uint32_t> ids, const SpecialIds& special)
    : ids_(std::move(ids)) {
  if (ids_.empty()) return;
  ids_.push_back(special.end_of_sentence);
  ids_.push_back(special.unknown);
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

std::optional<std::uint32_t> Shortlist::place(std::uint32_t id) const {
  if (all()) return id;
  const auto found = std::ranges::lower_bound(ids_, id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - ids_.begin());
}

ShortProjection::ShortProjection(nn::Engine& engine, const model::Seq2SeqView& member,
                                 const Shortlist& shortlist) {
  const nn::OutputLayer whole = member.seq2seq->output_layer();
  const auto rows = static_cast<std::uint32_t>(shortlist.size());
  output_.table = parameters_.add("shortlist", rows, whole.table.columns, nn::Initializer::kZero);
  if (whole.bias) output_.bias = parameters_.add("bias", rows, 1, nn::Initializer::kZero);
  parameters_.allocate(engine, nn::Use::kInference, member.parameters->operands());
  const auto copy_rows = [&](const nn::Parameter& from, const nn::Parameter& to) {
    const std::vector<float> all = member.parameters->read(from);
    std::vector<float> kept;
    for (std::uint32_t place = 0; place < rows; ++place) {
      const std::uint32_t id = shortlist.id(place);
      base::check(id < from.rows, "the ids of a shortlist are in the vocabulary");
      const auto row = std::span(all).subspan(std::size_t{id} * from.columns, from.columns);
      kept.insert(kept.end(), row.begin(), row.end());
    }
    parameters_.write(to, kept);
  };
  copy_rows(whole.table, output_.table);
  if (whole.bias) copy_rows(*whole.bias, *output_.bias);
  for (const std::uint32_t id : whole.masked_ids) {
    if (const auto place = shortlist.place(id)) output_.masked_ids.push_back(*place);
  }
  if (member.parameters->quantized()) parameters_.set_quantized();
}

}  // namespace awend::decode
