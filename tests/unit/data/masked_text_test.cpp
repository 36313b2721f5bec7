// Examples of pre-training: their shape, their shares, and that they are functions of seed, epoch
// and number.
#include "data/masked_text.hpp"

#include <set>

#include "data/batch.hpp"
#include "data/update_stream.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/data/special_vocabulary.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

/// Documents of ten sentences; sentence i repeats token first + i % 40.
SentencePairs documents(std::uint32_t sentences, const text::Vocabulary& vocabulary) {
  SentencePairs pairs;
  const auto first = vocabulary.find("w0").value();
  for (std::uint32_t i = 0; i < sentences; ++i) {
    pairs.source.add(i % 11 == 10 ? Words{} : Words(5 + i % 13, first + i % 40));
    pairs.target.add({});
  }
  return pairs;
}

struct Stage {
  text::Vocabulary vocabulary = special_vocabulary(40);
  EncoderIds special = encoder_ids(vocabulary);
  SentencePairs corpus = documents(440, vocabulary);

  batch::PackedBatch batch(const MaskedText& text, std::uint64_t epoch = 0) const {
    const auto view = PairsView(corpus).packed_by(&text);
    batch::PackedBatch batch;
    for (std::uint32_t pair = 0; pair < corpus.size(); ++pair) {
      if (view.rows({pair, epoch}).source > 0) text.add(view, {pair, epoch}, batch);
    }
    finish_examples(batch);
    return batch;
  }
};

}  // namespace

TEST_CASE("an example is two segments with special tokens around them", "[masked]") {
  const Stage stage;
  const MaskedText text(stage.vocabulary, {.longest_rows = 30});
  const auto view = PairsView(stage.corpus).packed_by(&text);
  CHECK(view.longest() == 30);
  std::uint32_t follows = 0, pairs = 0, predictions = 0, tokens = 0;
  for (std::uint32_t pair = 0; pair < stage.corpus.size(); ++pair) {
    const auto [source, target] = view.rows({pair, 3});
    if (stage.corpus.source[pair].empty()) {
      CHECK(source == 0);
      continue;
    }
    batch::PackedBatch batch;
    text.add(view, {pair, 3}, batch);
    finish_examples(batch);
    REQUIRE(batch.source.rows() == source);
    REQUIRE(batch.target_rows() == target);
    CHECK(source <= 30);
    CHECK(batch.source.ids.front() == stage.special.classify);
    CHECK(batch.source.ids.back() == stage.special.separator);
    CHECK(std::ranges::count(batch.source.ids, stage.special.separator) == 2);
    CHECK(std::ranges::is_sorted(batch.source.segments));
    CHECK(batch.source.segments.back() == 1);
    const auto first_of_second = std::ranges::find(batch.source.segments, 1u);
    const auto at = static_cast<std::size_t>(first_of_second - batch.source.segments.begin());
    CHECK(batch.source.ids[at - 1] == stage.special.separator);
    ++pairs;
    follows += batch.source.labels.front() == 0 ? 1 : 0;
    predictions += target;
    tokens += source - 3;
  }
  CHECK(predictions == Approx(0.15 * tokens).epsilon(0.05));
  // The last sentence of a document has no next one.
  CHECK(follows == Approx(0.45 * pairs).epsilon(0.2));
}

TEST_CASE("of the predicted tokens, 80 % are masked, 10 % replaced and 10 % kept", "[masked]") {
  const Stage stage;
  const MaskedText text(stage.vocabulary, {.longest_rows = 64, .mask_rate = 0.5});
  const auto batch = stage.batch(text);
  std::size_t masked = 0, kept = 0;
  std::set<std::uint32_t> replacements;
  for (std::size_t i = 0; i < batch.target.source_rows.size(); ++i) {
    const auto shown = batch.source.ids[batch.target.source_rows[i]];
    const auto answer = batch.output_ids[i];
    CHECK(answer > stage.special.mask);
    masked += shown == stage.special.mask ? 1 : 0;
    kept += shown == answer ? 1 : 0;
    if (shown != stage.special.mask) replacements.insert(shown);
  }
  const auto all = static_cast<double>(batch.target.source_rows.size());
  REQUIRE(all > 3000);
  CHECK(masked / all == Approx(0.8).margin(0.02));
  CHECK(kept / all == Approx(0.1).margin(0.02));
  CHECK(replacements.size() == 40);
}

