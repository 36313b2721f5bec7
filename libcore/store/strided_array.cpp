#include "store/strided_array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace awend::store {
namespace {

template <class Number>
Number number_at(const std::byte* place) {
  Number value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

float float_at(Type type, const std::byte* place) {
  switch (type) {
    case Type::F64:
      return static_cast<float>(number_at<double>(place));
    case Type::F32:
      return number_at<float>(place);
    case Type::F16:
      return half_to_float(number_at<std::uint16_t>(place));
    case Type::BF16:
      return std::bit_cast<float>(std::uint32_t{number_at<std::uint16_t>(place)} << 16);
    case Type::I64:
      return static_cast<float>(number_at<std::int64_t>(place));
    case Type::I32:
      return static_cast<float>(number_at<std::int32_t>(place));
    case Type::I16:
      return number_at<std::int16_t>(place);
    case Type::I8:
      return number_at<std::int8_t>(place);
    case Type::U64:
      return static_cast<float>(number_at<std::uint64_t>(place));
    case Type::U32:
      return static_cast<float>(number_at<std::uint32_t>(place));
    case Type::U16:
      return number_at<std::uint16_t>(place);
    case Type::U8:
    case Type::Bool:
      return number_at<std::uint8_t>(place);
  }
  return 0;
}

}  // namespace

float half_to_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = bits >> 15 == 0 ? 1 : -1;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  }
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

void require_within(const StridedArray& array) {
  const auto fail = [&] {
    base::fail(describe(array.type, array.shape), " does not fit ", array.bytes.size(), " bytes");
  };
  const std::uint64_t count = count_of(array.shape);
  if (count == 0) return;
  const std::uint64_t elements = array.bytes.size() / size_bytes(array.type);
  if (count > elements) fail();
  if (array.strides.empty()) return;
  if (array.strides.size() != array.shape.size())
    base::fail("has ", array.shape.size(), " sizes and ", array.strides.size(), " strides");
  // From the smallest stride, each dimension must lie outside of the elements before it.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dimensions;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if (array.shape[i] > 1) dimensions.emplace_back(array.strides[i], array.shape[i]);
  }
  std::ranges::sort(dimensions);
  std::uint64_t last = 0;
  for (const auto& [stride, size] : dimensions) {
    if (stride <= last) base::fail("its elements overlap");
    std::uint64_t span = 0;
    if (__builtin_mul_overflow(stride, size - 1, &span) ||
        __builtin_add_overflow(last, span, &last) || last >= elements) {
      fail();
    }
  }
}

std::vector<float> to_floats(const StridedArray& array) {
  std::vector<float> values(count_of(array.shape));
  if (values.empty()) return values;
  const std::size_t size = size_bytes(array.type);
  if (array.strides.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = float_at(array.type, array.bytes.data() + i * size);
    return values;
  }
  std::vector<std::uint64_t> place(array.shape.size());
  std::uint64_t element = 0;
  for (float& value : values) {
    value = float_at(array.type, array.bytes.data() + element * size);
    for (std::size_t i = place.size(); i-- > 0;) {
      element += array.strides[i];
      if (++place[i] < array.shape[i]) break;
      element -= array.strides[i] * place[i];
      place[i] = 0;
    }
  }
  return values;
}

void refuse_lfs_pointer(std::span<const std::byte> file) {
  constexpr std::string_view kBegin = "version https://git-lfs.github.com/spec/";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with(kBegin))
    base::fail("this is a Git LFS pointer; fetch the file itself (git lfs pull)");
}

}  // namespace awend::store
