// Reads little-endian numbers from bytes in memory, and never beyond their end.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/error.hpp"

namespace awend::store {

static_assert(std::endian::native == std::endian::little);

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// The next bytes.  Throws Error "truncated at byte N" if there are fewer.
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest()) base::fail("truncated at byte ", bytes_.size());
    const auto taken = bytes_.subspan(place_, size);
    place_ += size;
    return taken;
  }

  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view text(std::uint64_t size) {
    const auto taken = take(size);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  /// The text before the next occurrence of `end`, which is read too.
  std::string_view text_until(char end) {
    const std::string_view all(reinterpret_cast<const char*>(bytes_.data()) + place_, rest());
    const auto size = all.find(end);
    if (size == all.npos) base::fail("truncated at byte ", bytes_.size());
    place_ += size + 1;
    return all.substr(0, size);
  }

  std::uint64_t place() const { return place_; }
  std::uint64_t rest() const { return bytes_.size() - place_; }
  bool at_end() const { return rest() == 0; }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t place_ = 0;
};

}  // namespace awend::store
