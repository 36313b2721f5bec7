#include "model/sinusoids.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace awend::model {

std::vector<float> sinusoids(std::uint32_t rows, std::uint32_t columns) {
  // A sine and a cosine of each angle would be a quarter of a small model's start.  Angles add:
  // those of the first rows and those of every 64th row give all, in twice the precision needed.
  constexpr std::uint32_t kRows = 64;
  std::vector<double> frequencies((columns + 1) / 2);
  for (std::uint32_t i = 0; i < frequencies.size(); ++i)
    frequencies[i] = std::pow(10000.0, -2.0 * i / columns);
  using Angle = std::complex<double>;  // cosine, sine
  std::vector<Angle> within;           // (kRows, frequencies)
  for (std::uint32_t row = 0; row < std::min(kRows, rows); ++row) {
    for (const double frequency : frequencies) within.push_back(std::polar(1.0, row * frequency));
  }
  std::vector<float> table(std::size_t{rows} * columns);
  std::vector<Angle> first(frequencies.size());
  for (std::uint32_t position = 0; position < rows; ++position) {
    const std::uint32_t row = position % kRows;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      if (row == 0) first[i] = std::polar(1.0, position * frequencies[i]);
      const Angle a = first[i], b = within[row * frequencies.size() + i];
      const std::size_t at = std::size_t{position} * columns + 2 * i;
      table[at] = static_cast<float>(a.imag() * b.real() + a.real() * b.imag());
      if (2 * i + 1 < columns)
        table[at + 1] = static_cast<float>(a.real() * b.real() - a.imag() * b.imag());
    }
  }
  return table;
}

}  // namespace awend::model
