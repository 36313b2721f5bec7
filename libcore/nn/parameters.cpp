#include "nn/parameters.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/matmul/prepared_operands.hpp"

namespace awend::nn {
namespace {

// 256 bytes of 16-bit numbers: the largest alignment of offsets that a device may require.
constexpr std::uint64_t kAlignFloats = 128;
// Adam reads and writes 7 buffers of this size in one launch, which takes 47 ms at 10 GB/s.
constexpr std::uint64_t kGpuPieceFloats = std::uint64_t{1} << 24;
// The length of a piece is a count of 32 bits, and the sums of squares of pieces are rounded: with
// this number, a run resumes with the same bytes on all CPU devices.
constexpr std::uint64_t kCpuPieceFloats = std::uint64_t{1} << 25;

std::uint64_t flat_floats_of(const Parameter& parameter) {
  const std::uint64_t floats = std::uint64_t{parameter.padded_rows()} * parameter.columns;
  return base::divide_up(floats, kAlignFloats) * kAlignFloats;
}

}  // namespace

Parameters::Parameters()
    : prepared_(std::make_unique<PreparedOperands>()),
      widened_(std::make_unique<WidenedValues>()) {}
Parameters::~Parameters() = default;

Parameter Parameters::add(std::string name, std::uint32_t rows, std::uint32_t columns,
                          Initializer initializer) {
  base::check(engine_ == nullptr, "parameters are declared before memory is allocated");
  if (columns % 4 != 0 && columns != 1)
    base::fail("parameter ", name, " has ", columns, " columns; must be 1 or a multiple of 4");
  const Parameter parameter{static_cast<std::uint32_t>(entries_.size()), rows, columns};
  entries_.push_back({std::move(name), parameter, initializer, flat_floats_});
  flat_floats_ += flat_floats_of(parameter);
  return parameter;
}

Parameter Parameters::add_constant(std::string name, std::uint32_t rows, std::uint32_t columns,
                                   std::function<std::vector<float>()> values) {
  const Parameter parameter = add(std::move(name), rows, columns, Initializer::kZero);
  entries_.back().frozen = true;
  entries_.back().constant_values = std::move(values);
  return parameter;
}

void Parameters::refer(const Parameter& parameter, const StoredValues& values) {
  base::check(engine_ == nullptr, "parameters are declared before memory is allocated");
  entries_[parameter.index].stored = values;
  flat_floats_ = 0;
  for (Entry& entry : entries_) {
    entry.offset_floats = flat_floats_;
    if (!entry.stored) flat_floats_ += flat_floats_of(entry.parameter);
  }
}

void Parameters::allocate(Engine& engine, Use use, Element operands) {
  engine.require(operands);
  engine_ = &engine;
  use_ = use;
  operands_ = operands;
  if (flat_floats_ == 0) return;  // an operation by itself, without parameters
  std::vector<Buffer> buffers = {Buffer::kValues};
  if (use == Use::kTraining) {
    buffers.insert(buffers.end(), {Buffer::kGradients, Buffer::kMoment1, Buffer::kMoment2});
  }
  if (keeps_operands()) buffers.push_back(Buffer::kOperands);
  if (flat_floats_ * 4 > engine.limits().allocation_bytes) {
    const std::uint64_t limit = engine.limits().allocation_bytes;
    throw base::LimitError(
        {base::Message("a model of ", numbers(), " parameters needs buffers of ", flat_floats_ * 4,
                       " bytes, more than this device allocates at once (", limit, ")"),
         flat_floats_ * 4,
         limit,
         {std::begin(kSmallerModel), std::end(kSmallerModel)}});
  }
  memories_.resize(static_cast<std::size_t>(Buffer::kAverage) + 1);
  for (const Buffer buffer : buffers)
    memories_[static_cast<std::size_t>(buffer)] = make_memory(buffer);
}

std::unique_ptr<Memory> Parameters::make_memory(Buffer buffer) const {
  const std::uint64_t bytes = flat_floats_ * size_bytes(element_of(buffer));
  auto memory =
      std::make_unique<Memory>(*engine_, vulkan::MemoryKind::kDevice, bytes, kSmallerModel);
  if (engine_->on_processor()) {  // zero already
    memory->expect_all_used();
    return memory;
  }
  Transfer zero(*engine_);
  zero.fill(memory->range(0, bytes), 0);
  zero.run();
  return memory;
}

bool Parameters::keeps_operands() const {
  return operands_ != Element::kFloat32 && !engine_->on_processor();
}

void Parameters::keep_average() {
  memories_[static_cast<std::size_t>(Buffer::kAverage)] = make_memory(Buffer::kAverage);
  start_average();
}

bool Parameters::keeps_average() const {
  return !memories_.empty() && memories_[static_cast<std::size_t>(Buffer::kAverage)] != nullptr;
}

void Parameters::start_average() {
  const std::uint64_t bytes = flat_floats_ * 4;
  Transfer transfer(*engine_);
  transfer.copy(memory(Buffer::kValues).range(0, bytes), memory(Buffer::kAverage).range(0, bytes));
  transfer.run();
}

void Parameters::swap_average() {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
  const std::uint64_t bytes = flat_floats_ * 4;
  const Memory scratch(*engine_, vulkan::MemoryKind::kDevice, std::min(bytes, kMaxBytes));
  Transfer transfer(*engine_);
  const auto move = [&](const vulkan::Range& from, const vulkan::Range& to) {
    transfer.copy(from, to);
    transfer.barrier();
  };
  for (std::uint64_t at = 0; at < bytes; at += kMaxBytes) {
    const std::uint64_t size = std::min(kMaxBytes, bytes - at);
    const auto values = memory(Buffer::kValues).range(at, size);
    const auto average = memory(Buffer::kAverage).range(at, size);
    const auto aside = scratch.range(0, size);
    move(values, aside);
    move(average, values);
    move(aside, average);
  }
  transfer.run();
}

std::uint64_t Parameters::numbers() const {
  std::uint64_t sum = 0;
  for (const auto& entry : entries_)
    sum += std::uint64_t{entry.parameter.rows} * entry.parameter.columns;
  return sum;
}

std::uint64_t Parameters::stored_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& entry : entries_) {
    if (!entry.stored) continue;
    const auto& [index, rows, columns] = entry.parameter;
    sum += entry.stored->floats.size_bytes();
    if (entry.stored->integers) sum += std::uint64_t{rows} * (columns + sizeof(float));
  }
  return sum;
}

