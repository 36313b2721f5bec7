// Which part of the model an array belongs to, and what its numbers are like.
#include "inspect/parameters.hpp"

#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::tools {
namespace {

TEST_CASE("names tell the part", "[inspect]") {
  CHECK(part_of("embedding") == "embeddings");
  CHECK(part_of("target_embedding") == "embeddings");
  CHECK(part_of("source_positions") == "positions");
  CHECK(part_of("encoder.0.self.query") == "encoder: self-attention");
  CHECK(part_of("encoder.11.self_norm.gain") == "encoder: layer norms");
  CHECK(part_of("encoder.norm.bias") == "encoder: layer norms");
  CHECK(part_of("decoder.3.cross.output") == "decoder: attention to the encoder");
  CHECK(part_of("decoder.3.cross_norm.gain") == "decoder: layer norms");
  CHECK(part_of("decoder.3.feed_forward.inner_bias") == "decoder: feed-forward");
  CHECK(part_of("projection") == "projection");
  CHECK(part_of("encoder.0.reverse.hidden_bias") == "encoder: cells");
  CHECK(part_of("decoder.1.context") == "decoder: cells");
  CHECK(part_of("attention.query") == "attention to the encoder");
  CHECK(part_of("readout.bias") == "readout");
  CHECK(part_of("bridge_bias") == "bridge");
  CHECK(part_of("output_bias") == "projection");
  CHECK(part_of("decoder.0.cross.output_bias") == "decoder: attention to the encoder");
  CHECK(part_of("encoder.embedding_norm.gain") == "encoder: layer norms");
  CHECK(part_of("decoder.0.ssru.forget_bias") == "decoder: SSRUs");
  CHECK(part_of("summary_bias") == "bridge");
  CHECK(part_of("anything") == "other");
}

TEST_CASE("names of an encoder and its heads, and of a memory network", "[inspect]") {
  CHECK(part_of("positions") == "positions");
  CHECK(part_of("segments") == "segments");
  CHECK(part_of("pooler.dense_bias") == "pooler");
  CHECK(part_of("masked.norm.gain") == "prediction of masked tokens");
  CHECK(part_of("next_sentence_bias") == "prediction of next sentences");
  CHECK(part_of("span") == "prediction of spans");
  CHECK(part_of("classifier_bias") == "prediction of labels");
  CHECK(part_of("mix") == "quality estimator");
  CHECK(part_of("estimator.0_bias") == "quality estimator");
  CHECK(part_of("embedding.3") == "embeddings");
  CHECK(part_of("question_embedding") == "embeddings");
  CHECK(part_of("temporal.0") == "positions");
  CHECK(part_of("hop") == "hops");
}

TEST_CASE("a survey counts, and leaves out what is not finite", "[inspect]") {
  const tests::Scratch scratch;
  const float query[] = {3, -4, std::numeric_limits<float>::quiet_NaN()};
  const float key[] = {0};
  const std::uint64_t count[] = {7};
  const store::Array arrays[] = {
      {"encoder.0.self.query", store::Type::F32, {1, 3}, std::as_bytes(std::span(query))},
      {"encoder.0.self.key", store::Type::F32, {1}, std::as_bytes(std::span(key))},
      {"strange", store::Type::U64, {}, std::as_bytes(std::span(count))}};
  store::write_arrays(scratch.path("file"), arrays, {});
  const auto found = survey(store::ArrayFile(scratch.path("file")));
  CHECK(found.numbers == 5);
  CHECK(found.types == std::vector<std::string_view>{"U64", "F32"});
  REQUIRE(found.parts.size() == 2);
  const auto& attention = found.parts[0];
  CHECK(attention.name == "encoder: self-attention");
  CHECK(attention.arrays == 2);
  CHECK(attention.numbers == 4);
  CHECK(attention.statistics.not_finite == 1);
  CHECK(attention.statistics.min == -4);
  CHECK(attention.statistics.max == 3);
  CHECK(attention.statistics.rms() == Approx(std::sqrt(25.0 / 3)));
  CHECK(found.parts[1].name == "other");
  CHECK(found.parts[1].statistics.finite == 0);
}

}  // namespace
}  // namespace awend::tools
