// awend-bench: measures a device and compares it with other software on the same machine.
//
// Run manually (see CONTRIBUTING.md); results are recorded in RESULTS.md.  Tests do not use them.
#include <cmath>
#include <cstdlib>

#include "base/machine.hpp"
#include "nn/matrix_check.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/blas.hpp"
#include "tools/device_option.hpp"
#include "tools/precision_option.hpp"
#include "tools/run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[--filter TEXT] [--quick] [--json FILE]"};

constexpr cli::Option kOptions[] = {
    {"filter", 'f', "TEXT", "", "only rows whose name (section/row) contains TEXT"},
    {"quick", 0, "", "", "measure fewer shapes of matrix products"},
    {"seconds", 's', "S", "0.5", "time per row in seconds"},
    {"json", 0, "FILE", "", "also write the results as JSON; '-' is stdout, without the tables"},
    kDeviceOption,
    kPrecisionOption,
    {"once", 0, "", "",
     "only build and run the programs of a small model once, as section start does"},
    {.help = "Model of sections step and decode"},
    {"preset", 'p', "NAME", "",
     "preset of train, such as rnn-small, in section step; instead of the next four options"},
    {"d-model", 0, "N", "256", "model dimension"},
    {"d-ff", 0, "N", "1024", "inner dimension of the feed-forward layers"},
    {"heads", 0, "N", "4", "number of attention heads"},
    {"layers", 0, "N", "3", "number of encoder layers and of decoder layers"},
    {"vocabulary", 0, "N", "8000", "vocabulary size"},
    {"sentences", 0, "N", "64", "number of sentences in the batch"},
    {"length", 0, "N", "16", "number of tokens per sentence, source and target"},
};

constexpr cli::ToolDescription kTool = {
    .name = "awend-bench",
    .purpose = "Measure the kernels, launches, startup, training step and beam search of a device.",
    .usage = kUsage,
    .options = kOptions,
};

/// The number of threads that lavapipe uses.
unsigned thread_count() {
  const char* wanted = std::getenv("LP_NUM_THREADS");
  const int number = wanted == nullptr ? 0 : std::atoi(wanted);
  return number > 0 ? static_cast<unsigned>(number) : base::processor_share();
}

/// The load average of the last minute.  Above `threads`, results are unreliable.
std::string load() {
  double minute = 0;
  return getloadavg(&minute, 1) == 1 ? base::concat(std::lround(minute * 10) / 10.0) : "unknown";
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  if (options.flag("once")) return bench::start_once(options.text("device"));
  const double seconds = options.real("seconds", {.min = 0, .max = 3600});
  const unsigned threads = thread_count();
  const bench::BlasProcess blas(threads);
  nn::Engine engine({.requested = options.text("device"), .threads = threads});
  bench::Report report(options.text("json"), options.text("filter"));
  report.fact("device", engine.description());
  const nn::Element precision = precision_of(options);
  report.fact("precision", std::string(nn::name_of(precision)));
  const auto check = nn::check_matrix_units(engine, precision);
  for (const auto& message : {check.warning, check.note}) {
    if (!message.empty()) report.fact("check", message);
  }
  report.fact("threads", base::concat(threads));
  report.fact("load", load());
  report.fact("openblas", blas.name().empty() ? "none" : blas.name());
  const bench::Bench parts = {engine, blas, options, report, seconds, threads, precision};
  for (const auto section :
       {bench::matmul, bench::host, bench::memory, bench::attention, bench::dispatch, bench::start,
        bench::step, bench::decode, bench::table1}) {
    section(parts);
  }
  report.commit();
}

}  // namespace awend::tools