TEST_CASE("an example is a function of seed, epoch and number", "[masked]") {
  const Stage stage;
  const MaskedText text(stage.vocabulary, {.longest_rows = 64, .seed = 5});
  const MaskedText same(stage.vocabulary, {.longest_rows = 64, .seed = 5});
  const MaskedText other(stage.vocabulary, {.longest_rows = 64, .seed = 6});
  CHECK(stage.batch(text, 2).source.ids == stage.batch(same, 2).source.ids);
  CHECK(stage.batch(text, 2).source.ids != stage.batch(text, 3).source.ids);
  CHECK(stage.batch(text, 2).source.ids != stage.batch(other, 2).source.ids);
}

TEST_CASE("updates contain the same examples for any passes and processes", "[masked]") {
  const Stage stage;
  const MaskedText text(stage.vocabulary, {.longest_rows = 40});
  const auto view = PairsView(stage.corpus).packed_by(&text);
  const BatchSettings settings{.batch_tokens = 300, .seed = 4};
  UpdateStream whole(view, settings, {.batches = 30});
  UpdateStream first(view, settings, {.batches = 30, .pass_rows = 90, .processes = 2});
  UpdateStream second(view, settings,
                      {.batches = 30, .pass_rows = 90, .process = 1, .processes = 2});
  for (int update = 0; update < 4; ++update) {  // which span epochs
    const auto expected = whole.next();
    Words ids, answers, sentences;
    std::uint64_t predictions = 0;
    for (auto* const stream : {&first, &second}) {
      const auto own = stream->next();
      CHECK(own.target_tokens == expected.target_tokens);
      CHECK(own.sentences == expected.sentences);
      for (const auto& pass : own.passes) {
        CHECK(pass.target.first_row == answers.size());
        CHECK(pass.source.first_sentence == sentences.size());
        ids.insert(ids.end(), pass.source.ids.begin(), pass.source.ids.end());
        answers.insert(answers.end(), pass.output_ids.begin(), pass.output_ids.end());
        sentences.insert(sentences.end(), pass.pairs.begin(), pass.pairs.end());
        predictions += pass.target.source_rows.size();
      }
    }
    Words expected_ids, expected_answers;
    for (const auto& pass : expected.passes) {
      expected_ids.insert(expected_ids.end(), pass.source.ids.begin(), pass.source.ids.end());
      expected_answers.insert(expected_answers.end(), pass.output_ids.begin(),
                              pass.output_ids.end());
    }
    CHECK(ids == expected_ids);
    CHECK(answers == expected_answers);
    CHECK(predictions == expected.target_tokens);
  }
}

TEST_CASE("all tokens of a word are masked together", "[masked]") {
  const auto vocabulary = special_vocabulary(40);
  const auto begin = vocabulary.find("w0").value(), part = vocabulary.find("##p").value();
  SentencePairs corpus;
  for (std::uint32_t i = 0; i < 100; ++i) {
    Words ids;
    for (std::uint32_t word = 0; word < 12; ++word) {
      ids.push_back(begin + word);
      if (word % 2 == 0) ids.insert(ids.end(), {part, part});
    }
    corpus.source.add(ids);
    corpus.target.add({});
  }
  const MaskedText text(vocabulary,
                        {.longest_rows = 60, .makes_pairs = false, .masks_whole_words = true});
  const auto view = PairsView(corpus).packed_by(&text);
  for (std::uint32_t pair = 0; pair < corpus.size(); ++pair) {
    batch::PackedBatch batch;
    text.add(view, {pair}, batch);
    CHECK(view.rows({pair}).target == batch.target_rows());
    CHECK(batch.target_rows() <= 4);  // 15 % of 24
    CHECK(std::ranges::all_of(batch.source.segments, [](auto segment) { return segment == 0; }));
    const auto ids = corpus.source[pair];
    const std::set<std::uint32_t> places(batch.target.source_rows.begin(),
                                         batch.target.source_rows.end());
    for (const auto place : places) {  // [CLS] is before the first token
      if (place < ids.size() && ids[place] == part) CHECK(places.contains(place + 1));
      if (ids[place - 1] == part) CHECK(places.contains(place - 1));
    }
  }
}

TEST_CASE("special tokens that are missing are named", "[masked]") {
  text::VocabularyContent content;
  content.pieces = text::special_pieces();
  const text::Vocabulary vocabulary(content);
  CHECK(tests::message_of([&] { encoder_ids(vocabulary); }) ==
        "the vocabulary lacks [PAD] [UNK] [CLS] [SEP] [MASK], which the architecture bert needs");
}

}  // namespace awend::data
