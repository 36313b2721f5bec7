// Archives of arrays of NumPy, and single arrays.
#include "store/npy.hpp"
#include "store/zip_archive.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  const auto array = npy_of("(2, 3)", {1, 2, 3, 4, 5, 6});
  return {zip_of({{"W.npy", array}, {"b.npy", npy_of("(1,)", {7})}}), array};
}

void fuzz(std::string_view input) {
  if (!store::ZipArchive::looks_like_archive(view(input))) {
    (void)to_floats(store::read_npy(view(input)));
    return;
  }
  const store::NpzFile file(view(input));
  for (const auto& [name, array] : file.arrays()) (void)to_floats(array);
}

}  // namespace awend::tests
