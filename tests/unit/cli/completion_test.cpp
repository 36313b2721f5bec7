#include "cli/completion.hpp"

#include "tests/catch.hpp"

namespace {

using namespace awend::cli;
namespace base = awend::base;

constexpr std::string_view kKinds[] = {"red", "blue"};
constexpr Option kOptions[] = {
    {.help = "Things"},
    {"kind", 'k', "NAME", "red", "red or [blue]: the devil's \\", "", base::texts_of<kKinds>},
    {"model", 0, "FILE", "", "a file"},
    {"directory", 'o', "DIR", "", "a directory"},
    {"seed", 0, "N", "1", "a number"},
    {"fast", 0, "", "", "a switch"},
};
constexpr ToolDescription kTool = {
    .name = "awend-thing", .purpose = "Do it.", .usage = {}, .options = kOptions};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("bash is told values by what they are") {
  const auto script = completion_script(kTool, "bash");
  CHECK(has(script,
            "local options='--kind --model --directory --seed --fast --quiet --verbose "
            "--help --version'\n"));
  CHECK(has(script,
            "    -k | --kind) compopt +o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen "
            "-W 'red blue' -- "));
  CHECK(has(script, "    --model) mapfile -t COMPREPLY < <(compgen -f -- "));
  CHECK(has(script, "    -o | --directory) mapfile -t COMPREPLY < <(compgen -d -- "));
  CHECK(has(script, "    --seed) return ;;\n"));
  CHECK_FALSE(has(script, "--fast)"));
  CHECK(has(script, "\ncomplete -o filenames -F _awend_awend-thing awend-thing\n"));
}

TEST_CASE("zsh is told values and help, with what it would read as syntax escaped") {
  const auto script = completion_script(kTool, "zsh");
  CHECK(script.starts_with("#compdef awend-thing\n"));
  const std::string help = R"([red or \[blue\]\: the devil'\''s \\]:NAME:(red blue)')";
  CHECK(has(script, "  '*--kind=" + help + " \\\n  '*-k+" + help + " \\\n"));
  CHECK(has(script, "  '*--directory=[a directory]:DIR:_files -/'"));
  CHECK(has(script, "  '*--seed=[a number]:N: '"));
  CHECK(has(script, "  '*--fast[a switch]' \\\n"));
}

TEST_CASE("fish is told values and help") {
  const auto script = completion_script(kTool, "fish");
  CHECK(has(script,
            "complete -c awend-thing -s k -l kind -x -a 'red blue' -d "
            R"('red or [blue]: the devil\'s \\')"
            "\n"));
  CHECK(has(script, "complete -c awend-thing -l model -r -F -d 'a file'\n"));
  CHECK(has(script, "complete -c awend-thing -l seed -x -d 'a number'\n"));
  CHECK(has(script, "complete -c awend-thing -l fast -d 'a switch'\n"));
}

TEST_CASE("there is no completion for another shell") {
  CHECK_THROWS_AS(completion_script(kTool, "csh"), base::UsageError);
}

}  // namespace
