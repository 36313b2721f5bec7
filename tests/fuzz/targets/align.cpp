// Links of word alignments, and counts of `align --prior`, with which a pair is aligned.
#include "align/aligner.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {"0-0 1-2 3p1 4?5",
          "awend-alignment-prior 1\nforward\ta\tx\t1.5\nforward\t\tx\t0.5\nforward-jump\t1\t2\n"
          "reverse\tx\ta\t1.5\nreverse-jump\t-1\t0.25\n"};
}

void fuzz(std::string_view input) {
  if (!input.starts_with("awend")) {
    (void)text::parse_word_alignment(input);
    return;
  }
  align::Bitext bitext(std::size_t{1} << 20, "/tmp");
  base::LineReader lines(base::InputFile("prior", input));
  const auto priors = align::read_priors(lines, bitext);
  bitext.add("a b", "x y", 10);
  const align::Aligner aligner(bitext, {}, priors, [](double) {});
  align::DirectedModel::Scratch scratch;
  (void)aligner.align(0, scratch);
}

}  // namespace awend::tests
