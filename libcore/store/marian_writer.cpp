// Writes Marian's binary format.
#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "base/numbers.hpp"
#include "store/marian_binary.hpp"
#include "store/marian_types.hpp"

namespace awend::store {
namespace {

constexpr std::size_t kAlignment = 256;  // of the data of an array, for vector instructions
constexpr float kMaxLevel = 127;

std::uint64_t padded(std::uint64_t bytes) {
  return base::divide_up(bytes, std::uint64_t{kAlignment}) * kAlignment;
}

template <class Number>
std::string_view bytes_of(std::span<const Number> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <class Number>
void put(std::string& out, Number number) {
  out += bytes_of(std::span<const Number>(&number, 1));
}

std::uint64_t size_bytes(const MarianArray& array) {
  if (array.type == Type::F32) return array.values.size_bytes();
  return count_of(array.values.shape) + sizeof(float);
}

/// The headers, names and shapes of arrays, one after the other.
struct Head {
  std::string headers, names, shapes;

  void declare(std::string_view name, std::uint64_t type, std::span<const std::uint64_t> shape,
               std::uint64_t bytes) {
    const std::uint64_t fields[] = {name.size() + 1, type, shape.size(), padded(bytes)};
    for (const auto field : fields) put(headers, field);
    names.append(name).push_back('\0');
    for (const auto size : shape) put(shapes, static_cast<std::int32_t>(size));
  }
  /// All of them, padded so that the first data are aligned.
  std::string bytes() const {
    std::string out = headers + names + shapes;
    const auto padding = kAlignment - (out.size() + sizeof(std::uint64_t)) % kAlignment;
    put(out, static_cast<std::uint64_t>(padding));
    out.append(padding, '\0');
    return out;
  }
};

/// What the values of an array are multiplied with; 1 for an array of zeros.
float multiplier_of(const StreamedArray& array) {
  float largest = 0;
  array.write([&](std::span<const float> part) {
    for (const float value : part) largest = std::max(largest, std::abs(value));
  });
  const float multiplier = kMaxLevel / largest;
  return std::isfinite(multiplier) ? multiplier : 1;
}

void write_integers(const StreamedArray& array, base::OutputFile& out) {
  const float multiplier = multiplier_of(array);
  const bool is_transposed = !marian::is_row_major(array.name);
  const auto rows = array.shape[0], columns = array.shape[1];
  std::vector<std::int8_t> integers(is_transposed ? rows * columns : 0);
  std::uint64_t next = 0;
  array.write([&](std::span<const float> part) {
    if (!is_transposed) integers.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i, ++next) {
      const auto place = is_transposed ? next % columns * rows + next / columns : i;
      const float level = std::nearbyint(part[i] * multiplier);
      integers[place] = static_cast<std::int8_t>(std::clamp(level, -kMaxLevel, kMaxLevel));
    }
    if (!is_transposed) out.write(bytes_of(std::span<const std::int8_t>(integers)));
  });
  if (is_transposed) out.write(bytes_of(std::span<const std::int8_t>(integers)));
  out.write(bytes_of(std::span(&multiplier, 1)));
}

}  // namespace

void write_marian_binary(const std::string& path, std::span<const MarianArray> arrays,
                         const std::string& settings, MarianDialect dialect) {
  const auto narrow =
      (dialect == MarianDialect::kMarian ? marian::kIntgemm : marian::kBrowserIntgemm) + 1;
  Head head;
  put(head.headers, marian::kVersion);
  put(head.headers, static_cast<std::uint64_t>(arrays.size() + 1));
  for (const auto& array : arrays) {
    head.declare(array.values.name, array.type == Type::F32 ? marian::kFloat + 4 : narrow,
                 array.values.shape, size_bytes(array));
  }
  auto text = settings + '\0';
  text.resize(padded(text.size()));
  const std::uint64_t text_shape[] = {text.size()};
  head.declare(marian::kSettings, marian::kSigned + 1, text_shape, text.size());
  base::OutputFile out(path);
  out.write(head.bytes());
  for (const auto& array : arrays) {
    if (array.type == Type::F32) {
      array.values.write([&](std::span<const float> part) { out.write(bytes_of(part)); });
    } else {
      write_integers(array.values, out);
    }
    out.write(std::string(padded(size_bytes(array)) - size_bytes(array), '\0'));
  }
  out.write(text);
  out.commit();
}

}  // namespace awend::store
