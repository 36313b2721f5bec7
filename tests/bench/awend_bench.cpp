// awend-bench: how fast this device computes, beside what else the machine could do.
//
// Run by hand (CONTRIBUTING.md says how); figures are kept in RESULTS.md.  No test looks at them.
#include <cmath>
#include <cstdlib>
#include <thread>

#include "nn/matrix_check.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/blas.hpp"
#include "tools/device_option.hpp"
#include "tools/precision_option.hpp"
#include "tools/run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[--filter TEXT] [--quick] [--json FILE]"};

constexpr base::Option kOptions[] = {
    {"filter", 'f', "TEXT", "", "only rows whose name, section/row, holds TEXT"},
    {"quick", 0, "", "", "fewer shapes of matrix products"},
    {"seconds", 's', "S", "0.5", "time to spend on each row"},
    {"json", 0, "FILE", "", "write the figures as JSON too; '-' is stdout, without the tables"},
    kDeviceOption,
    kPrecisionOption,
    {"once", 0, "", "", "only make and run a small model's programs once, as section start does"},
    {.help = "The model of sections step and decode"},
    {"d-model", 0, "N", "256", "size of the layers"},
    {"d-ff", 0, "N", "1024", "inner size of the feed-forward networks"},
    {"heads", 0, "N", "4", "attention heads"},
    {"layers", 0, "N", "3", "layers of the encoder, and of the decoder"},
    {"vocabulary", 0, "N", "8000", "size of the vocabulary"},
    {"sentences", 0, "N", "64", "sentences in the batch"},
    {"length", 0, "N", "16", "tokens of each sentence, source and target"},
};

constexpr base::ToolDescription kTool = {
    .name = "awend-bench",
    .purpose = "Measure kernels, launches, start, training step and beam search of a device.",
    .usage = kUsage,
    .options = kOptions,
};

/// As many as lavapipe has.
unsigned thread_count() {
  const char* wanted = std::getenv("LP_NUM_THREADS");
  const int number = wanted == nullptr ? 0 : std::atoi(wanted);
  return number > 0 ? static_cast<unsigned>(number)
                    : std::max(1u, std::thread::hardware_concurrency());
}

/// How many processes wanted a core in the last minute: above `threads`, figures suffer.
std::string load() {
  double minute = 0;
  return getloadavg(&minute, 1) == 1 ? base::concat(std::lround(minute * 10) / 10.0) : "unknown";
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  if (options.flag("once")) return bench::start_once(options.text("device"));
  const double seconds = options.real("seconds", {.min = 0, .max = 3600});
  const unsigned threads = thread_count();
  const bench::BlasProcess blas(threads);
  nn::Engine engine(options.text("device"));
  bench::Report report(options.text("json"), options.text("filter"));
  report.fact("device", engine.device.info().name);
  report.fact("driver", engine.device.info().driver);
  const nn::Element precision = precision_of(options);
  report.fact("precision", std::string(nn::name_of(precision)));
  const auto distrust = nn::check_matrix_units(engine, precision);
  if (!distrust.empty()) report.note(distrust);
  report.fact("threads", base::concat(threads));
  report.fact("load", load());
  report.fact("openblas", blas.name().empty() ? "none" : blas.name());
  const bench::Bench parts = {engine, blas, options, report, seconds, threads, precision};
  for (const auto section : {bench::matmul, bench::memory, bench::attention, bench::dispatch,
                             bench::start, bench::step, bench::decode, bench::table1}) {
    section(parts);
  }
  report.commit();
}

}  // namespace awend::tools
