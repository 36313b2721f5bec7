// Files of train --config, with the settings of all architectures.
#include "model/config.hpp"

#include "base/lines.hpp"
#include "field_options.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {
namespace {

struct Table {
  tools::OptionTable fields;
  std::vector<cli::Option> rows;
  cli::ToolDescription tool;

  Table() {
    const auto model = model::config_fields();
    fields.add(model);
    fields.add(model.front().about.group, {.name = "architecture",
                                           .metavar = "NAME",
                                           .default_value = "transformer",
                                           .help = "architecture"});
    rows = fields.rows("General");
    tool = {.name = "train", .purpose = "Trains.", .usage = {}, .options = rows};
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> inputs = {
      "# a comment\n\n d-model = 64 \nheads = 4\npositions=learned\n"};
  for (const char* name : {"transformer", "rnn", "memory", "bert"})
    inputs.push_back(base::concat("architecture = ", name, "\nd-model = 8\ndropout = 0.5\n"));
  return inputs;
}

void fuzz(std::string_view input) {
  const char* const arguments[] = {"train"};
  auto options = cli::Options::parse(table().tool, 1, arguments);
  base::LineReader lines(base::InputFile("file", input));
  options.read_config(lines);
  model::Config config;
  config.architecture = options.text("architecture");
  tools::apply(options, model::config_fields(), config);
  model::require_consistent(config);
}

}  // namespace awend::tests
