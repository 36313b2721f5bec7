#include "store/ctranslate2_binary.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "store/byte_cursor.hpp"

namespace awend::store {
namespace {

// By the number in the file, from version 4.
constexpr Type kTypes[] = {Type::F32, Type::I8, Type::I16, Type::I32, Type::F16, Type::BF16};
constexpr std::uint32_t kOldest = 2, kNewest = 6, kFirstWithTypes = 4, kFirstWithAliases = 3;

std::string name_of(ByteCursor& cursor) {
  const auto text = cursor.text(cursor.number<std::uint16_t>());
  return std::string(text.substr(0, text.find('\0')));
}

/// Before version 4, the file has only the size of an element.
Type type_of_size(std::uint8_t size) {
  switch (size) {
    case 4:
      return Type::F32;
    case 2:
      return Type::I16;
    case 1:
      return Type::I8;
    default:
      base::fail("its elements have ", size, " bytes");
  }
}

StridedArray read_variable(ByteCursor& cursor, std::uint32_t version) {
  StridedArray variable;
  const auto rank = cursor.number<std::uint8_t>();
  for (std::uint8_t i = 0; i < rank; ++i) variable.shape.push_back(cursor.number<std::uint32_t>());
  const auto type = cursor.number<std::uint8_t>();
  std::uint64_t size = cursor.number<std::uint32_t>();
  if (version < kFirstWithTypes) {
    variable.type = type_of_size(type);
    size *= type;
  } else if (type < std::size(kTypes)) {
    variable.type = kTypes[type];
  } else {
    base::fail("its type ", type, " is not supported");
  }
  variable.bytes = cursor.take(size);
  require_within(variable);
  return variable;
}

template <class Number>
void append_number(std::string& out, Number value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_name(std::string& out, const std::string& name) {
  append_number(out, static_cast<std::uint16_t>(name.size() + 1));
  out.append(name).push_back('\0');
}

}  // namespace

bool looks_like_ctranslate2(std::span<const std::byte> bytes) {
  if (bytes.size() < 16) return false;
  ByteCursor cursor(bytes);
  const auto version = cursor.number<std::uint32_t>();
  if (version == 0 || version > 100) return false;
  const auto size = cursor.number<std::uint16_t>();
  return size > 1 && size < 100 && size < cursor.rest() && cursor.text(size).back() == '\0';
}

CTranslate2Items read_ctranslate2(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  CTranslate2Items items;
  items.version = cursor.number<std::uint32_t>();
  if (items.version < kOldest || items.version > kNewest) {
    base::fail("version ", items.version, " of CTranslate2's format is not supported (expected ",
               kOldest, " to ", kNewest, ")");
  }
  items.spec = name_of(cursor);
  items.revision = cursor.number<std::uint32_t>();
  const auto count = cursor.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto name = name_of(cursor);
    base::with_name(base::concat("variable '", name, "'"), [&] {
      if (!items.variables.emplace(name, read_variable(cursor, items.version)).second)
        base::fail("is duplicated");
    });
  }
  if (items.version >= kFirstWithAliases) {
    const auto aliases = cursor.number<std::uint32_t>();
    for (std::uint32_t i = 0; i < aliases; ++i) {
      const auto alias = name_of(cursor), name = name_of(cursor);
      const auto found = items.variables.find(name);
      if (found == items.variables.end())
        base::fail("alias '", alias, "' of variable '", name, "', which is missing");
      items.variables.emplace(alias, found->second);
      items.aliases.emplace(alias, name);
    }
  }
  if (!cursor.at_end()) base::fail(cursor.rest(), " trailing bytes after the last variable");
  return items;
}

void write_ctranslate2(const CTranslate2Output& output,
                       const std::function<void(std::string_view bytes)>& write) {
  std::string out;
  append_number(out, kNewest);
  append_name(out, output.spec);
  append_number(out, output.revision);
  append_number(out, static_cast<std::uint32_t>(output.variables.size()));
  for (const auto& [name, variable] : output.variables) {
    append_name(out, name);
    append_number(out, static_cast<std::uint8_t>(variable.shape.size()));
    for (const auto size : variable.shape) append_number(out, static_cast<std::uint32_t>(size));
    const auto* type = std::ranges::find(kTypes, variable.type);
    base::check(type != std::end(kTypes), "CTranslate2 has the type");
    append_number(out, static_cast<std::uint8_t>(type - kTypes));
    const auto bytes = count_of(variable.shape) * size_bytes(variable.type);
    base::check(bytes <= 0xFFFFFFFF, "a variable has at most 4 GiB");
    append_number(out, static_cast<std::uint32_t>(bytes));
    write(out);
    out.clear();
    variable.write([&](std::span<const std::byte> part) {
      write({reinterpret_cast<const char*>(part.data()), part.size()});
    });
  }
  append_number(out, static_cast<std::uint32_t>(output.aliases.size()));
  for (const auto& [alias, name] : output.aliases) {
    append_name(out, alias);
    append_name(out, name);
  }
  write(out);
}

}  // namespace awend::store
