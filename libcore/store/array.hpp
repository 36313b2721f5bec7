// An array: a name, an element type, a shape, and a view of the bytes.
//
// Arrays are exchanged between runs: weights, Adam moments, random states.  Elements are
// little-endian in row-major order, as the safetensors format requires (see awend-checkpoint(5)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::store {

/// The element types of the safetensors format that have an integral number of bytes and a simple
/// meaning.
enum class Type { F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, Bool };

/// The name in the format: "F32", "U64", "BOOL".
std::string_view name_of(Type type);

/// The type with this name, if there is one.
std::optional<Type> type_named(std::string_view name);

std::size_t size_bytes(Type type);

/// One array.  `bytes` is a view, whose lifetime the creator of the array defines.
struct Array {
  std::string name;
  Type type = Type::F32;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;
};

/// The product of the sizes; 1 for an empty shape.  Throws Error if it does not fit 64 bits.
std::uint64_t count_of(std::span<const std::uint64_t> shape);

/// The size of `bytes` according to type and shape.
std::uint64_t size_bytes(const Array& array);

/// "F32 [512, 2048]", for messages.
std::string describe(Type type, std::span<const std::uint64_t> shape);

}  // namespace awend::store
