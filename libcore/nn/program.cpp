#include "nn/program.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::nn {

Program::Program(Engine& engine) : engine_(engine) {}

Count Program::count(std::uint32_t capacity) {
  const auto word = static_cast<std::uint32_t>(counts_.size());
  counts_.resize(word + 2);
  capacities_.resize(word + 2, capacity);
  return {word, capacity};
}

Count Program::fixed(std::uint32_t value) {
  const Count made = count(value);
  counts_[made.word] = value;
  return made;
}

Count Program::part_of(const Count& whole, std::uint32_t first, std::uint32_t rows) {
  const Count made = count(std::min(rows, whole.capacity - std::min(first, whole.capacity)));
  part_counts_.push_back({whole.word, made.word, first});
  set(whole, counts_[whole.word], counts_[whole.word + 1]);
  return made;
}

Tensor Program::add(Placement placement, Count rows, std::uint32_t columns, Element element) {
  base::check(!planned_, "nothing is added to a planned program");
  const Tensor tensor{static_cast<std::uint32_t>(storages_.size()), rows, columns, 0, element};
  storages_.push_back({placement, tensor.capacity_bytes(), {}});
  return tensor;
}

Tensor Program::activation(Count rows, std::uint32_t columns, Element element) {
  return add(Placement::kActivation, rows, columns, element);
}
Tensor Program::input(Count rows, std::uint32_t columns) {
  return add(Placement::kInput, rows, columns, Element::kFloat32);
}
Tensor Program::output(Count rows, std::uint32_t columns) {
  return add(Placement::kOutput, rows, columns, Element::kFloat32);
}

Tensor Program::constant(std::uint32_t columns, std::vector<float> values) {
  const Tensor tensor = input(fixed(static_cast<std::uint32_t>(values.size() / columns)), columns);
  constants_.emplace_back(tensor, std::move(values));
  return tensor;
}

Tensor Program::external(const vulkan::Range& range, Count rows, std::uint32_t columns,
                         Element element) {
  const Tensor tensor = add(Placement::kExternal, rows, columns, element);
  base::check(tensor.capacity_bytes() <= range.size_bytes, "an external tensor fits its memory");
  storages_.back().range = range;
  return tensor;
}

void Program::lowered_by(const Tensor& tensor, Reducible settings) {
  storages_[tensor.id].reduce = settings;
}

void Program::launch(Launch launch) {
  base::check(!planned_, "nothing is added to a planned program");
  check_operands(launch);
  const bool is_fp32 = std::ranges::all_of(launch.operands, [](const Operand& operand) {
    return operand.tensor.element == Element::kFloat32;
  });
  if (engine_.host_threads == nullptr || !is_fp32) launch.host = nullptr;
  launches_.push_back(std::move(launch));
}

void Program::set_flops(std::size_t first, double flops) {
  const auto count = static_cast<double>(launches_.size() - first);
  for (std::size_t i = first; i < launches_.size(); ++i) launches_[i].flops = flops / count;
}

void Program::stage_inputs() {
  base::check(!planned_, "nothing is changed in a planned program");
  stages_inputs_ = !engine_.device.limits().on_cpu;
}

vulkan::Range Program::range_of(const Tensor& tensor) const {
  const auto& storage = storages_[tensor.id];
  return storage.range.part(tensor.first_row * tensor.row_bytes(), tensor.capacity_bytes());
}

Program::Layout Program::layout_of(Placement placement) const {
  constexpr auto kUnused = static_cast<std::size_t>(-1);
  std::vector<std::size_t> block_of(storages_.size(), kUnused);
  std::vector<Block> blocks;
  Layout layout;
  const auto add = [&](std::size_t id, std::uint32_t step) {
    block_of[id] = blocks.size();
    blocks.push_back({storages_[id].size_bytes, step, step});
    layout.storages.push_back(id);
  };
  if (placement == Placement::kActivation) {
    for (std::uint32_t step = 0; step < launches_.size(); ++step) {
      for (const Operand& operand : launches_[step].operands) {
        if (storages_[operand.tensor.id].placement != placement) continue;
        const std::uint32_t id = operand.tensor.id;
        if (block_of[id] == kUnused) add(id, step);
        blocks[block_of[id]].last = step;
      }
    }
  } else {  // the host uses them before and after all launches
    for (std::size_t id = 0; id < storages_.size(); ++id) {
      if (storages_[id].placement == placement) add(id, 0);
    }
  }
  const auto& limits = engine_.device.limits();
  layout.plan = plan_memory(blocks, std::max<std::uint64_t>(limits.storage_alignment, 64),
                            limits.allocation_bytes);
  return layout;
}

std::unique_ptr<vulkan::Arena> Program::allocate(const Layout& layout, vulkan::MemoryKind kind) {
  auto arena = std::make_unique<vulkan::Arena>(engine_.device, kind, layout.plan.size_bytes);
  for (std::size_t i = 0; i < layout.storages.size(); ++i) {
    auto& storage = storages_[layout.storages[i]];
    storage.range = arena->range(layout.plan.offsets[i], storage.size_bytes);
  }
  return arena;
}

