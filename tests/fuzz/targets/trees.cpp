// Trees of a treebank, and the parameter files of their comparison.
#include "metrics/brackets/bracket_settings.hpp"
#include "metrics/brackets/parse_tree.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

using namespace metrics;

std::vector<std::string> seeds() {
  return {"b(S (NP (DT a) (NN N)) (VP (V a) (. .)))", "l(S (NP N N )NP (VP N (NP N )NP )VP N )S",
          "pLABELED 1\nCUTOFF_LEN 40\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\n"};
}

void fuzz(std::string_view input) {
  if (input.empty()) return;
  const auto rest = input.substr(1);
  if (input[0] == 'p') {
    read_bracket_settings(rest, "file");
  } else {
    parse_tree(rest, input[0] == 'b' ? TreeForm::kBracketed : TreeForm::kLinearized, "file:1");
  }
}

}  // namespace awend::tests
