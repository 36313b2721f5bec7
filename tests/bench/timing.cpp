#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "tests/bench/stage.hpp"

namespace awend::bench {
namespace {

/// A sample lasts this long where it can: a replay's own fifty microseconds are then below 1 %.
constexpr double kSampleSeconds = 5e-3;
constexpr std::size_t kFewestSamples = 5;
constexpr std::uint32_t kMaxRepetitions = 1024;
constexpr std::uint64_t kFillBytes = std::uint64_t{1} << 22;

std::uint32_t repetitions_for(double seconds_of_one) {
  const double wanted = std::ceil(kSampleSeconds / std::max(seconds_of_one, 1e-9));
  return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, double{kMaxRepetitions}));
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return kUnknown;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Figure> measure_in_turn(std::span<const Measurement> measurements, double seconds) {
  std::vector<std::vector<double>> samples;  // by figure
  double spent = 0;
  for (std::size_t round = 0; round < kFewestSamples || spent < seconds; ++round) {
    spent += seconds_of([&] {
      std::size_t figure = 0;
      for (const auto& measure : measurements) {
        for (const double value : measure()) {
          if (figure == samples.size()) samples.emplace_back();
          samples[figure++].push_back(value);
        }
      }
    });
  }
  std::vector<Figure> figures;
  for (const auto& values : samples)
    figures.push_back({.median = median(values), .min = *std::ranges::min_element(values)});
  return figures;
}

double seconds_of_one(const std::function<void()>& work) {
  std::uint32_t calls = 0;
  double spent = 0;
  while (spent < kSampleSeconds) {
    spent += seconds_of(work);
    ++calls;
  }
  return spent / calls;
}

double kernel_seconds(const nn::Program& program,
                      const std::function<bool(std::string_view)>& counts) {
  double sum = 0;
  bool found = false;
  for (const auto& timed : program.timings()) {
    if (!counts(timed.kernel)) continue;
    sum += timed.nanoseconds * 1e-9;
    found = true;
  }
  return found ? sum : kUnknown;
}

Repeated::Repeated(nn::Engine& engine, const std::function<void(nn::Program&)>& append) {
  // Kernels are made and memory is touched by the first replay; the second says how many fit.
  for (int attempt = 0; attempt < 2; ++attempt) {
    program_ = std::make_unique<nn::Program>(engine);
    for (std::uint32_t i = 0; i < repetitions_; ++i) append(*program_);
    program_->compile();
    program_->replay();
    if (attempt == 0) repetitions_ = repetitions_for(seconds());
    if (repetitions_ == 1) break;
  }
}

double Repeated::seconds() const {
  return seconds_of([this] { program_->replay(); }) / repetitions_;
}

Numbers::Numbers(nn::Engine& engine, std::uint64_t floats)
    : alignment_(std::max<std::uint64_t>(engine.limits().storage_alignment, 64)),
      memory_(engine, vulkan::MemoryKind::kDevice, (floats * 4 + 63) / 64 * 64) {
  const nn::Memory upload(engine, vulkan::MemoryKind::kUpload, kFillBytes);
  const auto from = upload.range(0, kFillBytes);
  base::Random random(1);
  for (float& number : from.view<float>()) number = 2 * random.uniform() - 1;
  nn::Transfer fill(engine);
  const std::uint64_t size = memory_.size_bytes();
  for (std::uint64_t at = 0; at < size; at += kFillBytes) {
    const std::uint64_t part = std::min(kFillBytes, size - at);
    fill.copy(from.part(0, part), memory_.range(at, part));
  }
  fill.run();
}

nn::Tensor Numbers::take(nn::Program& program, std::uint32_t rows, std::uint32_t columns,
                         nn::Element element) {
  const std::uint64_t size = std::uint64_t{rows} * columns * nn::size_bytes(element);
  const std::uint64_t at = next_bytes_;
  next_bytes_ = (at + size + alignment_ - 1) / alignment_ * alignment_;
  return program.external(memory_.range(at, size), program.fixed(rows), columns, element);
}

}  // namespace awend::bench
