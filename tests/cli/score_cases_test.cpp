// score against sacreBLEU's own command lines: each case is put into our options, and what is
// printed must be the same but for the version, and for the words below a table of a paired test,
// which are awend's.
//
// Intended differences are in `translated`.
#include <sys/wait.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/metrics/scoring.hpp"

namespace {

using awend::tests::as_awend;
using awend::tests::Strings;

struct Command {
  Strings options;
  Strings systems;
  Strings references;
  std::string environment;
  bool json = true;  // the default format of sacreBLEU
};

// Long names are sacreBLEU's own, which are aliases here.
const std::map<std::string, std::string> kRenamed = {
    {"-w", "--width"},
    {"-b", "--score-only"},
    {"-sh", "--short"},
    {"-sl", "--sentence-level"},
    {"-lc", "--lowercase"},
    {"-l", "--language-pair"},
    {"-s", "--smooth-method"},
    {"-sv", "--smooth-value"},
    {"-q", "--quiet"},
    {"-cw", "--chrf-word-order"},
    {"-cc", "--chrf-char-order"},
};

bool takes_value(const std::string& option) {
  static const Strings kSwitches = {"-b",
                                    "-sh",
                                    "-sl",
                                    "-lc",
                                    "-q",
                                    "--force",
                                    "--confidence",
                                    "--paired-bs",
                                    "--paired-ar",
                                    "--chrf-lowercase",
                                    "--chrf-whitespace",
                                    "--chrf-eps-smoothing",
                                    "--ter-normalized",
                                    "--ter-no-punct",
                                    "--ter-case-sensitive",
                                    "--ter-asian-support"};
  return std::ranges::find(kSwitches, option) == kSwitches.end();
}

// The case in our options; nothing where it asks for what score does not have.
std::optional<Command> translated(const nlohmann::json& line) {
  Command command;
  const auto arguments = line["argv"].get<Strings>();
  const auto environment = line["env"].get<std::map<std::string, std::string>>();
  if (arguments == Strings{"--version"}) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = arguments[i];
    const auto words = [&](Strings& into) {
      while (i + 1 < arguments.size() && arguments[i + 1].front() != '-')
        into.push_back(arguments[++i]);
    };
    if (argument == "-i") {
      words(command.systems);
    } else if (argument == "-f") {
      command.json = false;
      command.options.push_back("--format=" + arguments[++i]);
    } else if (argument == "-m") {
      Strings metrics;
      words(metrics);
      command.options.push_back("--metrics");
      command.options.insert(command.options.end(), metrics.begin(), metrics.end());
    } else if (argument.front() == '-') {
      const auto renamed = kRenamed.find(argument);
      command.options.push_back(renamed == kRenamed.end() ? argument : renamed->second);
      if (takes_value(argument)) command.options.back() += "=" + arguments[++i];
    } else {
      command.references.push_back(argument);
    }
  }
  for (const auto& [name, value] : environment) command.environment += name + "=" + value + " ";
  command.json = command.json && !environment.contains("SACREBLEU_FORMAT");
  if (line["stdin"] == "sys.tsv") command.options.push_back("--systems-in-tsv=2");
  return command;
}

std::string quoted(const std::string& word) {
  return " '" + word + "'";
}

std::string shell_line(const Command& command, const nlohmann::json& line) {
  auto text = command.environment + (command.json ? "SACREBLEU_FORMAT=JSON " : "") +
              awend::tests::program("score");
  for (const auto& option : command.options) text += quoted(option);
  // One system may come on stdin or as a file.
  if (command.systems.size() > 1) {
    text += " --input";
    for (const auto& system : command.systems) text += quoted(system);
  }
  text += " --";
  for (const auto& reference : command.references) text += quoted(reference);
  if (command.systems.size() == 1) text += " <" + quoted(command.systems.front());
  if (line["stdin"].is_string()) text += " <" + quoted(line["stdin"].get<std::string>());
  return text;
}

struct Outcome {
  int status;
  std::string out, err;
};

Outcome run(const std::string& command, const std::string& directory) {
  const awend::tests::Scratch scratch;
  const auto whole = "cd '" + directory + "' && " + command + " >'" + scratch.path("out") +
                     "' 2>'" + scratch.path("err") + "'";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          awend::tests::Scratch::read(scratch.path("out")),
          awend::tests::Scratch::read(scratch.path("err"))};
}

// The text below a table differs from sacreBLEU's.
std::string without_explanation(const std::string& text) {
  const auto title = text.find("\n---", text.find("\n\n"));
  const auto signatures = text.find("-----------------\nMetric signatures");
  if (text.find("Paired ") == std::string::npos || signatures == std::string::npos) return text;
  return text.substr(0, title) + text.substr(signatures);
}

// Statuses that differ: a missing operand is a mistake of usage here, and awend has no status 17.
int wanted_status(const nlohmann::json& line) {
  if (line["id"] == "no-ref") return 2;
  return line["exit"] == 17 ? 1 : line["exit"].get<int>();
}

TEST_CASE("command lines print what sacreBLEU prints, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("sacrebleu/cli/cases.jsonl");
  if (!path) return;
  const auto directory = path->substr(0, path->rfind('/')) + "/files";
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const auto command = translated(line);
    if (!command) continue;
    const auto text = shell_line(*command, line);
    const auto outcome = run(text, directory);
    ++seen;
    INFO(line["id"] << ": " << text << "\n" << outcome.err);
    CHECK(outcome.status == wanted_status(line));
    CHECK(without_explanation(outcome.out) ==
          without_explanation(as_awend(line["stdout"].get<std::string>())));
    // What goes wrong is said in one line.
    if (outcome.status != 0) CHECK(std::ranges::count(outcome.err, '\n') == 1);
  }
  CHECK(seen == 81);
}

}  // namespace