const Memory& Parameters::memory(Buffer buffer) const {
  const auto index = static_cast<std::size_t>(buffer);
  base::check(index < memories_.size() && memories_[index] != nullptr, "the buffer was allocated");
  return *memories_[index];
}

Element Parameters::element_of(Buffer buffer) const {
  return buffer == Buffer::kOperands ? operands_ : Element::kFloat32;
}

FlatRange Parameters::place(const Parameter& parameter) const {
  const std::size_t next = parameter.index + 1;
  return {.begin = entries_[parameter.index].offset_floats,
          .end = next < entries_.size() ? entries_[next].offset_floats : flat_floats_};
}

vulkan::Range Parameters::flat(const FlatRange& floats, Buffer buffer) const {
  const std::uint64_t width = size_bytes(element_of(buffer));
  return memory(buffer).range(floats.begin * width, floats.size() * width);
}

vulkan::Range Parameters::range(const Parameter& parameter, Buffer buffer) const {
  const auto& entry = entries_[parameter.index];
  if (entry.stored) return stored_range(parameter, *entry.stored);
  const std::uint64_t width = size_bytes(element_of(buffer));
  return memory(buffer).range(entry.offset_floats * width,
                              std::uint64_t{parameter.padded_rows()} * parameter.columns * width);
}

/// Values that are stored elsewhere, if they have the form of a parameter in memory, or a copy.
vulkan::Range Parameters::stored_range(const Parameter& parameter,
                                       const StoredValues& stored) const {
  if (stored.integers || parameter.rows != parameter.padded_rows())
    return widened_->of(*engine_, parameter.index, stored, parameter.rows, parameter.columns);
  return range_of(stored, stored.floats.size_bytes());
}

void Parameters::initialize(std::uint64_t seed, const InitialDistribution& distribution) {
  for (const Entry& entry : entries_) {
    const Parameter& it = entry.parameter;
    write(it, entry.constant_values ? entry.constant_values()
                                    : initial_values({it.rows, it.columns, it.index},
                                                     {entry.initializer, distribution}, seed));
  }
}

