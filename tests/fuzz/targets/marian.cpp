// Models in Marian's binary format.
#include "store/marian_binary.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {marian_binary_of(
      {{"W", 0x404, {2, 2}, bytes_of(std::vector<float>{1, 2, 3, 4})},
       {"Q", 0x10001, {2, 3}, bytes_of(std::vector<std::int8_t>{1, 2, 3, 4, 5, 6}) + bytes_of(2.f)},
       {"special:model.yml", 0x101, {12}, std::string("type: s2s\n\0\0", 12)}})};
}

void fuzz(std::string_view input) {
  const auto items = store::read_marian_binary(view(input));
  for (const auto& [name, array] : items.arrays) (void)to_floats(array);
}

}  // namespace awend::tests
