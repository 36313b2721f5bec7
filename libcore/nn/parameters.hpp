// Parameters, their gradients and both Adam moments: each one flat buffer, so that one pass serves
// all of them.  Where products take 16-bit operands, a narrowed copy of the parameters is one more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nn/initializer.hpp"
#include "nn/program.hpp"
#include "vulkan/memory.hpp"

namespace awend::nn {

/// A matrix (rows, columns), stored row-major.  Storage has room for rows up to the next multiple
/// of 4, held at zero.
struct Parameter {
  std::uint32_t index = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;

  std::uint32_t padded_rows() const { return (rows + 3) / 4 * 4; }
};

/// Whether a parameter set is trained (gradients and moments exist) or only read.
enum class Use { kTraining, kInference };

/// A part of a flat buffer.
struct FlatRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

class Parameters {
 public:
  /// kOperands exists where operands are narrow; write() and Adam keep it in step with kValues.
  /// kAverage exists after keep_average().
  enum class Buffer { kValues, kGradients, kMoment1, kMoment2, kOperands, kAverage };

  /// Declares a parameter.  Requires: not yet allocated; `columns` is a multiple of 4 (Error names
  /// the parameter if not).
  Parameter add(std::string name, std::uint32_t rows, std::uint32_t columns, Initializer start);

  /// Allocates memory on the device, all zero.  Products of these parameters take operands of
  /// `operands`.
  void allocate(Engine& engine, Use use, Element operands = Element::kFloat32);

  std::size_t size() const { return entries_.size(); }
  const std::string& name(std::size_t index) const { return entries_[index].name; }
  const Parameter& parameter(std::size_t index) const { return entries_[index].parameter; }
  /// How many numbers there are, padding left out.
  std::uint64_t numbers() const;
  /// Length of a flat buffer in floats, padding included.
  std::uint64_t flat_floats() const { return flat_floats_; }
  /// Where a parameter stands in it, with the padding behind it.
  FlatRange place(const Parameter& parameter) const;
  /// Memory of a flat buffer.
  vulkan::Range flat(const FlatRange& floats, Buffer buffer) const;

  bool trained() const { return use_ == Use::kTraining; }
  Element operands() const { return operands_; }

  /// Adds a buffer for a moving average of the values, which starts as they are.  Requires:
  /// allocated.
  void keep_average();
  void start_average();
  bool keeps_average() const;
  /// Swaps the contents of kValues and kAverage; kOperands is left as it was.
  void swap_average();

  /// Parameter `index` stays as it is: no gradient is computed for it, and Adam passes it over.
  /// Requires: no program has asked for it yet.
  void freeze(std::size_t index) { entries_[index].frozen = true; }
  bool trains(const Parameter& parameter) const { return !entries_[parameter.index].frozen; }

  /// Values drawn from (seed, parameter index): the same on every device.
  void initialize(std::uint64_t seed);
  /// The rows of one parameter, padding left out.
  std::vector<float> read(const Parameter& parameter, Buffer buffer = Buffer::kValues) const;
  void write(const Parameter& parameter, std::span<const float> values,
             Buffer buffer = Buffer::kValues);

  /// The parameter in a program; as (padded_rows, columns).
  Tensor tensor(Program& program, const Parameter& parameter,
                Buffer buffer = Buffer::kValues) const;
  /// A flat buffer, without what is frozen, cut into pieces that one binding can see, each as
  /// (numbers, 1).
  std::vector<Tensor> pieces(Program& program, Buffer buffer) const;

 private:
  struct Entry {
    std::string name;
    Parameter parameter;
    Initializer start;
    std::uint64_t offset_floats;
    bool frozen = false;
  };
  std::vector<FlatRange> trained_runs() const;
  std::unique_ptr<vulkan::Arena> make_arena(Buffer buffer) const;
  Element element_of(Buffer buffer) const;
  vulkan::Range range(const Parameter& parameter, Buffer buffer) const;
  const vulkan::Arena& arena(Buffer buffer) const;
  void upload(const Parameter& parameter, std::span<const std::byte> bytes, Buffer buffer);

  std::vector<Entry> entries_;
  std::uint64_t flat_floats_ = 0;
  Use use_ = Use::kInference;
  Element operands_ = Element::kFloat32;
  Engine* engine_ = nullptr;
  std::vector<std::unique_ptr<vulkan::Arena>> arenas_;  // by Buffer; null if not there
};

}  // namespace awend::nn
