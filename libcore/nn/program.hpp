// A program: a list of launches over planned memory, recorded once and replayed for every step.
//
// The host writes counts (of tokens, of sentences) before a replay; launches read them when they
// run, so that one recording works for every batch up to its capacity.  The lifetime of an
// activation is from the first to the last launch that uses it.
// Test: tests/kernels/graph_test.cpp, tests/kernels/processor_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/engine.hpp"
#include "nn/launch.hpp"
#include "nn/limits.hpp"
#include "nn/memory.hpp"
#include "nn/plan.hpp"
#include "nn/run.hpp"
#include "nn/tensor.hpp"
#include "vulkan/range.hpp"
#include "vulkan/timing.hpp"

namespace awend::nn {

/// What a program is for.
enum class Mode { kTraining, kInference };
enum class Threads { kAll, kOne };

class Program {
 public:
  explicit Program(Engine& engine);

  /// A number of rows that the host sets before each replay.
  Count count(std::uint32_t capacity);
  /// A number of rows that never changes.
  Count fixed(std::uint32_t value);
  /// The rows of `whole` from `first` on, at most `rows` of them.
  Count part_of(const Count& whole, std::uint32_t first, std::uint32_t rows);

  Tensor activation(Count rows, std::uint32_t columns, Element element = Element::kFloat32);
  /// Written by the host, read by kernels.
  Tensor input(Count rows, std::uint32_t columns);
  /// An input that never changes, (values.size() / columns, columns).
  Tensor constant(std::uint32_t columns, std::vector<float> values);
  /// Written by kernels, read by the host.
  Tensor output(Count rows, std::uint32_t columns);
  /// Memory that lives outside the program: parameters, gradients, caches.
  Tensor external(const vulkan::Range& range, Count rows, std::uint32_t columns,
                  Element element = Element::kFloat32);
  /// The settings that an error about the size of `tensor` asks to reduce; default: kFewerTokens.
  void lowered_by(const Tensor& tensor, Reducible settings);

  /// Appends a launch, usually one of the types in shaders/op_NAME.h.  Throws as check_operands().
  void launch(Launch launch);
  std::size_t launches() const { return launches_.size(); }
  const Launch& launch_at(std::size_t step) const { return launches_[step]; }
  /// Divides this number of floating-point operations among the launches from `first` on, so that
  /// submissions can be bounded.
  void set_flops(std::size_t first, double flops);
  /// For each of `ranges`, which are external memory, the index of the last launch that writes to
  /// it, or nullopt.
  std::vector<std::optional<std::size_t>> last_writes(std::span<const vulkan::Range> ranges);
  /// Ends a part after this launch (see submit()).
  void cut_after(std::size_t launch) { cuts_.insert(launch); }
  bool ends_part(std::size_t launch) const {
    return cuts_.contains(launch) || launch + 1 == launches_.size();
  }

  /// Copies inputs to the device at the begin of each replay, so that the host can write those of
  /// the next one while it runs, after wait_for_inputs().  Does nothing on a CPU.
  void stage_inputs();
  bool stages_inputs() const { return stages_inputs_; }

  /// Plans memory; nothing may be added afterwards.  Returns the bytes that compile() will
  /// allocate. Throws Error if a tensor or a launch exceeds a limit of the device.
  std::uint64_t plan();
  /// Plans, allocates memory and records all launches.
  void compile(vulkan::Timing timing = vulkan::Timing::kOff);

  /// The memory of a tensor.  Requires: compiled.
  vulkan::Range range_of(const Tensor& tensor) const;
  bool is_external(const Tensor& tensor) const {
    return storages_[tensor.id].placement == Placement::kExternal;
  }
  /// What an error about the size of a tensor asks to reduce.
  Reducible reducible(const Tensor& tensor) const { return storages_[tensor.id].reduce; }
  /// The memory of an input or output.  Requires: compiled.
  template <class T>
  std::span<T> host(const Tensor& tensor) const {
    return range_of(tensor).view<T>();
  }
  /// Throws Error if `value` exceeds the capacity of the count.  `first` is the index of the first
  /// row in the whole update of which this replay computes a part; dropout uses it, so that the
  /// mask does not depend on how an update is split.
  void set(const Count& count, std::uint32_t value, std::uint32_t first = 0);
  /// The words of all counts; see Count.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  /// Runs all launches once and waits.
  void replay();
  /// The same without waiting.  Calls `submitted` after submitting each part, in order; work that
  /// it submits runs after this part.
  void submit(const std::function<void(std::size_t part)>& submitted);
  /// Waits until the submitted parts have finished.
  void wait();
  /// Waits until the submitted replay does not read what the host writes.  Requires:
  /// stages_inputs().
  void wait_for_inputs();
  /// Fills all activations and outputs with NaN, so that tests detect values that are read before
  /// they are written.
  void poison();

  /// Whether the processor computes with all threads of the engine, as without this call, or with
  /// the calling thread alone.
  void use_threads(Threads threads) { threads_ = threads; }
  Threads threads() const { return threads_; }

  /// With Timing::kOn: name and duration of each launch of the last replay.
  std::vector<vulkan::Timed> timings() const { return run_->timings(); }
  Engine& engine() const { return engine_; }

 private:
  enum class Placement { kActivation, kInput, kOutput, kExternal };
  struct Storage {
    Placement placement;
    std::uint64_t size_bytes;
    vulkan::Range range;
    Reducible reduce = kFewerTokens;
  };
  /// The offsets of the storages of one placement in their arena.
  struct Layout {
    std::vector<std::size_t> storages;
    MemoryPlan plan;
  };
  Tensor add(Placement placement, Count rows, std::uint32_t columns, Element element);
  void check_allocations() const;
  Layout layout_of(Placement placement) const;
  std::unique_ptr<Memory> allocate(const Layout& layout, vulkan::MemoryKind kind);
  void stage(const Layout& layout);

  Engine& engine_;
  std::vector<std::uint32_t> counts_;      // two words each: Count
  std::vector<std::uint32_t> capacities_;  // by Count::word
  struct PartCount {
    std::uint32_t whole;  // words
    std::uint32_t part;
    std::uint32_t first;
  };
  std::vector<PartCount> part_counts_;
  std::vector<Storage> storages_;
  std::vector<Launch> launches_;
  std::set<std::size_t> cuts_;
  std::vector<std::pair<Tensor, std::vector<float>>> constants_;
  bool planned_ = false;
  bool compiled_ = false;
  bool stages_inputs_ = false;
  Layout activations_layout_, inputs_layout_, outputs_layout_;
  std::unique_ptr<Memory> activations_;
  std::unique_ptr<Memory> inputs_;
  std::unique_ptr<Memory> outputs_;
  std::unique_ptr<Memory> staged_inputs_;  // null unless inputs are staged
  std::unique_ptr<Transfer> upload_;       // likewise
  bool is_uploading_ = false;              // until the host waited for it
  std::unique_ptr<Run> run_;
  Threads threads_ = Threads::kAll;
};

}  // namespace awend::nn
