#include "decode/device.hpp"

#include "base/report.hpp"
#include "nn/engine_start.hpp"

namespace awend::decode {

std::unique_ptr<nn::Engine> open_device(const DeviceOptions& options, const base::Report& report) {
  auto engine = std::make_unique<nn::Engine>(
      nn::DeviceChoice{.requested = options.name, .threads = options.threads});
  nn::start(*engine, options.precision, report);
  return engine;
}

const base::Report& report_or_silent(const base::Report* report) {
  static const base::Report silent("awend", base::Verbosity::kQuiet);
  return report != nullptr ? *report : silent;
}

}  // namespace awend::decode
