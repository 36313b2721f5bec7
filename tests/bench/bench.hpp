// What the sections of awend-bench share: the device, a report that is a table and JSON, and ways
// to time.
//
// Other programs may run at the same time.  What is compared is measured alternately (device,
// other, device, …) in one run, so that both see the same neighbours; medians are told, and for
// rivals that a busy neighbour hurts differently (OpenBLAS waits in a loop, lavapipe sleeps) the
// best of each as well.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "forward/pass.hpp"
#include "nn/program.hpp"
#include "tests/bench/report.hpp"

namespace awend::bench {

/// A figure that could not be measured; the table shows "-", JSON null.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

class BlasProcess;

/// What every section is given.
struct Bench {
  nn::Engine& engine;
  const BlasProcess& blas;
  const cli::Options& options;
  Report& report;
  double seconds;    ///< To spend on each row.
  unsigned threads;  ///< Of lavapipe, and so of those it is compared with.
  nn::Element precision = nn::Element::kFloat32;  ///< Of sections matmul, step and decode.
};

// The sections, each in the file of its name.
void matmul(const Bench& bench);
void host(const Bench& bench);
void memory(const Bench& bench);
void attention(const Bench& bench);
void dispatch(const Bench& bench);
void start(const Bench& bench);
void step(const Bench& bench);
void decode(const Bench& bench);
void table1(const Bench& bench);

/// Makes and replays a small model's programs of training and decoding; the section "start" times
/// processes that do only this.
void start_once(const std::string& device);

/// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

/// One sample of some figures.
using Measurement = std::function<std::vector<double>()>;

/// Of one figure, over all samples.
struct Figure {
  double median;
  double min;
};

/// Takes samples in turn until `seconds` are gone, at least five of each.  All figures, those of
/// the first measurement first.
std::vector<Figure> measure_in_turn(std::span<const Measurement> measurements, double seconds);
double median(std::vector<double> values);

/// Seconds of one `work` if it is called until some milliseconds are full, so that the clock and
/// whatever comes before and after do not count.
double seconds_of_one(const std::function<void()>& work);

/// Launches repeated in one program until a replay takes some milliseconds.
class Repeated {
 public:
  Repeated(nn::Engine& engine, const std::function<void(nn::Program&)>& append);
  /// Of one repetition, from a replay's wall-clock time.
  double seconds() const;

 private:
  std::unique_ptr<nn::Program> program_;
  std::uint32_t repetitions_ = 1;
};

/// Memory on the device that holds numbers in (-1, 1), handed out piece by piece.  Random zeros or
/// subnormal numbers would be faster or slower to compute with than a model's.  As 16-bit numbers
/// the same bits are any numbers: units that multiply those do not mind.
class Numbers {
 public:
  Numbers(nn::Engine& engine, std::uint64_t floats);
  /// The next `rows` · `columns` numbers, in a program.
  nn::Tensor take(nn::Program& program, std::uint32_t rows, std::uint32_t columns,
                  nn::Element element = nn::Element::kFloat32);
  /// Starts again at the first.
  void rewind() { next_bytes_ = 0; }

 private:
  std::uint64_t alignment_;
  nn::Memory memory_;
  std::uint64_t next_bytes_ = 0;
};

}  // namespace awend::bench
