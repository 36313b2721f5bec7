// Logs of train.
#include "inspect/run_log.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {
      "step\tepoch\tseconds\tloss\n10\t0.5\t6\t4.5\n20\t1\t12\t4\n"
      "step\tloss\tvalid_loss\n20\t4\t-\n30\t3.5\t1e-3\n"};
}

void fuzz(std::string_view input) {
  base::LineReader lines(base::InputFile("file", input), base::InvalidUtf8::kError,
                         tools::kLogLimits);
  (void)tools::read_log(lines);
}

}  // namespace awend::tests
