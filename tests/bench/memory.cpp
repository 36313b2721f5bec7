// Memory-bound kernels: the bytes that they must move per second, compared with memcpy by the same
// number of threads.
//
// A byte is counted for each read or write that every implementation needs; additional reads of
// these kernels are not counted.  memcpy moves the same number of bytes: half read, half written.
#include <algorithm>
#include <cstring>
#include <thread>

#include "base/random.hpp"
#include "batch/packed_batch.hpp"
#include "model/sinusoids.hpp"
#include "nn/column_sum.hpp"
#include "tests/bench/stage.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kVocabulary = 8000;
constexpr std::uint32_t kSentence = 16;
constexpr double kDropout = 0.1;

/// Threads that copy one buffer to another, each its own part.
class Copy {
 public:
  Copy(std::uint64_t moved_bytes, unsigned threads)
      : threads_(threads), from_(moved_bytes / 2, 'a'), to_(moved_bytes / 2, 'b') {}

  double seconds() {
    // Threads are made once a sample, so a sample has many copies.
    const auto copies = static_cast<int>(std::max(2.0, 50e6 / static_cast<double>(to_.size())));
    const std::size_t part = to_.size() / threads_;
    return seconds_of([&] {
             std::vector<std::jthread> workers;
             for (unsigned worker = 0; worker < threads_; ++worker) {
               workers.emplace_back([this, copies, part, begin = worker * part] {
                 for (int i = 0; i < copies; ++i)
                   std::memcpy(to_.data() + begin, from_.data() + begin, part);
               });
             }
           }) /
           copies;
  }

 private:
  unsigned threads_;
  std::vector<char> from_, to_;
};

/// Some kernels of a program, and what they must move.
struct Part {
  std::string_view name;
  std::vector<std::string_view> kernels;
  std::uint64_t bytes;
};

struct Size {
  std::uint32_t rows;
  std::uint32_t width;
  std::uint64_t bytes() const { return std::uint64_t{rows} * width * 4; }
};

using Build = std::function<void(Stage&, Size)>;

/// Builds one program and measures each of its parts.
void measure(const Bench& bench, Size size, const std::vector<Part>& parts, const Build& build) {
  const auto name_of = [&](const Part& part) {
    return base::concat(part.name, " ", size.rows, " x ", size.width);
  };
  const auto wanted = [&](const Part& part) { return bench.report.wants(name_of(part)); };
  if (std::none_of(parts.begin(), parts.end(), wanted)) return;
  Numbers numbers(bench.engine, size.bytes());  // four tensors; no operation here reads as many
  Stage stage(bench.engine, numbers);
  build(stage, size);
  stage.compile();
  stage.program.replay();
  for (const auto& part : parts) {
    if (!wanted(part)) continue;
    Copy copy(part.bytes, bench.threads);
    const auto device = [&] {
      stage.program.replay();
      return std::vector{kernel_seconds(stage.program, [&](std::string_view kernel) {
        return std::ranges::find(part.kernels, kernel) != part.kernels.end();
      })};
    };
    const Measurement measurements[] = {device, [&] { return std::vector{copy.seconds()}; }};
    const auto figures = measure_in_turn(measurements, bench.seconds);
    const double ours = figures[0].median, copying = figures[1].median;
    const double giga = static_cast<double>(part.bytes) / 1e9;
    bench.report.row(name_of(part), {ours * 1e6, giga / ours, giga / copying, copying / ours});
  }
}

void layer_norm(Stage& stage, Size size) {
  const auto gain = stage.parameter(1, size.width);
  const auto bias = stage.parameter(1, size.width);
  stage.allocate();
  stage.differentiate(nn::layer_norm(stage.graph, stage.noise(size.rows, size.width), gain, bias));
}

void residual(Stage& stage, Size size) {
  const auto x = stage.noise(size.rows, size.width);
  const auto a = stage.noise(size.rows, size.width);
  stage.differentiate(nn::residual(stage.graph, x, a, kDropout));
}

