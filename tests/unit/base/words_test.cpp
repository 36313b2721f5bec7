// Words of enumerations, and what a text that is not one of them most likely means.
#include "base/words.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

enum class Color { kRed, kGreen, kBlue };
constexpr Word<Color> kColors[] = {
    {Color::kRed, "red"}, {Color::kGreen, "green"}, {Color::kBlue, "blue"}};
constexpr std::string_view kSizes[] = {"small", "large"};

TEST_CASE("a word is converted to its value and back") {
  for (const auto& [value, text] : kColors) {
    CHECK(word_for(kColors, value) == text);
    CHECK(value_of<kColors>(text) == value);
  }
  CHECK(word_for(kColors, static_cast<Color>(7)).empty());
}

TEST_CASE("another text is refused with the words, and the nearest of them") {
  const auto refusal = [](std::string_view text) {
    return tests::message_of([&] { value_of<kColors>(text); });
  };
  CHECK(refusal("pink") == "must be red, green or blue, got 'pink'");
  CHECK(refusal("gren") == "must be red, green or blue, got 'gren', did you mean 'green'?");
  CHECK(refusal("") == "must be red, green or blue, got ''");
  CHECK(tests::message_of([] { require_one_of(texts_of<kSizes>(), "smal"); }) ==
        "must be small or large, got 'smal', did you mean 'small'?");
  CHECK_NOTHROW(require_one_of(texts_of<kSizes>(), "large"));
}

TEST_CASE("a swap of two letters is closer than two other letters") {
  const std::string_view names[] = {"cell", "help", "heap"};
  CHECK(nearest("hepl", names) == "help");
  CHECK(nearest("celk", names) == "cell");
  CHECK(nearest("lecl", names) == "cell");
  CHECK(nearest("xyzzy", names).empty());
}

}  // namespace
}  // namespace awend::base
