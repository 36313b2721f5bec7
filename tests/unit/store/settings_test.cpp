// Settings keep their order and their digits through JSON.
#include <clocale>
#include <cstdlib>

#include "store/stored_settings.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using awend::store::Settings;
using awend::tests::message_of;

TEST_CASE("settings keep their order, and a later value takes the earlier one's place") {
  Settings settings;
  settings.set("d_model", 512);
  settings.set("norm", "post");
  settings.set("dropout", 0.1);
  settings.set("d_model", 1024);
  CHECK(settings.to_json() == R"({"d_model":1024,"norm":"post","dropout":0.1})");
  CHECK(settings.integer("d_model") == 1024);
  CHECK(settings.number("dropout") == 0.1);
  CHECK(settings.find("norm") == "post");
  CHECK_FALSE(settings.find("Norm"));
  CHECK(message_of([&] { settings.at("heads"); }) == "no setting 'heads'");
  CHECK(message_of([&] { settings.integer("norm"); }) ==
        "setting 'norm': 'post' is not a whole number");
  CHECK(message_of([&] { settings.integer("dropout"); }) ==
        "setting 'dropout': '0.1' is not a whole number");
  CHECK(message_of([&] { settings.number("norm"); }) == "setting 'norm': 'post' is not a number");
}

TEST_CASE("numbers have a decimal point in every locale") {
  const awend::tests::Scratch scratch;
  const auto name = "LOCPATH='" + scratch.path("") + "' localedef -i de_DE -f UTF-8 '" +
                    scratch.path("de_DE.UTF-8") + "' > /dev/null 2>&1";
  const bool is_made = std::system(name.c_str()) == 0;
  setenv("LOCPATH", scratch.path("").c_str(), 1);
  const auto* const locale = std::setlocale(LC_ALL, "de_DE.UTF-8");
  if (!is_made || locale == nullptr) {
    WARN("skipped: the locale de_DE cannot be made here");
    return;
  }
  REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
  CHECK(Settings::from_json(R"({"dropout":0.05,"rate":-1.5e-7})", "x").number("dropout") == 0.05);
  CHECK(Settings::from_json(R"({"rate":-1.5e-7})", "x").find("rate") == "-1.5e-7");
  std::setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
}

TEST_CASE("every text survives JSON") {
  Settings settings;
  const char* values[] = {"",
                          "0",
                          "-0",
                          "-1",
                          "007",
                          "1e-9",
                          "1E+05",
                          "1.",
                          ".5",
                          "+1",
                          "0x1",
                          "1e",
                          "inf",
                          "nan",
                          "true",
                          "a\"",
                          "\\",
                          "\n",
                          "ü",
                          "1e999",
                          "1e-999",
                          "1.50",
                          "18446744073709551615",
                          "123456789012345678901234567890",
                          "-",
                          "[]",
                          "{}"};
  for (std::size_t i = 0; i < std::size(values); ++i) settings.set(std::to_string(i), values[i]);
  CHECK(Settings::from_json(settings.to_json(), "x") == settings);
  CHECK(Settings::from_json("{}", "x").entries().empty());
  CHECK(Settings().to_json() == "{}");
  CHECK(Settings::from_json(R"( {"a" : 1e-09, "b":true} )", "x").to_json() ==
        R"({"a":1e-09,"b":"true"})");
}

TEST_CASE("what is not a flat object is refused with the name of its file") {
  const auto says = [](std::string_view text) {
    return message_of([&] { Settings::from_json(text, "f"); });
  };
  CHECK(says("") == "f: not JSON at byte 1");
  CHECK(says("{\"a\":") == "f: not JSON at byte 6");
  CHECK(says("3") == "f: the settings are not an object");
  CHECK(says("[]") == "f: the settings are not an object");
  CHECK(says(R"({"a":null})") == "f: setting 'a' is neither a text nor a number");
  CHECK(says(R"({"a":[1]})") == "f: setting 'a' is neither a text nor a number");
  CHECK(says(R"({"a":{}})") == "f: setting 'a' is neither a text nor a number");
  CHECK(says(R"({"a":1,"a":2})") == "f: 'a' is duplicated");
  CHECK(says(R"({"a":1} x)") == "f: not JSON at byte 9");
}

TEST_CASE("an object with very many settings is refused") {
  std::string text = "{";
  for (int i = 0; i < 1001; ++i) text += awend::base::concat(i > 0 ? "," : "", "\"s", i, "\":1");
  CHECK(message_of([&] { Settings::from_json(text + "}", "file"); }) ==
        "file: more than 1000 settings");
}

}  // namespace
