#include "model/batch_inputs.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::model {

nn::Segments declare_segments(nn::Program& program, const nn::Count& rows, std::uint32_t keys) {
  const std::uint32_t max_keys = std::min(keys, rows.capacity);
  const nn::Count count = program.count(max_keys);
  return {.count = count,
          .keys = program.input(count, 1),
          .begins = program.input(program.fixed(max_keys + 1), 1),
          .rows = program.input(rows, 1)};
}

void write_words(const nn::Program& program, std::span<const std::uint32_t> from,
                 const nn::Tensor& to) {
  const auto values = program.host<std::uint32_t>(to);
  base::check(from.size() <= values.size(), "an input holds the largest batch");
  std::ranges::copy(from, values.begin());
}

void write_segments(nn::Program& program, const batch::RowsByKey& from,
                    const std::optional<nn::Segments>& to) {
  if (!to) return;
  program.set(to->count, static_cast<std::uint32_t>(from.keys.size()));
  write_words(program, from.keys, to->keys);
  write_words(program, from.begins, to->begins);
  write_words(program, from.rows, to->rows);
}

}  // namespace awend::model
