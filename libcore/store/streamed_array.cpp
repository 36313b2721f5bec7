#include "store/streamed_array.hpp"

#include "store/array_writer.hpp"

namespace awend::store {

std::uint64_t StreamedArray::size_bytes() const {
  return count_of(shape) * sizeof(float);
}

void write_arrays(const std::string& path, std::span<const StreamedArray> arrays,
                  const Metadata& metadata) {
  std::vector<Array> layout;
  for (const auto& array : arrays) layout.push_back({array.name, Type::F32, array.shape, {}});
  ArrayWriter writer(path, layout, metadata);
  for (const auto& array : arrays) {
    array.write([&](std::span<const float> part) { writer.write(std::as_bytes(part)); });
  }
  writer.commit();
}

}  // namespace awend::store