void column_sums(Stage& stage, Size size) {
  const auto bias = stage.parameter(1, size.width);
  stage.allocate();
  nn::add_column_sums(stage.program, stage.noise(size.rows, size.width),
                      stage.graph.parameter_gradient(bias));
}

std::vector<std::uint32_t> random_ids(std::uint32_t count) {
  base::Random random(1);
  std::vector<std::uint32_t> ids(count);
  for (auto& id : ids) id = random.below(kVocabulary);
  return ids;
}

nn::Segments segments(Stage& stage, const batch::RowsByKey& rows) {
  const auto keys = stage.given(1, rows.keys);
  return {keys.rows, keys, stage.given(1, rows.begins), stage.given(1, rows.rows)};
}

void embedding(Stage& stage, Size size) {
  const auto table = stage.parameter(kVocabulary, size.width);
  stage.allocate();
  const auto ids = random_ids(size.rows);
  std::vector<std::uint32_t> places(size.rows);
  for (std::uint32_t row = 0; row < size.rows; ++row) places[row] = row % kSentence;
  const nn::EmbeddingInputs inputs = {.ids = stage.given(1, ids),
                                      .positions = stage.given(1, places),
                                      .by_id = segments(stage, batch::rows_by_key(ids)),
                                      .by_position = std::nullopt};
  const auto sinusoids =
      stage.program.constant(size.width, model::sinusoids(kSentence, size.width));
  stage.differentiate(
      nn::embedding(stage.graph, inputs, table, {sinusoids, std::nullopt}, kDropout));
}

/// `size` is that of the logits.
void loss(Stage& stage, Size size) {
  constexpr std::uint32_t narrow = 64;  // only the kernel between the products is timed
  const auto table = stage.parameter(size.width, narrow);
  stage.allocate();
  nn::ChunkedLoss loss(stage.graph, stage.noise(size.rows, narrow), table,
                       {.targets = stage.given(1, random_ids(size.rows)),
                        .vocabulary = size.width,
                        .label_smoothing = 0.1,
                        .chunk_rows = size.rows});
  loss.set_rows(size.rows);
}

/// `size` is that of all parameters together.
void adam(Stage& stage, Size size) {
  stage.parameter(size.rows, size.width);
  stage.allocate();
  nn::adam(stage.graph, stage.parameters, {});
}

}  // namespace

void memory(const Bench& bench) {
  bench.report.section("memory", "bytes that must be moved, in GB/s; memcpy moves as many",
                       {{"us", "microseconds", 0},
                        {"GB/s", "gigabytes_per_second", 2},
                        {"memcpy", "memcpy_gigabytes_per_second", 2},
                        {"ratio", "ratio", 2}});
  for (const Size size : {Size{2048, 256}, Size{8192, 512}}) {
    const auto tensor = size.bytes();
    const auto distinct = batch::rows_by_key(random_ids(size.rows)).keys.size();
    measure(bench, size,
            {{"layer norm", {"layer_norm"}, 2 * tensor},
             {"layer norm backward",
              {"layer_norm_backward", "column_sum_norm", "column_sum_final"},
              3 * tensor}},
            layer_norm);
    measure(bench, size,
            {{"residual, dropout", {"residual"}, 3 * tensor},
             {"residual, dropout backward", {"residual_backward"}, 3 * tensor}},
            residual);
    measure(
        bench, size,
        {{"embedding", {"embedding"}, 2 * tensor},
         {"embedding backward", {"embedding_backward"}, tensor + 2 * distinct * size.width * 4}},
        embedding);
    measure(bench, size, {{"column sums", {"column_sum", "column_sum_final"}, tensor}},
            column_sums);
  }
  const Size logits = {1024, kVocabulary};
  measure(bench, logits, {{"loss and gradient", {"loss"}, 2 * logits.bytes()}}, loss);
  // The gradient is read twice, since its norm comes first.
  const Size numbers = {8192, 1024};
  measure(bench, numbers,
          {{"norm and Adam", {"square_sum", "row_sum", "adam"}, 9 * numbers.bytes()}}, adam);
}

}  // namespace awend::bench
