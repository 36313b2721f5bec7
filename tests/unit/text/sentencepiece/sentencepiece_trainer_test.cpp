// Models learned through SentencePiece's trainer, and used as those that it writes itself.
#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/sentencepiece/trainer.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

// The lines of a small text, for each call.
NextLine small_text(std::size_t& next) {
  return [&next]() -> std::optional<std::string_view> {
    constexpr std::string_view kLines[] = {"low lower lowest 12 <2de> newer", "",
                                           "new newest wide wider widest 21", "slow slower 2012"};
    return next == std::size(kLines) ? std::nullopt : std::optional(kLines[next++]);
  };
}

std::string learned(const SentencePieceTraining& settings) {
  std::size_t next = 0;
  return train_sentencepiece(settings, small_text(next));
}

std::string pieces_of(const SentencePieceModel& model, std::string_view line) {
  std::string text;
  for (const std::string& piece : model.encode_pieces(line))
    text += (text.empty() ? "" : " ") + piece;
  return text;
}

TEST_CASE("a model is learned, the same each time") {
  for (const auto type :
       {SentencePieceTraining::Type::kBpe, SentencePieceTraining::Type::kUnigram}) {
    const SentencePieceTraining settings{.type = type, .size = 40};
    const std::string bytes = learned(settings);
    CHECK(learned(settings) == bytes);
    const SentencePieceModel model(bytes, "m");
    CHECK(model.size() <= 40);
    CHECK(model.size() > 24);
    CHECK(model.end_of_sentence() == 2U);
    CHECK(model.can_sample() == (type == SentencePieceTraining::Type::kUnigram));
    CHECK(model.decode(model.encode("lower newest 12")) == "lower newest 12");
    CHECK(model.encode("lowest").size() < 7);
  }
}

TEST_CASE("settings reach the trainer") {
  const SentencePieceModel model(learned({.type = SentencePieceTraining::Type::kBpe,
                                          .size = 320,
                                          .byte_fallback = true,
                                          .split_digits = true,
                                          .normalization = "nmt_nfkc_cf",
                                          .user_symbols = {"<2de>", "a\"b,"},
                                          .control_symbols = {"<mask>"}}),
                                 "m");
  CHECK(model.piece(3) == "<mask>");
  CHECK(model.find("<2de>") == 4U);
  CHECK(model.find("a\"b,") == 5U);
  CHECK(pieces_of(model, "<2de>2012") == "▁ <2de> 2 0 1 2");
  CHECK(pieces_of(model, "<mask>").find("<mask>") == std::string::npos);
  CHECK(model.decode(model.encode("LOWER ζ a\"b,")) == "lower ζ a\"b,");
  CHECK(pieces_of(model, "ζ") == "▁ <0xCE> <0xB6>");
}

TEST_CASE("what the trainer refuses is said in words") {
  CHECK(
      message_of([] { learned({.size = 10}); })
          .starts_with("SentencePiece: a vocabulary of 10 ids is too small: the text's characters "
                       "and the symbols need "));
  const auto coverage = message_of([] { learned({.character_coverage = 0.5}); });
  CHECK(coverage.starts_with("SentencePiece: "));
  CHECK(coverage.find("character_coverage") != std::string::npos);
  CHECK(message_of([] { learned({.user_symbols = {""}}); }) == "a symbol is empty");
  CHECK(message_of([] { learned({.normalization = "nfd"}); }).starts_with("SentencePiece: "));
  const NextLine bad = []() -> std::optional<std::string_view> { awend::base::fail("bad line"); };
  CHECK(message_of([&] { train_sentencepiece({}, bad); }) == "bad line");
}

TEST_CASE("pieces can be restricted, marked and reversed, and the best cuts listed") {
  const std::string bytes = learned({.type = SentencePieceTraining::Type::kUnigram, .size = 40});
  const SentencePieceModel model(bytes, "m");
  const auto best = model.best("lower", 3);
  REQUIRE(best.size() == 3);
  CHECK(best[0].ids == model.encode("lower"));
  CHECK(best[0].score > best[1].score);
  CHECK(best[1].score >= best[2].score);
  CHECK(best[1].ids != best[0].ids);

  const SentencePieceModel marked(bytes, "m", {.vocabulary = {}, .extra = {"bos", "eos"}});
  CHECK(pieces_of(marked, "lower") == "<s> " + pieces_of(model, "lower") + " </s>");
  CHECK(marked.decode(marked.encode("lower")) == "lower");
  const SentencePieceModel reversed(bytes, "m", {.vocabulary = {}, .extra = {"reverse"}});
  CHECK(reversed.encode("low new").front() == model.encode("low new").back());
  CHECK(reversed.decode(reversed.encode("low new")) == "low new");

  const SentencePieceModel single(bytes, "m", {.vocabulary = {{"▁"}}, .extra = {}});
  CHECK(pieces_of(single, "low") == "▁ l o w");
  CHECK(message_of([&] { SentencePieceModel(bytes, "m", {.vocabulary = {}, .extra = {"end"}}); }) !=
        "");
}

}  // namespace
