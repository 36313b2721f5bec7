#include "cli/options.hpp"

#include <cstdlib>
#include <cstring>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::cli;
namespace base = awend::base;
using awend::tests::message_of;
using awend::tests::Scratch;

constexpr Option kOptions[] = {
    {.help = "Things"},
    {"size", 's', "N", "37000", "a number"},
    {"rate", 0, "X", "0.5",
     "another, of which there is so much to say that it cannot be said in one line of text"},
    {"decode", 'd', "", "", "a switch"},
    {"model", 'm', "FILE", "", "files"},
    {"an-option-with-a-long-name", 0, "METAVARIABLE", "", "its text begins on a line of its own"},
    {"inputs", 0, "FILE...", "", "as many as there are"},
    {"config", 0, "FILE", "", "settings"},
};
constexpr std::string_view kUsage[] = {"[option...] FILE...", "-d FILE"};
constexpr ToolDescription kTool = {.name = "thing",
                                   .purpose = "Do a thing.",
                                   .usage = kUsage,
                                   .options = kOptions,
                                   .operands = "FILE is read."};

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "thing");
  return Options::parse(kTool, static_cast<int>(arguments.size()), arguments.data());
}

std::string refusal(const std::vector<const char*>& arguments) {
  try {
    parse(arguments);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("defaults hold until a value is given") {
  const Options none = parse({});
  CHECK(none.integer("size") == 37000);
  CHECK(none.real("rate") == 0.5);
  CHECK_FALSE(none.has("size"));
  CHECK_FALSE(none.flag("decode"));
  CHECK(none.text("model").empty());
  const Options some = parse({"-s", "7", "--rate=-1e-3", "-d", "a", "-", "--", "-b"});
  CHECK(some.integer("size") == 7);
  CHECK(some.real("rate") == -1e-3);
  CHECK(some.flag("decode"));
  CHECK(some.has("size"));
  CHECK(some.operands() == std::vector<std::string>{"a", "-", "-b"});
  CHECK(parse({"--rate", "-2"}).real("rate") == -2);
  CHECK(parse({"-s1", "-s2"}).integer("size") == 2);
}

TEST_CASE("a repeated option gives all its values") {
  const Options options = parse({"-m", "a,b", "--model", "c", "x"});
  CHECK(options.each("model") == std::vector<std::string>{"a,b", "c"});
  CHECK(options.list("model") == std::vector<std::string>{"a", "b", "c"});
  CHECK(options.list("size") == std::vector<std::string>{"37000"});
  CHECK(parse({}).list("model").empty());
  CHECK(options.last_list("model") == std::vector<std::string>{"c"});
  CHECK(parse({"-m", "a,b"}).last_list("model") == std::vector<std::string>{"a", "b"});
  CHECK(parse({}).last_list("model").empty());
}

TEST_CASE("a list of names has one value for each") {
  using Values = std::vector<std::pair<std::string, std::string>>;
  const auto values = [](const char* text) { return parse({"-m", text}).named_values("model"); };
  CHECK(values("b=2,a=on,c=d=") == Values{{"b", "2"}, {"a", "on"}, {"c=d", ""}});
  CHECK(parse({}).named_values("model").empty());
  CHECK(message_of([&] { values("a=1,b"); }) == "option '--model': expected NAME=VALUE, got 'b'");
  CHECK(message_of([&] { values("=1"); }) == "option '--model': expected NAME=VALUE, got '=1'");
  CHECK(message_of([&] { values("a=1,a=1"); }) == "option '--model': two values for 'a'");
}

TEST_CASE("a list of numbers is cut at its commas") {
  CHECK(parse({"-m", "3,0.5"}).reals("model") == std::vector<double>{3, 0.5});
  CHECK(parse({}).reals("model").empty());
  CHECK(message_of([] {
          parse({"-m", "3,,1"}).reals("model");
        }) == "option '--model': '' is not a number");
  CHECK(message_of([] {
          parse({"-m", "3,0"}).reals("model", {.min = 0.1, .max = 9});
        }) == "option '--model': must be in [0.1, 9], got 0");
}

TEST_CASE("a list takes words up to the next option or --") {
  using Words = std::vector<std::string>;
  const Options some = parse({"x", "--inputs", "a", "b", "-d", "y", "--inputs=c", "d", "--", "e"});
  CHECK(some.each("inputs") == Words{"a", "b", "c", "d"});
  CHECK(some.operands() == Words{"x", "y", "e"});
  CHECK(some.flag("decode"));
  CHECK(refusal({"--inputs"}) == "option '--inputs' needs a value");
}

TEST_CASE("what is not in the table is refused, with what was meant") {
  CHECK(refusal({"--sise", "3"}) == "unknown option '--sise', did you mean '--size'?");
  CHECK(refusal({"--decod"}) == "unknown option '--decod', did you mean '--decode'?");
  CHECK(refusal({"--dec"}) == "unknown option '--dec', did you mean '--decode'?");
  CHECK(refusal({"--xyzzy"}) == "unknown option '--xyzzy'");
  CHECK(refusal({"-z"}) == "unknown option '-z'");
  CHECK(refusal({"--size"}) == "option '--size' needs a value");
  CHECK(refusal({"--decode=1"}) == "option '--decode' takes no value");
}

TEST_CASE("an invalid number, or one out of range, is named") {
  CHECK(message_of([] {
          parse({"-s", "many"}).integer("size");
        }) == "option '--size': 'many' is not an integer");
  CHECK(message_of([&] {
          parse({"-s", ""}).integer("size");
        }) == "option '--size': '' is not an integer");
  CHECK(message_of([&] {
          parse({"-s", "18446744073709551615"}).integer("size", {.min = 0});
        }) == "option '--size': must be in [0, 9223372036854775807], got 18446744073709551615");
  CHECK(message_of([] {
          parse({"-s", "1.5"}).integer("size");
        }) == "option '--size': '1.5' is not an integer");
  CHECK(message_of([] {
          parse({"--rate", "nan"}).real("rate");
        }) == "option '--rate': 'nan' is not a number");
  CHECK(message_of([] {
          parse({"-s", "0"}).integer("size", {.min = 1});
        }) == "option '--size': must be at least 1, got 0");
  CHECK(message_of([] {
          parse({"--rate", "2"}).real("rate", {0, 1});
        }) == "option '--rate': must be in [0, 1], got 2");
  CHECK(message_of([] {
          parse({"-s", "4294967296"}).integer<std::uint32_t>("size");
        }) == "option '--size': 4294967296 is too large");
  CHECK(parse({"-s", "4294967295"}).integer<std::uint32_t>("size") == 4294967295);
  CHECK(message_of([] { parse({}).required("model"); }) == "option '--model' is required");
  CHECK_THROWS_AS(parse({}).text("none"), std::logic_error);
}

TEST_CASE("operands are accepted only if the table permits them") {
  ToolDescription strict = kTool;
  strict.operands = {};
  const char* arguments[] = {"thing", "x"};
  CHECK(message_of([&] { Options::parse(strict, 2, arguments); }) == "unexpected operand 'x'");
  ToolDescription needy = kTool;
  needy.operands_min = 1;
  CHECK(message_of([&] { Options::parse(needy, 1, arguments); }) == "missing operand");
}

TEST_CASE("a value ranks: default, file, command line") {
  const Scratch scratch;
  const std::string path = scratch.write(
      "config", "# settings\n\nsize = 9\n rate=0.25 \r\ndecode = true\nmodel = a b\n");
  const Options options = parse({"--rate", "1", "--config", path.c_str()});
  CHECK(options.integer("size") == 9);
  CHECK(options.real("rate") == 1);
  CHECK(options.flag("decode"));
  CHECK(options.text("model") == "a b");
  const auto said = [&](std::string_view line) {
    const std::string file = scratch.write("bad", line);
    return refusal({"--config", file.c_str()}).substr(file.size());
  };
  CHECK(said("\nsise = 1") == ":2: unknown option 'sise', did you mean '--size'?");
  CHECK(said("config = x") == ":1: option 'config' must not be in this file");
  CHECK(said("size 1") == ":1: expected 'name = value'");
  CHECK(said("decode = yes") == ":1: option 'decode' must be true or false");
  const std::string numbers = scratch.write("numbers", "# none\nsize = many\n");
  CHECK(message_of([&] {
          parse({"--config", numbers.c_str()}).integer("size");
        }) == numbers + ":2: option '--size': 'many' is not an integer");
}

constexpr std::string_view kColors[] = {"red", "green", "blue"};
constexpr Option kChoosing[] = {
    {.name = "color",
     .metavar = "NAME",
     .environment = "AWEND_TEST_COLOR",
     .choices = base::texts_of<kColors>},
    {.name = "colors", .metavar = "LIST", .choices = base::texts_of<kColors>},
    {.name = "form",
     .metavar = "FORM",
     .choices = base::texts_of<kColors>,
     .other_values = OtherValues::kAccepted},
    {"config", 0, "FILE", "", "settings"},
};

TEST_CASE("a value must be one of the choices, wherever it is given") {
  const ToolDescription tool = {
      .name = "thing", .purpose = "Do.", .usage = kUsage, .options = kChoosing};
  const auto parsed = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "thing");
    return Options::parse(tool, static_cast<int>(arguments.size()), arguments.data());
  };
  const auto said = [&](const std::vector<const char*>& arguments) {
    return message_of([&] { parsed(arguments); });
  };
  ::unsetenv("AWEND_TEST_COLOR");
  CHECK(parsed({"--color", "red"}).text("color") == "red");
  CHECK(said({"--color", "pink"}) == "option '--color': must be red, green or blue, got 'pink'");
  CHECK(said({"--color", "gren"}) ==
        "option '--color': must be red, green or blue, got 'gren', did you mean 'green'?");
  CHECK(said({"--color", "pink", "--color", "red"}).ends_with("got 'pink'"));
  CHECK(said({"--color", ""}).ends_with("got ''"));
  CHECK(parsed({"--colors", "red,blue"}).list("colors").size() == 2);
  CHECK(said({"--colors", "red,pink"}) ==
        "option '--colors': must be red, green or blue, got 'pink'");
  CHECK(parsed({"--form", "0.5"}).text("form") == "0.5");
  const Scratch scratch;
  const std::string file = scratch.write("config", "\ncolor = blu\n");
  CHECK(said({"--config", file.c_str()}) ==
        file + ":2: option '--color': must be red, green or blue, got 'blu', did you mean 'blue'?");
  ::setenv("AWEND_TEST_COLOR", "Red", 1);
  CHECK(parsed({}).text("color") == "Red");
  ::unsetenv("AWEND_TEST_COLOR");
}

