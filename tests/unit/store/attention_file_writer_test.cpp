// The lines of an attention file, as they are written.
#include "store/attention_file.hpp"
#include "tests/catch.hpp"

namespace awend::store {
namespace {

TEST_CASE("a header, and a line whose rows end with the last key that is not zero") {
  CHECK(
      attention_header({.encoder_layers = 1, .decoder_layers = 2, .heads = 3}) ==
      "{\"format\":\"awend-attention 1\",\"encoder_layers\":1,\"decoder_layers\":2,\"heads\":3}\n");
  const AttendedLine line{.line = 4,
                          .source = {"</s>"},
                          .target = {"a\"<", "</s>"},
                          .encoder = {},
                          .decoder = {1, 1, 2, 2, {1, 0, 0.12346f, 0.87654f}},
                          .cross = {1, 1, 2, 1, {1, 1e-7f}}};
  CHECK(to_json(line) ==
        "{\"line\":4,\"source\":[\"</s>\"],\"target\":[\"a\\\"<\",\"</s>\"],\"encoder\":[],"
        "\"decoder\":[[[[1],[0.1235,0.8765]]]],\"cross\":[[[[1],[1e-07]]]]}\n");
}

TEST_CASE("what is written is read back") {
  const AttentionLayout layout{.encoder_layers = 1, .decoder_layers = 1, .heads = 2};
  const AttendedLine line{.line = 7,
                          .source = {"a", "</s>"},
                          .target = {"</s>"},
                          .encoder = {1, 2, 2, 2, {0.25f, 0.75f, 1, 0, 0.5f, 0.5f, 0, 1}},
                          .decoder = {1, 2, 1, 1, {1, 1}},
                          .cross = {1, 2, 1, 2, {0.125f, 0.875f, 1, 0}}};
  CHECK(parse_attention_header(attention_header(layout)).heads == 2);
  const auto back = parse_attended_line(to_json(line), layout);
  CHECK(back.line == 7);
  CHECK(back.source == line.source);
  CHECK(back.target == line.target);
  CHECK(back.encoder.values == line.encoder.values);
  CHECK(back.decoder.values == line.decoder.values);
  CHECK(back.cross.values == line.cross.values);
}

TEST_CASE("a line may have a question") {
  const AttentionLayout layout{.encoder_layers = 0, .decoder_layers = 1, .heads = 1};
  const AttendedLine line{.source = {"mary left", "(empty)"},
                          .target = {"</s>"},
                          .question = "where is mary",
                          .encoder = {},
                          .decoder = {},
                          .cross = {1, 1, 1, 2, {1, 0}}};
  const auto json = to_json(line);
  CHECK(json.find(R"("target":["</s>"],"question":"where is mary","encoder":[])") != json.npos);
  CHECK(parse_attended_line(json, layout).question == line.question);
}

TEST_CASE("the decoder may have another number of heads") {
  const AttentionLayout layout{
      .encoder_layers = 1, .decoder_layers = 1, .heads = 2, .decoder_heads = 1};
  const AttendedLine line{.line = 7,
                          .source = {"a", "</s>"},
                          .target = {"</s>"},
                          .encoder = {1, 2, 2, 2, {0.25f, 0.75f, 1, 0, 0.5f, 0.5f, 0, 1}},
                          .decoder = {1, 1, 1, 1, {1}},
                          .cross = {1, 1, 1, 2, {0.125f, 0.875f}}};
  const auto header = attention_header(layout);
  CHECK(header.ends_with(",\"heads\":2,\"decoder_heads\":1}\n"));
  const auto read = parse_attention_header(header);
  CHECK(read.heads == 2);
  CHECK(read.heads_of_decoder() == 1);
  const auto back = parse_attended_line(to_json(line), read);
  CHECK(back.encoder.values == line.encoder.values);
  CHECK(back.cross.values == line.cross.values);
  CHECK(read.cross_sum == CrossSum::kOne);
  auto local = layout;
  local.cross_sum = CrossSum::kAtMostOne;
  CHECK(parse_attention_header(attention_header(local)).cross_sum == CrossSum::kAtMostOne);
  // As many as in the encoder are not listed.
  const AttentionLayout same{
      .encoder_layers = 1, .decoder_layers = 1, .heads = 2, .decoder_heads = 2};
  CHECK(attention_header(same).find("decoder_heads") == std::string::npos);
}

}  // namespace
}  // namespace awend::store
