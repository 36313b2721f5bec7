// Values of parameters that the processor reads where they are stored, in a mapped file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "host/int8_matrix.hpp"
#include "nn/memory.hpp"

namespace awend::nn {

/// A matrix without padding: floats, or integers with a scale for each row.
struct StoredValues {
  std::span<const float> floats = {};
  std::optional<host::Int8Matrix> integers = std::nullopt;
};

/// Copies in fp32 with padding, for operations that cannot read values as they are stored; each is
/// made when it is requested first.
class WidenedValues {
 public:
  /// That of the parameter with this index.  May be called by several threads at once.
  vulkan::Range of(Engine& engine, std::uint32_t index, const StoredValues& stored,
                   std::uint32_t rows, std::uint32_t columns);

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, std::unique_ptr<Memory>> memories_;
};

/// The memory of floats, which programs only read.  `size_bytes` may include padding, which no
/// program reads.  Of integers, an address that none reads.
vulkan::Range range_of(const StoredValues& stored, std::uint64_t size_bytes);
/// All values in fp32.
void widen(const StoredValues& stored, std::span<float> values);
/// Releases the memory that their pages take, until they are read again.
void release(const StoredValues& stored, std::uint32_t rows);

}  // namespace awend::nn
