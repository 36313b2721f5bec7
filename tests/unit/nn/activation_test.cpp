// Names of activation functions.
#include "nn/activation.hpp"

#include <set>

#include "tests/catch.hpp"

namespace awend::nn {

TEST_CASE("each activation function has a name of its own", "[activation]") {
  std::set<std::string_view> names;
  for (std::uint32_t number = 0; number < std::size(kActivationWords); ++number) {
    const auto name = name_of(static_cast<Activation>(number));
    CAPTURE(number);
    CHECK(!name.empty());
    CHECK(names.insert(name).second);
  }
  CHECK(name_of(Activation::kTanh) == "tanh");
  CHECK(name_of(static_cast<Activation>(std::size(kActivationWords))).empty());
}

}  // namespace awend::nn
