// compile-kernels: compiles all kernels of training and of beam search for a device that need not
// be there, and prints what the compiler reports.  Fails if a kernel spills registers.
//
// Run by tests/compilers/radv.sh as a test, and by tests/gpu_compilers.sh manually.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "decode/capacity.hpp"
#include "forward/pass.hpp"
#include "model/architectures.hpp"
#include "nn/gpu.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "tests/compilers/absent_hardware.hpp"
#include "tests/compilers/compiled_kernels.hpp"
#include "tools/device_option.hpp"
#include "tools/precision_option.hpp"
#include "tools/run_tool.hpp"
#include "train/recipe.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[--precision TYPE] [--texts DIRECTORY]"};

constexpr cli::Option kOptions[] = {
    kDeviceOption,
    kPrecisionOption,
    {"preset", 'p', "NAME", "base", "preset of train whose model is compiled"},
    {"texts", 0, "DIRECTORY", "", "write the assembly and other texts of each kernel to files"},
    {"all", 0, "", "", "print all numbers of the driver, one per line, instead of the table"},
};

constexpr cli::ToolDescription kTool = {
    .name = "compile-kernels",
    .purpose = "Compile all kernels of a model and print what the compiler reports.",
    .usage = kUsage,
    .options = kOptions,
};

// A large batch and a small one, because tiles depend on it.
constexpr std::uint32_t kBatchTokens[] = {4096, 512};
constexpr std::uint32_t kLongestPiece = 64;
constexpr std::uint32_t kVocabulary = 37000;
constexpr double kAttentionDropout = 0.1;  // needs the most registers

/// Compiles forward, backward and Adam; they are planned but not recorded.
void compile_training(nn::Engine& engine, const model::Config& config,
                      const train::Recipe& recipe) {
  nn::Parameters parameters;
  const auto model = model::make_model(config, parameters);
  parameters.allocate(engine, nn::Use::kTraining, recipe.precision);
  const auto guided =
      model->guides_alignment() ? std::optional(recipe.guided_alignment) : std::nullopt;
  for (const std::uint32_t tokens : kBatchTokens) {
    forward::Pass pass(engine, {&parameters, model.get()},
                       {.rows = tokens, .mode = nn::Mode::kTraining, .guided_alignment = guided});
    pass.plan();
  }
  nn::Program program(engine);
  nn::Graph graph(program, parameters, nn::Mode::kTraining);
  nn::adam(graph, parameters, recipe.adam);
  program.plan();
}

void compile_search(nn::Engine& engine, const model::Config& config, nn::Element precision) {
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(engine, nn::Use::kInference, precision);
  const auto ensemble = decode::single_model({&parameters, seq2seq.get()});
  for (const std::uint32_t tokens : {kBatchTokens[0], 32u}) {
    const decode::SearchSettings search;
    const decode::DeviceStepModel steps(
        engine, ensemble,
        decode::capacity_for(engine, ensemble, search,
                             {.batch_tokens = tokens, .longest_piece = kLongestPiece}));
  }
}

std::string title(const vulkan::KernelKey& key) {
  std::string text = key.name;
  for (const std::uint32_t constant : key.constants) text += base::concat(" ", constant);
  return text;
}

void write_texts(const std::filesystem::path& directory, const vulkan::KernelKey& key,
                 const tests::CompiledKernel& kernel) {
  std::filesystem::create_directories(directory);
  for (const auto& [name, text] : kernel.texts) {
    std::string file = title(key) + "." + name;
    std::ranges::replace(file, ' ', '_');
    std::ranges::replace(file, '/', '_');
    std::ofstream(directory / file) << text;
  }
}

constexpr std::string_view kHeading =
    "lanes\tregisters\tspills\tscratch\tshared\toccupancy\tinstructions\tkernel\n";

void print_row(const vulkan::KernelKey& key, std::uint32_t lanes, const tests::Summary& it) {
  std::cout << lanes << '\t' << it.registers << '\t' << it.spills << '\t' << it.scratch_bytes
            << '\t' << it.shared_bytes << '\t' << it.occupancy << '\t' << it.instructions << '\t'
            << title(key) << '\n';
}

void print_all(const vulkan::KernelKey& key, const tests::CompiledKernel& kernel) {
  for (const auto& [name, value] : kernel.statistics)
    std::cout << title(key) << '\t' << name << '\t' << value << '\n';
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const std::string directory = options.text("texts");
  tests::capture_statistics(directory.empty() ? tests::Texts::kNo : tests::Texts::kYes);
  tests::replace_hardware();
  nn::Engine engine({.requested = options.text("device")});
  train::Preset preset = train::preset(options.text("preset"));
  preset.model.vocabulary = kVocabulary;
  preset.model.transformer.attention_dropout = kAttentionDropout;
  preset.model.transformer.guided_alignment_layer = preset.model.decoder_layers;
  preset.recipe.precision = precision_of(options);
  const auto begin = std::chrono::steady_clock::now();
  compile_training(engine, preset.model, preset.recipe);
  compile_search(engine, preset.model, preset.recipe.precision);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

  std::cout << "# " << engine.gpu().device.info().name << ", " << engine.gpu().device.info().driver
            << ", " << nn::name_of(preset.recipe.precision) << "\n";
  if (!options.flag("all")) std::cout << kHeading;
  std::size_t spilling = 0;
  for (const auto& [key, kernel] : engine.gpu().kernels.kernels()) {
    const auto compiled = tests::read_compiled(engine.gpu().device, kernel);
    if (!directory.empty()) write_texts(directory, key, compiled);
    const tests::Summary summary = tests::summarize(compiled.statistics);
    if (summary.spills > 0 || summary.scratch_bytes > 0) ++spilling;
    if (options.flag("all")) {
      print_all(key, compiled);
    } else {
      print_row(key, compiled.subgroup_size, summary);
    }
  }
  std::cout << "# " << engine.gpu().kernels.kernels().size() << " kernels compiled in "
            << std::llround(seconds.count() * 1000) << " ms\n";
  if (spilling > 0) base::fail(spilling, " kernels use scratch memory or spill registers");
}

}  // namespace awend::tools
