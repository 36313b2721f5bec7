// Names of activation functions.
#include "nn/activation.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::nn {

TEST_CASE("names of activation functions are parsed", "[activation]") {
  for (const auto activation : {Activation::kNone, Activation::kRelu, Activation::kGelu,
                                Activation::kSwish, Activation::kSigmoid, Activation::kTanh}) {
    CHECK(parse_activation(name_of(activation)) == activation);
  }
  CHECK(name_of(Activation::kTanh) == "tanh");
}

TEST_CASE("an unknown activation is refused with the known ones", "[activation]") {
  CHECK(tests::message_of([] { parse_activation("Relu"); }) ==
        "unknown activation 'Relu' (known: none, relu, gelu, swish, sigmoid, tanh)");
}

}  // namespace awend::nn
