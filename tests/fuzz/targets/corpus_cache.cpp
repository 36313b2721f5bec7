// Corpus caches: the parts, and all sentences in them.
#include "tests/fuzz/corpus_cache.hpp"

#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {small_corpus_cache({2}), small_corpus_cache({4}), small_corpus_cache({2, 3})};
}

void fuzz(std::string_view input) {
  (void)read_corpus_cache(input);
}

}  // namespace awend::tests
