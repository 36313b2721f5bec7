// SentencePiece models: all that spm_encode and spm_decode print for the conformance data, and a
// model of a few pieces made by hand.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/sentencepiece/model.hpp"

namespace {

using awend::tests::message_of;
using awend::tests::ModelKind;
using awend::tests::small_model;
using awend::text::SentencePieceModel;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

template <class Item>
std::string joined(const std::vector<Item>& items) {
  std::ostringstream out;
  for (std::size_t i = 0; i < items.size(); ++i) out << (i ? " " : "") << items[i];
  return out.str();
}

TEST_CASE("sentencepiece: a score of -inf is valid except in a unigram model") {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto with_piece = [](ModelKind kind, float score) {
    return awend::tests::piece_field("ζ", score, 1) + small_model(kind);
  };
  const SentencePieceModel model(with_piece(ModelKind::kCharacter, -infinity), "m");
  CHECK(joined(model.encode_pieces("aζ")) == "▁ a ζ");
  CHECK(model.decode(model.encode("aζ")) == "aζ");
  CHECK(joined(SentencePieceModel(with_piece(ModelKind::kBpe, -infinity), "m").encode("aζ")) ==
        "4 0");
  const auto complaint = [&](ModelKind kind, float score) {
    return message_of([&] { SentencePieceModel(with_piece(kind, score), "m"); });
  };
  const std::string expected = "m: the model is damaged: piece 0 has no finite score";
  CHECK(complaint(ModelKind::kUnigram, -infinity) == expected);
  CHECK(complaint(ModelKind::kCharacter, infinity) == expected);
  CHECK(complaint(ModelKind::kCharacter, std::nanf("")) == expected);
}

TEST_CASE("sentencepiece: a small model") {
  const SentencePieceModel model(small_model(ModelKind::kUnigram), "small");
  CHECK(model.size() == 8);
  CHECK(model.unknown() == 0);
  CHECK(model.end_of_sentence() == 2u);
  CHECK(model.piece(3) == "▁a");
  CHECK(model.find("▁a") == 3u);
  CHECK(model.find("<unk>") == 0u);
  CHECK_FALSE(model.find("nothing"));
  CHECK_FALSE(model.find(""));

  using Pieces = std::vector<std::string>;
  using Ids = std::vector<std::uint32_t>;
  CHECK(model.encode_pieces("ab a") == Pieces{"▁a", "b", "▁a"});
  CHECK(model.encode("ab a") == Ids{3, 4, 3});
  CHECK(model.encode("").empty());
  CHECK(model.encode_pieces("a日本") == Pieces{"▁a", "日本"});
  CHECK(model.encode("a日本") == Ids{3, 0});
  CHECK(model.decode(Ids{3, 4, 3}) == "ab a");
  CHECK(model.decode(Ids{3, 0}) == "a ⁇ ");
  CHECK(model.decode(Ids{1, 3, 2}) == "a");
  CHECK(model.decode(Ids{}) == "");
  CHECK(model.decode_pieces(Pieces{"▁a", "日本"}) == "a日本");
  CHECK(message_of([&] { model.decode(Ids{8}); }) ==
        "small: id 8 is out of range (vocabulary size 8)");
}

TEST_CASE("sentencepiece: one line in, one line out") {
  using Ids = std::vector<std::uint32_t>;
  const SentencePieceModel model(small_model(ModelKind::kUnigram), "small");
  // Piece 7 is a line feed, which a model may have as a symbol.
  CHECK(model.decode(Ids{3, 7, 3}) == "a\uFFFD a");
  CHECK(model.piece(7) == "\u240A");
  CHECK(model.find("\u240A") == 7U);
  CHECK(model.decode_pieces(std::vector<std::string>{"▁a", "\u240A", "▁a"}) == "a\uFFFD a");
  const std::string nul("a\0b", 3);
  CHECK(model.decode_pieces(model.encode_pieces(nul)) == nul);
}

TEST_CASE("sentencepiece: segmentations drawn at random") {
  const SentencePieceModel model(small_model(ModelKind::kUnigram), "small");
  REQUIRE(model.can_sample());
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t stream = 0; stream < 40; ++stream) {
    awend::base::Random random(1, stream), again(1, stream);
    const auto ids = model.sample("ab ab", {.alpha = 0.1, .candidates = 64}, random);
    CHECK(model.decode(ids) == "ab ab");
    CHECK(model.sample("ab ab", {.alpha = 0.1, .candidates = 64}, again) == ids);
    seen.insert(ids);
  }
  CHECK(seen.size() > 1);
  awend::base::Random random(2);
  CHECK(model.sample("ab ab", {.alpha = 0.1, .candidates = 1}, random) == model.encode("ab ab"));
  CHECK(model.sample("", {}, random).empty());
  CHECK_FALSE(SentencePieceModel(small_model(ModelKind::kBpe), "small").can_sample());
}

