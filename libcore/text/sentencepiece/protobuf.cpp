#include "text/sentencepiece/protobuf.hpp"

#include <bit>

namespace awend::text::protobuf {
namespace {

std::optional<std::uint64_t> take_fixed(std::string_view& rest, std::size_t size) {
  if (rest.size() < size) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(rest[i]);
  rest.remove_prefix(size);
  return value;
}

void append_number(std::string& message, std::uint64_t value) {
  for (; value > 0x7F; value >>= 7) message += static_cast<char>((value & 0x7F) | 0x80);
  message += static_cast<char>(value);
}

void append_tag(std::string& message, std::uint32_t number, Wire wire) {
  append_number(message, std::uint64_t{number} << 3 | static_cast<std::uint64_t>(wire));
}

}  // namespace

std::optional<std::uint64_t> take_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 10 && i < rest.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      rest.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::optional<Field> take_field(std::string_view& rest) {
  const std::string_view before = rest;
  const auto tag = take_varint(rest);
  if (!tag || *tag > UINT32_MAX || *tag >> 3 == 0) return std::nullopt;
  Field field{.number = static_cast<std::uint32_t>(*tag >> 3),
              .wire = static_cast<Wire>(*tag & 7),
              .bytes = {},
              .whole = {}};
  std::optional<std::uint64_t> value;
  switch (field.wire) {
    case Wire::kFixed64:
      value = take_fixed(rest, 8);
      break;
    case Wire::kFixed32:
      value = take_fixed(rest, 4);
      break;
    case Wire::kVarint:
    case Wire::kBytes:
      value = take_varint(rest);
      break;
  }
  if (!value) return std::nullopt;
  field.value = *value;
  if (field.wire == Wire::kBytes) {
    if (*value > rest.size()) return std::nullopt;
    field.bytes = rest.substr(0, *value);
    rest.remove_prefix(*value);
  }
  field.whole = before.substr(0, before.size() - rest.size());
  return field;
}

void append_varint(std::string& message, std::uint32_t number, std::uint64_t value) {
  append_tag(message, number, Wire::kVarint);
  append_number(message, value);
}

void append_float(std::string& message, std::uint32_t number, float value) {
  append_tag(message, number, Wire::kFixed32);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < 4; ++i) message += static_cast<char>(bits >> (8 * i));
}

void append_bytes(std::string& message, std::uint32_t number, std::string_view bytes) {
  append_tag(message, number, Wire::kBytes);
  append_number(message, bytes.size());
  message += bytes;
}

}  // namespace awend::text::protobuf
