// Metrics of COMET: the first byte selects a file of a small metric, which the input replaces.
#include "tests/fuzz/comet_files.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (const auto& [name, content] : comet_contents())
    inputs.push_back(std::string(1, static_cast<char>(inputs.size())) + content);
  return inputs;
}

void fuzz(std::string_view input) {
  if (input.empty()) return;
  auto contents = comet_contents();
  const auto place = static_cast<unsigned char>(input[0]) % contents.size();
  std::next(contents.begin(), static_cast<std::ptrdiff_t>(place))->second = input.substr(1);
  (void)read_comet(contents);
}

}  // namespace awend::tests