std::vector<float> Parameters::read(const Parameter& parameter, Buffer buffer) const {
  std::vector<float> values(std::size_t{parameter.rows} * parameter.columns);
  if (const auto& values_elsewhere = stored(parameter)) {
    widen(*values_elsewhere, values);
    return values;
  }
  const auto bytes = std::as_writable_bytes(std::span(values));
  download(*engine_, range(parameter, buffer).part(0, bytes.size()), bytes);
  return values;
}

std::vector<float> Parameters::read_rows(const Parameter& parameter,
                                         std::span<const std::uint32_t> rows) const {
  const auto& elsewhere = stored(parameter);
  const auto all = elsewhere ? std::vector<float>() : read(parameter);
  const std::size_t columns = parameter.columns;
  std::vector<float> values(rows.size() * columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    base::check(rows[i] < parameter.rows, "the parameter has the row");
    float* const to = values.data() + i * columns;
    if (elsewhere && elsewhere->integers) {
      elsewhere->integers->widen(rows[i], 0, columns, to);
    } else {
      const auto from = elsewhere ? elsewhere->floats : std::span<const float>(all);
      std::ranges::copy(from.subspan(rows[i] * columns, columns), to);
    }
  }
  return values;
}

void Parameters::write(const Parameter& parameter, std::span<const float> values, Buffer buffer) {
  base::check(!stored(parameter), "values that are stored elsewhere are not changed");
  base::check(values.size() == std::size_t{parameter.rows} * parameter.columns,
              "as many values as the parameter has");
  upload(parameter, std::as_bytes(values), buffer);
  if (buffer != Buffer::kValues || !keeps_operands()) return;
  std::vector<std::uint16_t> narrowed(values.size());
  std::transform(values.begin(), values.end(), narrowed.begin(),
                 [&](float value) { return narrow(value, operands_); });
  upload(parameter, std::as_bytes(std::span(narrowed)), Buffer::kOperands);
}

void Parameters::upload(const Parameter& parameter, std::span<const std::byte> bytes,
                        Buffer buffer) {
  ++version_;
  nn::upload(*engine_, bytes, range(parameter, buffer).part(0, bytes.size()));
}

Tensor Parameters::tensor(Program& program, const Parameter& parameter, Buffer buffer) const {
  const Tensor tensor =
      program.external(range(parameter, buffer), program.fixed(parameter.padded_rows()),
                       parameter.columns, element_of(buffer));
  program.lowered_by(tensor, kSmallerModel);
  return tensor;
}

Tensor Parameters::unpadded_tensor(Program& program, const Parameter& parameter) const {
  const auto& elsewhere = stored(parameter);
  if (!elsewhere || elsewhere->integers) return tensor(program, parameter);
  return program.external(range_of(*elsewhere, elsewhere->floats.size_bytes()),
                          program.fixed(parameter.rows), parameter.columns);
}

ParameterKinds Parameters::kind(std::size_t index) const {
  const Entry& entry = entries_[index];
  if (entry.parameter.rows == 1 || entry.parameter.columns == 1) return kVectors;
  return entry.initializer == Initializer::kGlorotUniform ? kProjections : kTables;
}

std::vector<FlatRange> Parameters::trained_runs(ParameterKinds kinds) const {
  std::vector<FlatRange> runs;
  for (const Entry& entry : entries_) {
    if (entry.frozen || (kind(entry.parameter.index) & kinds) == 0) continue;
    const FlatRange own = place(entry.parameter);
    if (!runs.empty() && runs.back().end == own.begin) {
      runs.back().end = own.end;
    } else {
      runs.push_back(own);
    }
  }
  return runs;
}

std::vector<Tensor> Parameters::pieces(Program& program, Buffer buffer,
                                       ParameterKinds kinds) const {
  const std::uint64_t max_floats =
      engine_->limits().storage_range_bytes / 4 / kAlignFloats * kAlignFloats;
  const std::uint64_t piece =
      std::min(max_floats, engine_->limits().on_cpu ? kCpuPieceFloats : kGpuPieceFloats);
  const std::uint64_t width = size_bytes(element_of(buffer));
  std::vector<Tensor> tensors;
  for (const FlatRange& run : trained_runs(kinds)) {
    for (std::uint64_t at = run.begin; at < run.end; at += piece) {
      const std::uint64_t floats = std::min(piece, run.end - at);
      tensors.push_back(program.external(memory(buffer).range(at * width, floats * width),
                                         program.fixed(static_cast<std::uint32_t>(floats)), 1,
                                         element_of(buffer)));
    }
  }
  return tensors;
}

}  // namespace awend::nn
