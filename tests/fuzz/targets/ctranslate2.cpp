// The variables of CTranslate2.
#include "store/ctranslate2_binary.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  const auto weights = bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
  store::CTranslate2Items items;
  items.spec = "TransformerSpec";
  items.revision = 7;
  items.variables["w"] = {
      .type = store::Type::F32, .shape = {2, 3}, .strides = {}, .bytes = view(weights)};
  items.aliases["same"] = "w";
  const auto bytes = ctranslate2_of(items);
  return {bytes, "\4" + bytes.substr(1)};
}

void fuzz(std::string_view input) {
  const auto items = store::read_ctranslate2(view(input));
  for (const auto& [name, variable] : items.variables) (void)to_floats(variable);
}

}  // namespace awend::tests