TEST_CASE("the environment ranks between file and command line") {
  constexpr Option rows[] = {
      {.name = "device", .metavar = "NAME", .environment = "AWEND_TEST_DEVICE"},
      {"config", 0, "FILE", "", "settings"},
  };
  const ToolDescription tool = {
      .name = "thing", .purpose = "Do.", .usage = kUsage, .options = rows};
  const Scratch scratch;
  const std::string path = scratch.write("config", "device = file\n");
  const auto device = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {"thing", "--config", path.c_str()});
    const auto count = static_cast<int>(arguments.size());
    return Options::parse(tool, count, arguments.data()).text("device");
  };
  ::unsetenv("AWEND_TEST_DEVICE");
  CHECK(device({}) == "file");
  ::setenv("AWEND_TEST_DEVICE", "environment", 1);
  CHECK(device({}) == "environment");
  CHECK(device({"--device", "option"}) == "option");
  ::setenv("AWEND_TEST_DEVICE", "", 1);
  CHECK(device({}) == "file");
  ::unsetenv("AWEND_TEST_DEVICE");
}

TEST_CASE("other programs' spellings are accepted, or lead to the option") {
  constexpr Option rows[] = {
      {"systems", 'i', "FILE...", "", "systems"},
      {"metric", 'm', "LIST", "bleu", "metrics"},
      {"lowercase", 'l', "", "", "lower case"},
      {.name = "seed", .metavar = "N", .default_value = "1", .environment = "AWEND_TEST_SEED"},
  };
  constexpr Alias aliases[] = {{"input", "systems"},
                               {"metrics", "metric", "LIST..."},
                               {"lower", "lowercase"},
                               {"-lc", "lowercase"}};
  const ToolDescription tool = {.name = "thing",
                                .purpose = "Do.",
                                .usage = kUsage,
                                .options = rows,
                                .operands = "FILE",
                                .aliases = aliases};
  const auto parsed = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "thing");
    return Options::parse(tool, static_cast<int>(arguments.size()), arguments.data());
  };
  ::unsetenv("AWEND_TEST_SEED");
  const Options options =
      parsed({"--input", "a", "b", "--metrics", "x", "y", "--lower", "-i", "c", "--", "-lc"});
  CHECK(options.each("systems") == std::vector<std::string>{"a", "b", "c"});
  CHECK(options.list("metric") == std::vector<std::string>{"x", "y"});
  CHECK(options.flag("lowercase"));
  CHECK(options.operands() == std::vector<std::string>{"-lc"});
  CHECK(message_of([&] { parsed({"-lc"}); }) ==
        "unknown option '-lc', did you mean '--lowercase'?");
  const std::string help = help_text(tool);
  CHECK(help.find("systems; also --input\n") != std::string::npos);
  CHECK(help.find("metrics; also --metrics LIST... (default: bleu)\n") != std::string::npos);
  CHECK(help.find("-lc") == std::string::npos);

  CHECK(parsed({"--seed", "2"}).has_been_typed("seed"));
  ::setenv("AWEND_TEST_SEED", "3", 1);
  CHECK(parsed({}).has("seed"));
  CHECK_FALSE(parsed({}).has_been_typed("seed"));
  CHECK(parsed({"--seed", "2"}).has_been_typed("seed"));
  ::setenv("AWEND_TEST_SEED", "x", 1);
  CHECK(message_of([&] { (void)parsed({}).integer("seed"); }) ==
        "environment variable AWEND_TEST_SEED: 'x' is not an integer");
  CHECK(message_of([&] {
          (void)parsed({"--seed", "y"}).integer("seed");
        }) == "option '--seed': 'y' is not an integer");
  ::unsetenv("AWEND_TEST_SEED");
}

TEST_CASE("the help fits 80 columns and tells of every option") {
  const std::string help = help_text(kTool);
  CHECK(help.starts_with(
      "Usage: thing [option...] FILE...\n       thing -d FILE\nDo a thing.\nFILE is read.\n"));
  CHECK(help.find("\nThings:\n  -s, --size N                a number (default: 37000)\n") !=
        std::string::npos);
  CHECK(help.find("METAVARIABLE\n                              its text begins") !=
        std::string::npos);
  CHECK(help.find("  -V, --version  ") != std::string::npos);
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = help.find('\n', begin);
    CHECK(end - begin < 80);
    begin = end + 1;
  }
}

}  // namespace