std::uint64_t Program::plan() {
  if (!planned_) {
    const Count words{0, static_cast<std::uint32_t>(counts_.size())};
    counts_tensor_ = add(Placement::kInput, words, 1, Element::kFloat32);
    workgroups_tensor_ =
        add(Placement::kInput, Count{0, static_cast<std::uint32_t>(3 * launches_.size())}, 1,
            Element::kFloat32);
    planned_ = true;
    prepare_kernels();
    check_limits();
    activations_layout_ = layout_of(Placement::kActivation);
    inputs_layout_ = layout_of(Placement::kInput);
    outputs_layout_ = layout_of(Placement::kOutput);
  }
  return activations_layout_.plan.size_bytes +
         inputs_layout_.plan.size_bytes * (stages_inputs_ ? 2 : 1) +
         outputs_layout_.plan.size_bytes;
}

void Program::compile(vulkan::Timing timing) {
  plan();
  activations_ = allocate(activations_layout_, vulkan::MemoryKind::kDevice);
  inputs_ = allocate(inputs_layout_,
                     stages_inputs_ ? vulkan::MemoryKind::kDevice : vulkan::MemoryKind::kUpload);
  if (stages_inputs_) stage(inputs_layout_);
  outputs_ = allocate(outputs_layout_, vulkan::MemoryKind::kDownload);
  for (const auto& [tensor, values] : constants_)
    std::copy(values.begin(), values.end(), host<float>(tensor).begin());
  constants_.clear();
  record(timing);
}

/// The host writes to memory of its own, which a recording copies to that of the device.
void Program::stage(const Layout& layout) {
  staged_inputs_ = std::make_unique<vulkan::Arena>(engine_.device, vulkan::MemoryKind::kUpload,
                                                   layout.plan.size_bytes);
  for (std::size_t i = 0; i < layout.storages.size(); ++i) {
    auto& range = storages_[layout.storages[i]].range;
    range.host = staged_inputs_->range(layout.plan.offsets[i], range.size_bytes).host;
  }
  upload_ = std::make_unique<vulkan::Recording>(engine_.device);
  const std::uint64_t slab_bytes = engine_.device.limits().allocation_bytes;
  for (std::uint64_t at = 0; at < layout.plan.size_bytes; at += slab_bytes) {
    const std::uint64_t bytes = std::min(slab_bytes, layout.plan.size_bytes - at);
    upload_->copy(staged_inputs_->range(at, bytes), inputs_->range(at, bytes));
  }
}

void Program::prepare_kernels() {
  std::vector<vulkan::KernelKey> keys;
  for (const Launch& launch : launches_) {
    if (launch.host == nullptr) keys.emplace_back(std::string(launch.kernel), launch.constants);
  }
  engine_.kernels.prepare(std::move(keys));
}

std::vector<std::optional<std::size_t>> Program::last_writes(
    std::span<const vulkan::Range> ranges) {
  std::vector<std::optional<std::size_t>> last(ranges.size());
  for (std::size_t step = 0; step < launches_.size(); ++step) {
    for (const Operand& operand : launches_[step].operands) {
      const bool written = operand.access != OperandAccess::kRead;
      if (!written || storages_[operand.tensor.id].placement != Placement::kExternal) continue;
      const vulkan::Range touched = range_of(operand.tensor);
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (touched.overlaps(ranges[i])) last[i] = step;
      }
    }
  }
  return last;
}

class Program::Memory : public HostMemory {
 public:
  explicit Memory(const Program& program) : program_(program) {}

  std::byte* memory(const Tensor& tensor) const override {
    const vulkan::Range range = program_.range_of(tensor);
    base::check(range.host != nullptr, "host work shares the memory of the device");
    return range.host;
  }
  const std::uint32_t* count(std::uint32_t word) const override { return &program_.counts_[word]; }

 private:
  const Program& program_;
};

void Program::record(vulkan::Timing timing) {
  recording_ = std::make_unique<vulkan::Recording>(engine_.device, timing);
  parts_ = {Part{}};
  host_steps_.assign(launches_.size(), nullptr);
  for (std::size_t step = 0; step < launches_.size(); ++step) {
    const Launch& launch = launches_[step];
    if (launch.host != nullptr) {
      parts_.back().host_launches.push_back(step);
      host_steps_[step] = launch.host(Memory(*this));
    } else {
      if (!parts_.back().host_launches.empty()) end_part();
      record(launch, step);
      parts_.back().has_kernels = true;
    }
    if (cuts_.contains(step) && step + 1 < launches_.size()) {
      parts_.back().is_cut = true;
      end_part();
    }
  }
  parts_.back().is_cut = true;
  recording_->finish();
}

void Program::end_part() {
  recording_->end_part();  // includes a barrier
  hazards_.clear();
  parts_.emplace_back();
}

void Program::record(const Launch& launch, std::size_t step) {
  const auto& kernel = engine_.kernels.get(launch.kernel, launch.constants);
  std::vector<vulkan::Range> ranges = {range_of(*counts_tensor_)};
  for (const Operand& operand : launch.operands) ranges.push_back(range_of(operand.tensor));
  const auto accesses = accesses_of(kernel.reflection().bindings, ranges);
  if (std::ranges::any_of(accesses, [&](const auto& a) { return hazards_.conflicts(a); })) {
    recording_->barrier();
    hazards_.clear();
  }
  for (const Access& access : accesses) hazards_.add(access);
  std::optional<vulkan::Range> indirect;
  if (launch.x.count || launch.y.count)
    indirect = range_of(*workgroups_tensor_).part(12 * step, 12);
  recording_->dispatch({.kernel = kernel,
                        .bindings = ranges,
                        .push_constants = launch.push_constants,
                        .workgroups = {launch.x.max_groups(), launch.y.max_groups(), 1},
                        .indirect = indirect,
                        .flops = launch.flops});
}

}  // namespace awend::nn
