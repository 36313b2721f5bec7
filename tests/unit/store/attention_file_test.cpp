// Lines of an attention file: what they say, and what is wrong with others.
#include "store/attention_file.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::store {
namespace {

using tests::message_of;

constexpr AttentionLayout kShape = {.encoder_layers = 1, .decoder_layers = 2, .heads = 1};

// Two source tokens, two target tokens.
std::string line_with(const std::string& cross_row) {
  return R"({"line":3,"source":["a","</s>"],"target":["<b>","</s>"],)"
         R"("encoder":[[[[1],[0.25,0.75]]]],)"
         R"("decoder":[[[[1],[0.5,0.5]]],[[[1,0],[1e-3,0.999]]]],"cross":[[[[0,1],)" +
         cross_row + R"(]],[[[1,0],[1]]]]})";
}

TEST_CASE("the first line describes the model", "[attention]") {
  const auto shape = parse_attention_header(
      R"({"format":"awend-attention 1","encoder_layers":6,"decoder_layers":5,"heads":8,"more":0})");
  CHECK(shape.encoder_layers == 6);
  CHECK(shape.decoder_layers == 5);
  CHECK(shape.heads == 8);
}

TEST_CASE("other first lines are refused", "[attention]") {
  const auto message = [](const std::string& text) {
    return message_of([&] { parse_attention_header(text); });
  };
  CHECK(message("step\tepoch") == "not an attention file");
  CHECK(message("[]") == "not an attention file");
  CHECK(message(R"({"line":0})") == "not an attention file");
  CHECK(message(R"({"format":"awend-attention 2"})") ==
        "format 'awend-attention 2' is not supported, expected 'awend-attention 1'");
  CHECK(message(R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":1})") ==
        "no 'heads'");
  CHECK(message(R"({"format":"awend-attention 1","encoder_layers":1001})") ==
        "'encoder_layers' is not a number from 0 to 1000");
  CHECK(message(R"({"format":"awend-attention 1","encoder_layers":0,"decoder_layers":0})") ==
        "'decoder_layers' is not a number from 1 to 1000");
  CHECK(message(R"({"format":"awend-attention 1","cross_sum":1})") ==
        "'cross_sum' is not 'at most 1'");
}

TEST_CASE("a line has its weights by layer, head and row", "[attention]") {
  const auto line = parse_attended_line(line_with("[0.125,0.875]"), kShape);
  CHECK(line.line == 3);
  CHECK(line.target == std::vector<std::string>{"<b>", "</s>"});
  CHECK(line.encoder.row(0, 0, 0)[0] == 1);
  CHECK(line.encoder.row(0, 0, 0)[1] == 0);  // was left out
  CHECK(line.decoder.row(1, 0, 1)[1] == Approx(0.999));
  CHECK(line.cross.row(0, 0, 1)[1] == 0.875f);
}

TEST_CASE("the attention of BERT is that of its encoder", "[attention]") {
  const auto shape = parse_attention_header(
      R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":0,"heads":1})");
  const std::string weights = R"("encoder":[[[[1],[0.25,0.75]]]],"decoder":[],"cross":[]})";
  const auto line =
      parse_attended_line(R"({"line":0,"source":["[CLS]","[SEP]"],"target":[],)" + weights, shape);
  CHECK(line.target.empty());
  CHECK(line.encoder.row(0, 0, 1)[1] == 0.75f);
  CHECK(line.cross.values.empty());
  CHECK(message_of([&] {
          parse_attended_line(R"({"line":0,"source":["[CLS]","[SEP]"],"target":["a"],)" + weights,
                              shape);
        }) == "'target' is not an empty list");
}

TEST_CASE("the attention of a recurrent network is that of the decoder to the encoder",
          "[attention]") {
  const AttentionLayout shape = {.encoder_layers = 0, .decoder_layers = 1, .heads = 1};
  const auto line = parse_attended_line(
      R"({"line":0,"source":["a","</s>"],"target":["</s>"],"encoder":[],"decoder":[],)"
      R"("cross":[[[[0.25,0.75]]]]})",
      shape);
  CHECK(line.encoder.layers == 0);
  CHECK(line.decoder.layers == 0);
  CHECK(line.cross.row(0, 0, 0)[1] == 0.75f);
}

TEST_CASE("a line that is not whole is refused", "[attention]") {
  const auto message = [](const std::string& text) {
    return message_of([&] { parse_attended_line(text, kShape); });
  };
  CHECK(message("{") == "not JSON at byte 2");
  CHECK(message("7") == "not a JSON object");
  CHECK(message("{}") == "no 'source'");
  CHECK(message(R"({"source":["a"],"target":[]})") == "'target' is not a list of tokens");
  CHECK(message(line_with("[0.5,0.25]")) == "cross layer 0 head 0 row 1 sums to 0.75, not to 1");
  auto local = kShape;
  local.cross_sum = CrossSum::kAtMostOne;
  CHECK(parse_attended_line(line_with("[0.5,0.25]"), local).cross.row(0, 0, 1)[1] == 0.25f);
  CHECK(message_of([&] { parse_attended_line(line_with("[0.5,0.75]"), local); }) ==
        "cross layer 0 head 0 row 1 sums to 1.25, not to 1");
  CHECK(message(line_with("[0.5,0.25,0.25]")) == "cross layer 0 head 0 row 1 has 3 weights, not 2");
  CHECK(message(line_with("[-1,2]")) ==
        "cross layer 0 head 0 row 1 has an element that is not a weight");
  CHECK(message(line_with("7")) == "cross layer 0 head 0 row 1 is not a list");
  CHECK(message(line_with("[1],[1]")) == "cross layer 0 head 0 has 3 members, not 2");
  CHECK(message_of([] {
          parse_attended_line(line_with("[1]"),
                              {.encoder_layers = 2, .decoder_layers = 2, .heads = 1});
        }) == "'encoder' has 1 members, not 2");
}

TEST_CASE("causal attention has no weights after the diagonal", "[attention]") {
  auto text = line_with("[1]");
  text.replace(text.find("[[1],[0.5,0.5]]"), 15, "[[0.5,0.5],[1]]");
  CHECK(message_of([&] { parse_attended_line(text, kShape); }) ==
        "decoder layer 0 head 0 row 0 has 2 weights, not 1");
}

}  // namespace
}  // namespace awend::store
