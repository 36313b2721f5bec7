#include "store/array.hpp"

#include "base/error.hpp"

namespace awend::store {

std::string_view name_of(Type type) {
  switch (type) {
    case Type::F64:
      return "F64";
    case Type::F32:
      return "F32";
    case Type::F16:
      return "F16";
    case Type::BF16:
      return "BF16";
    case Type::I64:
      return "I64";
    case Type::I32:
      return "I32";
    case Type::I16:
      return "I16";
    case Type::I8:
      return "I8";
    case Type::U64:
      return "U64";
    case Type::U32:
      return "U32";
    case Type::U16:
      return "U16";
    case Type::U8:
      return "U8";
    case Type::Bool:
      return "BOOL";
  }
  base::fail("unknown element type");
}

std::size_t size_bytes(Type type) {
  switch (type) {
    case Type::F64:
    case Type::I64:
    case Type::U64:
      return 8;
    case Type::F32:
    case Type::I32:
    case Type::U32:
      return 4;
    case Type::F16:
    case Type::BF16:
    case Type::I16:
    case Type::U16:
      return 2;
    case Type::I8:
    case Type::U8:
    case Type::Bool:
      return 1;
  }
  base::fail("unknown element type");
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
