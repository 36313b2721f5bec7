// Detection of accidental damage: XXH3 with 64 bits, about as fast as reading memory.  It does not
// protect against forgery.  libxxhash is used in checksum.cpp only.
//
// Test: tests/unit/base/checksum_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace awend::base {

/// The checksum of all bytes added so far, however they are split into calls.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(Checksum&& other) noexcept;
  Checksum& operator=(Checksum&& other) noexcept;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view bytes);
  /// Adds eight bytes, little-endian on every machine.
  void add(std::uint64_t number);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 16 lowercase hexadecimal digits.
std::string hex(std::uint64_t number);

}  // namespace awend::base
