// Rules about options that are given together.
#include "cli/option_rules.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::cli;
using awend::tests::message_of;
using awend::tests::Scratch;

constexpr Option kOptions[] = {
    {"size", 's', "N", "1", "a number"},
    {"decode", 'd', "", "", "a switch"},
    {"model", 'm', "FILE", "", "a file", "AWEND_TEST_MODEL"},
};
constexpr ToolDescription kTool = {
    .name = "thing", .purpose = "", .usage = {}, .options = kOptions};

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "thing");
  return Options::parse(kTool, static_cast<int>(arguments.size()), arguments.data());
}

TEST_CASE("options that exclude each other") {
  check_excludes(parse({"-s", "1"}), "size", {"decode", "model"});
  check_excludes(parse({"-d", "-m", "a"}), "size", {"decode", "model"});
  CHECK(message_of([] {
          check_excludes(parse({"-m", "a", "-s", "1"}), "size", {"decode", "model"});
        }) == "--size and --model exclude each other");
}

TEST_CASE("options that need another one") {
  check_needs(parse({"-s", "1", "-d"}), {"size"}, {"model", "decode"}, "--model or --decode");
  CHECK(message_of([] {
          check_needs(parse({"-s", "1"}), {"size"}, {"model", "decode"}, "--model or --decode");
        }) == "--size needs --model or --decode");
}

TEST_CASE("a switch that is off, and a value from the environment, are not typed") {
  const Scratch scratch;
  auto options = parse({"-s", "1"});
  awend::base::LineReader lines(scratch.write("config", "decode = false\n"));
  options.read_config(lines);
  check_excludes(options, "size", {"decode"});
  ::setenv("AWEND_TEST_MODEL", "a", 1);
  const auto with_variable = parse({"-s", "1"});
  ::unsetenv("AWEND_TEST_MODEL");
  CHECK(with_variable.text("model") == "a");
  check_excludes(with_variable, "size", {"model"});
}

}  // namespace
