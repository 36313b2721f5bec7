// Scores two translations by three metrics.
#include <iostream>

#include "awend/metrics/bleu/bleu.hpp"
#include "awend/metrics/chrf/chrf.hpp"
#include "awend/metrics/ter/ter.hpp"

int main() {
  using namespace awend::metrics;
  const std::vector<std::string> hypotheses = {"The dog runs fast .", "Two men talk ."},
                                 references = {"The dog runs very fast.", "Two men are talking."};
  std::cout << Bleu().score(hypotheses, references).value << '\n'
            << Chrf().score(hypotheses, references).value << '\n'
            << Ter().score(hypotheses, references).value << '\n';
}
