// Corpora from files and pipes: what becomes a pair, what is counted, and what is refused.
#include "data/corpus.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr auto kFirst = text::Vocabulary::kFirstCharacter;

/// A vocabulary of the pieces a, b and c after the special ones.
const text::Vocabulary& small_vocabulary() {
  static const text::Vocabulary kSmall = [] {
    text::VocabularyContent content;
    content.pieces = text::special_pieces();
    for (const char* piece : {"a", "b", "c"}) content.pieces.push_back({piece, 1});
    return text::Vocabulary(content);
  }();
  return kSmall;
}

/// A directory that goes with the test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / base::concat("awend-corpus-", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

Corpus read(const Folder& directory, std::string_view source, std::string_view target,
            std::uint32_t longest_tokens = 100) {
  return read_corpus({directory.file("source", source), directory.file("target", target)},
                     {.vocabularies = small_vocabulary(), .longest_tokens = longest_tokens});
}

std::string message(const Folder& directory, std::string_view source, std::string_view target,
                    std::uint32_t longest_tokens = 100) {
  try {
    read(directory, source, target, longest_tokens);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Words words(std::span<const std::uint32_t> ids) {
  return {ids.begin(), ids.end()};
}

TEST_CASE("a line that breaks the rules of a model is refused with its number", "[corpus]") {
  const Folder directory;
  const auto source = directory.file("source", "a b\n\nb\nb a\n");
  const auto target = directory.file("target", "a b\na\na b\na b\n");
  EncodeSettings settings{.vocabularies = small_vocabulary(), .longest_tokens = 100};
  const auto no_single_token =
      [](std::span<const std::uint32_t> ids) -> std::optional<std::string> {
    if (ids.size() == 1) return "one token";
    return std::nullopt;
  };
  // Empty sources need not follow them.
  settings.pair_check = PairCheck{"first a", no_single_token,
                                  [](std::span<const std::uint32_t>) { return std::nullopt; }};
  const auto message = [&] {
    return tests::message_of([&] { read_corpus({source, target}, settings); });
  };
  CHECK(message() == source + ":3: one token");
  settings.pair_check->source_problem = [](std::span<const std::uint32_t>) { return std::nullopt; };
  CHECK(read_corpus({source, target}, settings).pairs.size() == 3);
  settings.pair_check->target_problem = no_single_token;
  CHECK(message() == target + ":2: one token");
}

TEST_CASE("lines become ids; the last may lack its newline", "[corpus]") {
  const Folder directory;
  const auto corpus = read(directory, "a b\nc\n", "b\nc  c ");
  REQUIRE(corpus.pairs.size() == 2);
  CHECK(words(corpus.pairs.source[0]) == Words{kFirst, kFirst + 1});
  CHECK(words(corpus.pairs.source[1]) == Words{kFirst + 2});
  CHECK(words(corpus.pairs.target[1]) == Words{kFirst + 2, kFirst + 2});
  CHECK(corpus.pairs.source.tokens(0) == 3);
  CHECK(corpus.counts.lines == 2);
  CHECK(corpus.counts.source == SideCounts{3, 0});
  CHECK(corpus.counts.target == SideCounts{3, 0});
  CHECK(corpus.counts.first_unknown.empty());
}

TEST_CASE("unknown pieces are kept, counted, and the first is named", "[corpus]") {
  const Folder directory;
  const auto corpus = read(directory, "a\na d\n", "b\ne c e\n");
  CHECK(words(corpus.pairs.source[1]) == Words{kFirst, text::Vocabulary::kUnknown});
  CHECK(corpus.counts.source == SideCounts{3, 1});
  CHECK(corpus.counts.target == SideCounts{4, 2});
  CHECK(corpus.counts.first_unknown == directory.file("source", "") + ":2: d");
}

TEST_CASE("a piece that spells the end of a sentence does not end it", "[corpus]") {
  const Folder directory;
  const auto corpus = read(directory, "a </s> b\n", "<unk>\n");
  CHECK(words(corpus.pairs.source[0]) == Words{kFirst, text::Vocabulary::kUnknown, kFirst + 1});
  CHECK(corpus.counts.source == SideCounts{3, 1});
  CHECK(corpus.counts.target == SideCounts{1, 1});
}

TEST_CASE("bytes of the vocabulary are pieces like any other", "[corpus]") {
  const Folder directory;
  CHECK(words(read(directory, "<0x41>\n", "a\n").pairs.source[0]) ==
        Words{text::Vocabulary::byte_id(0x41)});
}

TEST_CASE("pairs with an empty side are left out and counted", "[corpus]") {
  const Folder directory;
  const auto corpus = read(directory, "\na\n  \nb\n\n", "a\n\nb\nc\n\n");
  CHECK(corpus.pairs.size() == 1);
  CHECK(words(corpus.pairs.target[0]) == Words{kFirst + 2});
  CHECK(corpus.counts.lines == 5);
  CHECK(corpus.counts.empty_pairs == 4);
}

TEST_CASE("pairs with a side that is too long are left out and counted", "[corpus]") {
  const Folder directory;
  const auto corpus = read(directory, "a b\na b c\na\n", "a b\na\na b c d\n", 3);
  CHECK(corpus.pairs.size() == 1);
  CHECK(corpus.counts.long_pairs == 2);
  CHECK(corpus.counts.source == SideCounts{2, 0});
  CHECK(corpus.counts.target == SideCounts{2, 0});
}

TEST_CASE("files that do not pair up are refused with both counts", "[corpus]") {
  const Folder directory;
  const auto source = directory.file("source", "");
  const auto target = directory.file("target", "");
  CHECK(message(directory, "a\nb\nc\n", "a\n") ==
        source + " has 3 lines, but " + target + " has 1");
  CHECK(message(directory, "a\n", "a\nb\nc") == source + " has 1 lines, but " + target + " has 3");
}

TEST_CASE("a corpus without a pair is refused with the reason", "[corpus]") {
  const Folder directory;
  CHECK(contains(message(directory, "", ""), "no pair of sentences left"));
  CHECK(contains(message(directory, "a b c\n\n", "a\nb\n", 3),
                 "2 lines, 1 of them empty, 1 longer than 2 pieces"));
}

TEST_CASE("files that cannot be read are refused by name", "[corpus]") {
  const Folder directory;
  const auto target = directory.file("target", "a\n");
  CHECK_THROWS_AS(read_corpus({"/nonexistent/source", target}, {small_vocabulary(), 100}),
                  base::Error);
  CHECK_THROWS_AS(read_corpus({"-", "-"}, {small_vocabulary(), 100}), base::UsageError);
  CHECK(contains(message(directory, "a\n\xff\n", "a\nb\n"), "source:2: invalid UTF-8"));
}

TEST_CASE("a corpus comes from pipes as well", "[corpus]") {
  const Folder directory;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "a b\nc\n", 6) == 6);
  REQUIRE(close(ends[1]) == 0);
  const auto corpus =
      read_corpus({base::concat("/dev/fd/", ends[0]), directory.file("target", "a\nb\n")},
                  {small_vocabulary(), 100});
  close(ends[0]);
  CHECK(corpus.pairs.size() == 2);
}

}  // namespace
}  // namespace awend::data
