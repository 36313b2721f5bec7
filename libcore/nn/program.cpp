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
  launches_.push_back(std::move(launch));
}

void Program::set_flops(std::size_t first, double flops) {
  const auto count = static_cast<double>(launches_.size() - first);
  for (std::size_t i = first; i < launches_.size(); ++i) launches_[i].flops = flops / count;
}

void Program::stage_inputs() {
  base::check(!planned_, "nothing is changed in a planned program");
  stages_inputs_ = !engine_.limits().on_cpu;
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
  const auto& limits = engine_.limits();
  layout.plan = plan_memory(blocks, std::max<std::uint64_t>(limits.storage_alignment, 64),
                            limits.allocation_bytes);
  return layout;
}

std::unique_ptr<Memory> Program::allocate(const Layout& layout, vulkan::MemoryKind kind) {
  auto memory = std::make_unique<Memory>(engine_, kind, layout.plan.size_bytes);
  for (std::size_t i = 0; i < layout.storages.size(); ++i) {
    auto& storage = storages_[layout.storages[i]];
    storage.range = memory->range(layout.plan.offsets[i], storage.size_bytes);
  }
  return memory;
}

std::uint64_t Program::plan() {
  if (!planned_) {
    run_ = engine_.on_processor() ? run_on_processor(*this) : run_on_gpu(*this);
    planned_ = true;
    run_->prepare();
    check_allocations();
    activations_layout_ = layout_of(Placement::kActivation);
    inputs_layout_ = layout_of(Placement::kInput);
    outputs_layout_ = layout_of(Placement::kOutput);
  }
  return activations_layout_.plan.size_bytes +
         inputs_layout_.plan.size_bytes * (stages_inputs_ ? 2 : 1) +
         outputs_layout_.plan.size_bytes;
}

void Program::check_allocations() const {
  for (const Launch& launch : launches_) {
    for (const auto& [name, access, type, columns, tensor] : launch.operands) {
      if (is_external(tensor)) continue;
      const std::string user = base::concat(launch.kernel, ", operand ", name);
      check_allocation(engine_.limits(), {user, tensor.rows.capacity, tensor.columns,
                                          reducible(tensor), tensor.element});
    }
  }
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
  run_->record(timing);
  compiled_ = true;
}

/// The host writes to memory of its own, which is copied to that of the device.
void Program::stage(const Layout& layout) {
  staged_inputs_ =
      std::make_unique<Memory>(engine_, vulkan::MemoryKind::kUpload, layout.plan.size_bytes);
  for (std::size_t i = 0; i < layout.storages.size(); ++i) {
    auto& range = storages_[layout.storages[i]].range;
    range.host = staged_inputs_->range(layout.plan.offsets[i], range.size_bytes).host;
  }
  upload_ = std::make_unique<Transfer>(engine_);
  const std::uint64_t slab_bytes = engine_.limits().allocation_bytes;
  for (std::uint64_t at = 0; at < layout.plan.size_bytes; at += slab_bytes) {
    const std::uint64_t bytes = std::min(slab_bytes, layout.plan.size_bytes - at);
    upload_->copy(staged_inputs_->range(at, bytes), inputs_->range(at, bytes));
  }
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

void Program::set(const Count& count, std::uint32_t value, std::uint32_t first) {
  if (value > capacities_[count.word]) {
    base::fail("a batch of ", value, " rows exceeds the capacity of ", capacities_[count.word]);
  }
  counts_[count.word] = value;
  counts_[count.word + 1] = first;
  for (const auto& part : part_counts_) {
    if (part.whole != count.word) continue;
    counts_[part.part] = std::min(value - std::min(value, part.first), capacities_[part.part]);
    counts_[part.part + 1] = first + part.first;
  }
}

void Program::replay() {
  submit([](std::size_t) {});
  wait();
}

void Program::submit(const std::function<void(std::size_t)>& submitted) {
  base::check(compiled_, "compile() comes before a replay");
  run_->write_counts();
  if (stages_inputs_) {
    upload_->submit();
    is_uploading_ = true;
  }
  run_->submit(submitted);
}

void Program::wait() {
  run_->wait();
}

void Program::wait_for_inputs() {
  if (is_uploading_) upload_->wait();
  is_uploading_ = false;
}

void Program::poison() {
  constexpr std::uint32_t kNaN = 0x7fc00000;
  Transfer transfer(engine_);
  for (const auto& storage : storages_) {
    const bool computed =
        storage.placement == Placement::kActivation || storage.placement == Placement::kOutput;
    if (!computed || storage.range.size_bytes == 0) continue;
    transfer.fill(storage.range, kNaN);
    transfer.barrier();  // activations share memory
  }
  transfer.run();
}

}  // namespace awend::nn
