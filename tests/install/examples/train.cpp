// The settings of a preset, and the library of all that train needs.
#include <iostream>

#include "awend/train/ranks/join_ranks.hpp"
#include "awend/train/run.hpp"

int main() {
  const auto ranks = awend::train::join_ranks();
  std::cout << awend::train::preset("base").model.d_model << ' ' << ranks->size() << '\n';
}
