#include "metrics/real_rows.hpp"

namespace awend::metrics {

void add_real_rows(std::span<const std::int64_t> rows, std::span<std::int64_t> sums) {
  for (std::size_t begin = 0; begin < rows.size(); begin += sums.size()) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = bits_of(real_of(sums[i]) + real_of(rows[begin + i]));
  }
}

RealRows::RealRows(std::span<const std::int64_t> rows, std::size_t width) : width_(width) {
  for (const auto bits : rows) rows_.push_back(real_of(bits));
}

void RealRows::add_up(std::span<const std::uint32_t> numbers, std::span<std::int64_t> sums) const {
  std::vector<float> sum(width_);
  for (const auto number : numbers) {
    const auto* row = &rows_[number * width_];
    for (std::size_t k = 0; k < width_; ++k) sum[k] += static_cast<float>(row[k]);
  }
  for (std::size_t k = 0; k < width_; ++k) sums[k] = bits_of(static_cast<double>(sum[k]));
}

RealRows::Split RealRows::split(std::span<const std::uint64_t> bits, std::size_t place) const {
  Split split{std::vector<double>(width_), std::vector<double>(width_)};
  const auto* row = rows_.data();
  for (std::size_t i = 0; i < size(); ++i, ++place) {
    const bool chosen = (bits[place / 64] >> place % 64 & 1) != 0;
    auto& sums = chosen ? split.chosen : split.others;
    for (std::size_t k = 0; k < width_; ++k) sums[k] += *row++;
  }
  return split;
}

}  // namespace awend::metrics
