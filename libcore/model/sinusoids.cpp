#include "model/sinusoids.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace awend::model {
namespace {

std::vector<double> frequencies_of(const SinusoidTable& table) {
  std::vector<double> frequencies((table.columns + 1) / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const auto order = static_cast<double>(i);
    // With a single frequency, the steps of kHalvesMinusOne are undefined; it is 1 in any layout.
    const double steps = table.layout == SinusoidLayout::kHalvesMinusOne
                             ? std::max(1.0, static_cast<double>(frequencies.size()) - 1)
                             : table.columns / 2.0;
    frequencies[i] = std::pow(10000.0, -order / steps);
  }
  return frequencies;
}

}  // namespace

std::vector<float> sinusoids(const SinusoidTable& table) {
  const auto [rows, columns, layout, first_position] = table;
  // A sine and a cosine of each angle would be a quarter of a small model's start.  Angles add:
  // those of the first rows and those of every 64th row give all, in twice the precision needed.
  constexpr std::uint32_t kRows = 64;
  const std::vector<double> frequencies = frequencies_of(table);
  using Angle = std::complex<double>;  // cosine, sine
  std::vector<Angle> within;           // (kRows, frequencies)
  for (std::uint32_t row = 0; row < std::min(kRows, rows); ++row) {
    for (const double frequency : frequencies) within.push_back(std::polar(1.0, row * frequency));
  }
  const bool interleaves = layout == SinusoidLayout::kInterleaved;
  const std::size_t stride = interleaves ? 2 : 1;
  const std::size_t cosine = interleaves ? 1 : columns / 2;
  std::vector<float> values(std::size_t{rows} * columns);
  std::vector<Angle> first(frequencies.size());
  for (std::uint32_t position = 0; position < rows; ++position) {
    const std::uint32_t row = position % kRows;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      if (row == 0) first[i] = std::polar(1.0, (position + first_position) * frequencies[i]);
      const Angle a = first[i], b = within[row * frequencies.size() + i];
      const std::size_t column = stride * i, line = std::size_t{position} * columns;
      values[line + column] = static_cast<float>(a.imag() * b.real() + a.real() * b.imag());
      if (column + cosine < columns) {
        values[line + column + cosine] =
            static_cast<float>(a.real() * b.real() - a.imag() * b.imag());
      }
    }
  }
  return values;
}

}  // namespace awend::model