TEST_CASE("sentencepiece: other kinds of models") {
  using Pieces = std::vector<std::string>;
  const auto pieces = [](ModelKind kind, std::string_view line) {
    return SentencePieceModel(small_model(kind), "small").encode_pieces(line);
  };
  CHECK(pieces(ModelKind::kBpe, "ab") == Pieces{"▁a", "b"});
  CHECK(pieces(ModelKind::kWord, "a b") == Pieces{"▁a", "▁b"});
  CHECK(pieces(ModelKind::kCharacter, "ab") == Pieces{"▁", "a", "b"});
}

TEST_CASE("sentencepiece: what is a model and what is not") {
  for (const auto kind : {ModelKind::kUnigram, ModelKind::kBpe})
    CHECK(SentencePieceModel::looks_like_model(std::string_view(small_model(kind)).substr(0, 40)));
  for (const std::string_view other :
       {"", "\n", "\n\n", "#version: 0.2\n", "\nabc\n",
        "\n\x20\n\x20text of some lines, the first empty", "awend vocabulary", "\x1F\x8B\x08",
        "\x90\1\0\0\0\0\0\0{\"__metadata__\"", "<unk>\t0\n"}) {
    INFO(other);
    CHECK_FALSE(SentencePieceModel::looks_like_model(other));
    CHECK_THAT(message_of([&] { SentencePieceModel(other, "file"); }),
               Catch::Matchers::StartsWith("file: not a SentencePiece model"));
  }
  CHECK(message_of([] { SentencePieceModel::read("/nowhere/model"); }) != "");
}

TEST_CASE("sentencepiece: what spm_encode and spm_decode print for the conformance data",
          "[conformance]") {
  const auto list = awend::tests::conformance_file("sentencepiece/models.json");
  if (!list) return;
  const auto content = [](const nlohmann::json& name) {
    return awend::tests::read_conformance(
        *awend::tests::conformance_file("sentencepiece/" + name.get<std::string>()));
  };
  const auto models = awend::tests::read_json(*list);
  REQUIRE(models.size() == 2);
  for (const auto& item : models) {
    const std::string bytes = content(item["model"]);
    CHECK(SentencePieceModel::looks_like_model(std::string_view(bytes).substr(0, 40)));
    const SentencePieceModel model(bytes, item["name"]);
    const auto vocabulary = lines_of(content(item["vocab"]));
    REQUIRE(model.size() == vocabulary.size());
    for (std::uint32_t id = 0; id < model.size(); ++id) {
      const std::string piece = vocabulary[id].substr(0, vocabulary[id].find('\t'));
      CHECK((model.piece(id) == piece && model.find(piece) == id));
    }
    for (const auto& text : item["encode"]) {
      INFO(item["name"] << " " << text["in"]);
      std::string pieces, ids, decoded;
      for (const std::string& line : lines_of(content(text["in"]))) {
        pieces += joined(model.encode_pieces(line)) + "\n";
        ids += joined(model.encode(line)) + "\n";
        decoded += model.decode(model.encode(line)) + "\n";
      }
      CHECK(pieces == content(text["pieces"]));
      CHECK(ids == content(text["ids"]));
      CHECK(decoded == content(text["decoded_from_ids"]));
    }
  }
}

TEST_CASE("sentencepiece: threads share a model") {
  const SentencePieceModel model(small_model(ModelKind::kUnigram), "small");
  const auto expected = model.encode("ab a b");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& count : wrong) {
    threads.emplace_back([&model, &count, &expected] {
      for (int i = 0; i < 1000; ++i) count += model.encode("ab a b") != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

}  // namespace
