#include "store/marian_binary.hpp"

#include "base/error.hpp"
#include "store/byte_cursor.hpp"
#include "store/marian_types.hpp"

namespace awend::store {
namespace {

using namespace marian;

constexpr std::uint64_t kMaxDimensions = 8;

struct ItemHeader {
  std::uint64_t name_bytes, type, dimensions, data_bytes;
};

constexpr std::uint64_t kClasses = 0xFFFFFF00;

bool is_intgemm(std::uint64_t type) {
  return (type & kClasses) == kIntgemm || (type & kClasses) == kBrowserIntgemm;
}

Type type_of(std::uint64_t type) {
  const auto size = type & 0xFF;
  if (is_intgemm(type) && size == 1) return Type::I8;
  if (is_intgemm(type) && size == 2) return Type::I16;
  switch (type) {
    case kFloat + 2:
      return Type::F16;
    case kFloat + 4:
      return Type::F32;
    case kFloat + 8:
      return Type::F64;
    case kSigned + 1:
      return Type::I8;
    case kSigned + 2:
      return Type::I16;
    case kSigned + 4:
      return Type::I32;
    case kSigned + 8:
      return Type::I64;
    default:
      base::fail("its type ", type, " is not supported; convert the model to float32 or intgemm8");
  }
}

StridedArray array_of(const ItemHeader& header, ByteCursor& shapes,
                      std::span<const std::byte> data) {
  StridedArray array{.type = type_of(header.type), .shape = {}, .strides = {}, .bytes = data};
  if (header.dimensions > kMaxDimensions) base::fail("it has ", header.dimensions, " dimensions");
  for (std::uint64_t i = 0; i < header.dimensions; ++i) {
    const auto size = shapes.number<std::int32_t>();
    if (size < 0) base::fail("it has the size ", size);
    array.shape.push_back(static_cast<std::uint64_t>(size));
  }
  return array;
}

/// The factor after the integers.
float factor_of(const StridedArray& array) {
  ByteCursor cursor(array.bytes);
  cursor.take(count_of(array.shape) * size_bytes(array.type));
  const auto multiplier = cursor.number<float>();
  if (!(multiplier > 0)) base::fail("its quantization multiplier is ", multiplier);
  return 1 / multiplier;
}

}  // namespace

std::string marian_settings(const StridedArray& array) {
  const std::string_view text(reinterpret_cast<const char*>(array.bytes.data()),
                              array.bytes.size());
  return std::string(text.substr(0, text.find('\0')));
}

bool looks_like_marian_binary(std::span<const std::byte> bytes) {
  if (bytes.size() < 48) return false;
  ByteCursor cursor(bytes);
  if (cursor.number<std::uint64_t>() != kVersion) return false;
  const auto count = cursor.number<std::uint64_t>();
  return count > 0 && count <= bytes.size() / sizeof(ItemHeader);
}

MarianItems read_marian_binary(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  const auto version = cursor.number<std::uint64_t>();
  if (version != kVersion)
    base::fail("version ", version, " of Marian's format is unknown (expected 1)");
  const auto count = cursor.number<std::uint64_t>();
  if (count > cursor.rest() / sizeof(ItemHeader)) base::fail("truncated at byte ", bytes.size());
  std::vector<ItemHeader> headers;
  for (std::uint64_t i = 0; i < count; ++i) {
    // In this order: arguments of a function would be read in any.
    const auto name_bytes = cursor.number<std::uint64_t>(), type = cursor.number<std::uint64_t>(),
               dimensions = cursor.number<std::uint64_t>(),
               data_bytes = cursor.number<std::uint64_t>();
    headers.push_back({name_bytes, type, dimensions, data_bytes});
  }
  std::vector<std::string> names;
  for (const auto& header : headers) {
    const auto name = cursor.text(header.name_bytes);
    names.emplace_back(name.substr(0, name.find('\0')));
  }
  std::uint64_t shape_bytes = 0;
  for (const auto& header : headers) {
    if (header.dimensions > kMaxDimensions)
      base::fail("an array has ", header.dimensions, " dimensions");
    shape_bytes += header.dimensions * sizeof(std::int32_t);
  }
  ByteCursor shapes(cursor.take(shape_bytes));
  cursor.take(cursor.number<std::uint64_t>());  // padding
  MarianItems items;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    base::with_name(base::concat("array '", names[i], "'"), [&] {
      auto array = array_of(headers[i], shapes, cursor.take(headers[i].data_bytes));
      require_within(array);
      if (names[i] == kSettings) {
        items.settings = marian_settings(array);
        return;
      }
      if (is_intgemm(headers[i].type)) {
        items.factors[names[i]] = factor_of(array);
        if (array.shape.size() == 2 && !is_row_major(names[i])) array.strides = {1, array.shape[0]};
      }
      if (!items.arrays.emplace(names[i], array).second) base::fail("is duplicated");
    });
  }
  return items;
}

}  // namespace awend::store
