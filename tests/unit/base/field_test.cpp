// Descriptions of settings: text of each value and back, domains, and their messages.
#include "base/field.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

enum class Color { kRed, kGreen, kBlue };
constexpr Word<Color> kColors[] = {
    {Color::kRed, "red"}, {Color::kGreen, "green"}, {Color::kBlue, "blue"}};

struct Inner {
  double rate = 0.5;
};
struct Outer {
  std::uint32_t width = 8;
  std::uint64_t seed = 1;
  Inner inner = {};
  Color color = Color::kGreen;
  std::string name = "none";
  std::vector<std::string> patterns = {};

  bool operator==(const Outer& other) const {
    return width == other.width && seed == other.seed && inner.rate == other.inner.rate &&
           color == other.color && name == other.name && patterns == other.patterns;
  }
};

constexpr Field<Outer> kFields[] = {
    integer_field<&Outer::width>({.name = "width"}, {.min = 4, .max = 64, .multiple_of = 4}),
    integer_field<&Outer::seed>({.name = "seed"}, {.min = 0}),
    real_field<&Outer::inner, &Inner::rate>({.name = "rate"}, {0, 0.99}),
    word_field<kColors, &Outer::color>({.name = "color"}),
    text_field<&Outer::name>({.name = "name"}),
    list_field<&Outer::patterns>({.name = "patterns"}),
};

const Field<Outer>& named(std::string_view name) {
  for (const auto& setting : kFields) {
    if (setting.about.name == name) return setting;
  }
  throw std::logic_error("no such setting");
}

std::string refusal(std::string_view name, std::string_view text) {
  return tests::message_of([&] { require_in_domain(named(name).domain, text); });
}

TEST_CASE("each setting converts its member to text and back") {
  const Outer filled{.width = 12,
                     .seed = 0xffffffffffffffff,
                     .inner = {1e-9},
                     .color = Color::kBlue,
                     .name = "a name",
                     .patterns = {"encoder.*", "", "x"}};
  Outer copy;
  for (const auto& setting : kFields) setting.set(copy, setting.text(filled));
  CHECK(copy == filled);
  CHECK(named("seed").text(filled) == "18446744073709551615");
  CHECK(named("rate").text(filled) == "1e-09");
  CHECK(named("color").text(filled) == "blue");
  CHECK(named("patterns").text(filled) == "encoder.*,,x");
  CHECK(split_list("").empty());
}

TEST_CASE("a value outside the domain is refused with what was expected and found") {
  CHECK(refusal("width", "6") == "must be a multiple of 4, got 6");
  CHECK(refusal("width", "0") == "must be in [4, 64], got 0");
  CHECK(refusal("width", "128") == "must be in [4, 64], got 128");
  CHECK(refusal("width", "12x") == "'12x' is not an integer");
  CHECK(refusal("width", "") == "'' is not an integer");
  CHECK(refusal("rate", "1") == "must be in [0, 0.99], got 1");
  CHECK(refusal("rate", "nan") == "'nan' is not a number");
  CHECK(refusal("color", "pink") == "must be red, green or blue, got 'pink'");
  CHECK(refusal("color", "") == "must be red, green or blue, got ''");
}

TEST_CASE("validation names the setting") {
  const std::span<const Field<Outer>> table = kFields;
  CHECK_NOTHROW(validate(table, Outer{}));
  CHECK(tests::message_of([&] { validate(table, Outer{.width = 5}); }) ==
        "width must be a multiple of 4, got 5");
  CHECK(tests::message_of([&] { validate(table, Outer{.color = static_cast<Color>(7)}); }) ==
        "color must be red, green or blue, got ''");
}

}  // namespace
}  // namespace awend::base
