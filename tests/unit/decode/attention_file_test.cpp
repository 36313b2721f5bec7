// The lines of an attention file.
#include "decode/attention_file.hpp"

#include "tests/catch.hpp"

namespace awend::decode {
namespace {

TEST_CASE("a header, and a line whose rows end with what they see") {
  CHECK(
      attention_header({.encoder_layers = 1, .decoder_layers = 2, .heads = 3}) ==
      "{\"format\":\"awend-attention 1\",\"encoder_layers\":1,\"decoder_layers\":2,\"heads\":3}\n");
  const AttentionMap self{1, 2, 2, {1, 0, 0.12346f, 0.87654f}}, cross{1, 2, 1, {1, 1e-7f}};
  const Attentions attentions{.encoder = {}, .decoder = {self}, .cross = {cross}};
  const std::string_view target[] = {"a\"<"};
  CHECK(to_json({.line = 4, .source = {}, .target = target, .attentions = attentions}) ==
        "{\"line\":4,\"source\":[\"</s>\"],\"target\":[\"a\\\"<\",\"</s>\"],\"encoder\":[],"
        "\"decoder\":[[[[1],[0.1235,0.8765]]]],\"cross\":[[[[1],[1e-07]]]]}\n");
}

}  // namespace
}  // namespace awend::decode
