// Files of torch.save(), of both forms, and pickles in a sound archive.
#include "store/torch_file.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  const auto value = pickled::dictionary(
      {{"a", pickled::tensor("0", {2, 3}, {3, 1})}, {"b", pickled::tensor("0", {3, 2}, {1, 3})}});
  const Storages storages = {{"0", {1, 2, 3, 4, 5, 6}}};
  return {torch_zip_of(value, storages), torch_legacy_of(value, storages), pickled::file(value)};
}

void fuzz(std::string_view input) {
  std::string archive;
  if (!store::TorchFile::looks_like_torch(view(input))) {
    archive = zip_of({{"m/data.pkl", std::string(input)}, {"m/data/0", std::string(24, '\1')}});
    input = archive;
  }
  const store::TorchFile file(view(input));
  for (const auto& [name, tensor] : file.tensors(file.pickle().root())) (void)to_floats(tensor);
}

}  // namespace awend::tests
