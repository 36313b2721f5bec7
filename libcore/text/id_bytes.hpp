// Ids as the bytes of their numbers, for caches of results that are bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "text/vocabulary.hpp"

namespace awend::text {

inline void append_bytes(std::span<const std::uint32_t> ids, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(ids.data()), ids.size_bytes());
}

inline void append_ids_of_bytes(std::string_view bytes, Ids& ids) {
  if (bytes.empty()) return;
  const std::size_t begin = ids.size();
  ids.resize(begin + bytes.size() / sizeof(std::uint32_t));
  std::memcpy(ids.data() + begin, bytes.data(), bytes.size());
}

}  // namespace awend::text
