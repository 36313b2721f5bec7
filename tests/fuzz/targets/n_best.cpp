// Entries of n-best lists.
#include "metrics/mbr/n_best.hpp"

#include "base/error.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {"3 ||| a b ||| logprob= -1.5 ||| -0.75", "0 |||  ||| logprob= 0 ||| 0",
          "0 ||| a ||| logprob= -inf ||| -inf ||| 0-0 1-1",
          "7 ||| a ||| LM0= -1 TM= 1 2 d: 4 ||| -9"};
}

void fuzz(std::string_view input) {
  const auto entry = metrics::parse_n_best_entry(input, "file:1");
  base::check(input.find(entry.text) != std::string_view::npos, "the text is a part of the entry");
}

}  // namespace awend::tests
