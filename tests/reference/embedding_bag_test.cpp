// The gradient of bags of embeddings compared with central differences.
#include "tests/reference/embedding_bag.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("the gradient of bags of embeddings equals central differences") {
  for (const bool encodes_position : {false, true}) {
    base::Random random(12);
    EmbeddingBag bag{random_matrix(5, 6, random),
                     {3, 0, 3, 1, 4, 0, 2},
                     {{0, 3}, {3, 4}, {4, 4}, {4, 7}, {4, 7}},
                     encodes_position};
    const Matrix dy = random_matrix(5, 6, random);
    const Matrix gradient = embedding_bag_backward(bag, dy);
    check_gradient(bag.table.values, gradient.values,
                   [&] { return weighted_sum(dy, embedding_bag(bag)); });
  }
}

TEST_CASE("position encoding weighs the first columns of the first words most") {
  const EmbeddingBag bag{Matrix(1, 4), {0, 0}, {{0, 2}}, true};
  CHECK(bag.weight(0, 0, 0) == Approx(1.0));
  CHECK(bag.weight(0, 1, 0) == Approx(0.5));
  CHECK(bag.weight(0, 1, 3) == Approx(2));
}

}  // namespace awend::reference
