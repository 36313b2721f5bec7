#include "decode/shortlist.hpp"

#include <algorithm>

#include "nn/activation_scales.hpp"

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
    parameters_.write(to, member.parameters->read_rows(from, shortlist.ids()));
  };
  copy_rows(whole.table, output_.table);
  if (whole.bias) copy_rows(*whole.bias, *output_.bias);
  for (const std::uint32_t id : whole.masked_ids) {
    if (const auto place = shortlist.place(id)) output_.masked_ids.push_back(*place);
  }
  if (!member.parameters->quantized()) return;
  parameters_.set_quantized();
  if (const auto scale = nn::activation_scale(*member.parameters, whole.table); scale > 0)
    nn::fix_activation_scale(parameters_, output_.table, scale);
}

}  // namespace awend::decode
