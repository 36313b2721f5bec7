// Examples of fine-tuning: one label for a line, or one for each token.
#include "data/labeled_text.hpp"

#include "data/batch.hpp"
#include "data/corpus.hpp"
#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr EncoderIds kSpecial{.pad = 0, .unknown = 1, .classify = 2, .separator = 3, .mask = 4};

TEST_CASE("a line of one segment, and a line of two", "[labeled]") {
  const auto one = encoder_line(Words{7, 8}, kSpecial, Labeled::kLines);
  CHECK(one.ids == Words{2, 7, 8, 3});
  CHECK(one.second_segment == 4);
  CHECK(one.predicted == Words{0});
  const auto two = encoder_line(Words{7, 3, 8, 9}, kSpecial, Labeled::kTokens);
  CHECK(two.ids == Words{2, 7, 3, 8, 9, 3});
  CHECK(two.second_segment == 3);
  CHECK(two.predicted == Words{1, 3, 4});
  CHECK(encoder_line({}, kSpecial, Labeled::kTokens).ids == Words{2, 3});
}

TEST_CASE("the segments of RoBERTa have two separators between them", "[labeled]") {
  auto special = kSpecial;
  special.separators = 2;
  const auto one = encoder_line(Words{7, 8}, special, Labeled::kLines);
  CHECK(one.ids == Words{2, 7, 8, 3});
  CHECK(one.second_segment == 4);
  const auto two = encoder_line(Words{7, 3, 3, 8, 9}, special, Labeled::kTokens);
  CHECK(two.ids == Words{2, 7, 3, 3, 8, 9, 3});
  CHECK(two.second_segment == 4);
  CHECK(two.predicted == Words{1, 4, 5});
  CHECK(encoder_line(Words{7, 3, 3, 8, 9}, special, Labeled::kSpans).passage() ==
        batch::RowRange{4, 6});
}

TEST_CASE("a batch has the labels of its lines", "[labeled]") {
  SentencePairs pairs;
  pairs.source.add(Words{7, 3, 8, 9});
  pairs.target.add(Words{1});
  pairs.source.add(Words{5});
  pairs.target.add(Words{0});
  const LabeledText text(kSpecial, Labeled::kLines);
  const auto view = PairsView(pairs).packed_by(&text);
  CHECK(view.longest() == 6);
  CHECK(view.rows({0}).source == 6);
  CHECK(view.rows({0}).target == 1);
  batch::PackedBatch batch;
  pack_batch(view, Words{1, 0}, batch);
  CHECK(batch.sentences == 2);
  CHECK(batch.source.begins == Words{0, 3, 9});
  CHECK(batch.target.begins == Words{0, 1, 2});
  CHECK(batch.source.ids == Words{2, 5, 3, 2, 7, 3, 8, 9, 3});
  CHECK(batch.source.segments == Words{0, 0, 0, 0, 0, 0, 1, 1, 1});
  CHECK(batch.source.positions == Words{0, 1, 2, 0, 1, 2, 3, 4, 5});
  CHECK(batch.target.source_rows == Words{0, 3});
  CHECK(batch.output_ids == Words{0, 1});
  CHECK(batch.source.by_segment.rows.size() == 9);
}

TEST_CASE("an answer is the places of its ends, and no answer the first place", "[labeled]") {
  const auto line = encoder_line(Words{7, 3, 8, 9, 6}, kSpecial, Labeled::kSpans);
  CHECK(line.ids == Words{2, 7, 3, 8, 9, 6, 3});
  CHECK(line.second_segment == 3);
  CHECK(line.predicted.empty());
  CHECK(line.passage() == batch::RowRange{3, 6});
  CHECK(encoder_line(Words{7, 3}, kSpecial, Labeled::kSpans).passage() == batch::RowRange{3, 3});
  const auto nothing = encoder_line({}, kSpecial, Labeled::kSpans).passage();
  CHECK(nothing.begin == nothing.end);
  SentencePairs pairs;
  pairs.source.add(Words{7, 3, 8, 9, 6});
  pairs.target.add(Words{2, 3});
  pairs.source.add(Words{5, 5, 3, 8});
  pairs.target.add(Words{kNoAnswer, kNoAnswer});
  pairs.source.add(Words{5, 5, 3, 8});
  pairs.target.add(Words{1, 1});
  const LabeledText text(kSpecial, Labeled::kSpans);
  const auto view = PairsView(pairs).packed_by(&text);
  CHECK(view.rows({0}).source == 7);
  CHECK(view.rows({0}).target == 2);
  batch::PackedBatch batch;
  pack_batch(view, Words{0, 1, 2}, batch);
  CHECK(batch.source.begins == Words{0, 7, 13, 19});
  CHECK(batch.output_ids == Words{4, 5, 0, 0, 4, 4});
  CHECK(batch.target.source_rows.empty());
}

}  // namespace
}  // namespace awend::data
