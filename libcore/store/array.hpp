// An array: a name, an element type, a shape and the bytes, which live elsewhere.
//
// It is what passes between runs: a weight matrix, an Adam moment, a random state.  Elements are
// little-endian and stand in row-major order, as the safetensors format wants them (see
// awend-checkpoint(5)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::store {

/// The element types of the safetensors format that have a whole number of bytes and a plain
/// meaning.
enum class Type { F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, Bool };

/// The format's own word: "F32", "U64", "BOOL".
std::string_view name_of(Type type);

/// The type of that name, if there is one.
std::optional<Type> type_named(std::string_view name);

std::size_t size_bytes(Type type);

/// One array.  `bytes` is a view: whoever made the array says how long the bytes live.
struct Array {
  std::string name;
  Type type = Type::F32;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;
};

/// The product of the sizes; 1 for an empty shape.  Throws Error where it does not fit 64 bits.
std::uint64_t count_of(std::span<const std::uint64_t> shape);

/// What the type and the shape say that `bytes` must measure.
std::uint64_t size_bytes(const Array& array);

/// "F32 [512, 2048]", for messages.
std::string describe(Type type, std::span<const std::uint64_t> shape);

}  // namespace awend::store
