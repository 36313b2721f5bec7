#include "nn/stored_values.hpp"

#include <algorithm>

#include "base/mapped_file.hpp"

namespace awend::nn {

vulkan::Range WidenedValues::of(Engine& engine, std::uint32_t index, const StoredValues& stored,
                                std::uint32_t rows, std::uint32_t columns) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t padded_rows = (std::uint64_t{rows} + 3) / 4 * 4;
  const std::uint64_t bytes = padded_rows * columns * sizeof(float);
  auto& memory = memories_[index];
  if (!memory) {
    memory = std::make_unique<Memory>(engine, vulkan::MemoryKind::kDevice, bytes, kSmallerModel);
    memory->expect_all_used();
    widen(stored, memory->range(0, bytes).view<float>().first(std::size_t{rows} * columns));
    release(stored, rows);
  }
  return memory->range(0, bytes);
}

vulkan::Range range_of(const StoredValues& stored, std::uint64_t size_bytes) {
  auto* const begin = reinterpret_cast<std::byte*>(const_cast<float*>(stored.floats.data()));
  return {0, reinterpret_cast<std::uintptr_t>(begin), size_bytes, begin};
}

void widen(const StoredValues& stored, std::span<float> values) {
  if (!stored.integers) {
    std::ranges::copy(stored.floats, values.begin());
    return;
  }
  const auto& matrix = *stored.integers;
  for (std::size_t row = 0; row * matrix.columns < values.size(); ++row)
    matrix.widen(row, 0, matrix.columns, values.data() + row * matrix.columns);
}

void release(const StoredValues& stored, std::uint32_t rows) {
  if (stored.integers) {
    base::forget_mapped(
        std::as_bytes(std::span(stored.integers->values, rows * stored.integers->columns)));
  } else {
    base::forget_mapped(std::as_bytes(stored.floats));
  }
}

}  // namespace awend::nn
