#include "store/array.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace awend::store {

namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  std::size_t size_bytes;
};

constexpr TypeRow kTypes[] = {{Type::F64, "F64", 8},   {Type::F32, "F32", 4}, {Type::F16, "F16", 2},
                              {Type::BF16, "BF16", 2}, {Type::I64, "I64", 8}, {Type::I32, "I32", 4},
                              {Type::I16, "I16", 2},   {Type::I8, "I8", 1},   {Type::U64, "U64", 8},
                              {Type::U32, "U32", 4},   {Type::U16, "U16", 2}, {Type::U8, "U8", 1},
                              {Type::Bool, "BOOL", 1}};

const TypeRow& row_of(Type type) {
  return *std::ranges::find(kTypes, type, &TypeRow::type);
}

}  // namespace

std::string_view name_of(Type type) {
  return row_of(type).name;
}

std::size_t size_bytes(Type type) {
  return row_of(type).size_bytes;
}

std::optional<Type> type_named(std::string_view name) {
  const auto* row = std::ranges::find(kTypes, name, &TypeRow::name);
  if (row == std::end(kTypes)) return std::nullopt;
  return row->type;
}

std::uint64_t count_of(std::span<const std::uint64_t> shape) {
  std::uint64_t count = 1;
  for (auto size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) base::fail("the shape is too large");
  }
  return count;
}

std::uint64_t size_bytes(const Array& array) {
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(count_of(array.shape), size_bytes(array.type), &size)) {
    base::fail("the shape is too large");
  }
  return size;
}

std::string describe(Type type, std::span<const std::uint64_t> shape) {
  auto text = base::concat(name_of(type), " [");
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    base::append(text, shape[i]);
  }
  return text + "]";
}

}  // namespace awend::store
