// Parameters, their gradients and both Adam moments, each in one flat buffer, so that a kernel can
// process all of them at once.  If operands of products have 16 bits on a Vulkan device, so does
// one more buffer, a rounded copy of the parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/initializer.hpp"
#include "nn/program.hpp"
#include "nn/stored_values.hpp"
#include "vulkan/range.hpp"

namespace awend::nn {

class PreparedOperands;

/// A matrix (rows, columns), stored row-major.  In memory, the number of rows is padded to a
/// multiple of 4; the padding is zero.
struct Parameter {
  std::uint32_t index = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;

  std::uint32_t padded_rows() const { return (rows + 3) / 4 * 4; }
};

/// A set of kinds of parameters: a vector has one row or one column; a projection is the matrix of
/// a layer, which only products read; a table, such as an embedding, is any other matrix.
using ParameterKinds = unsigned;
inline constexpr ParameterKinds kVectors = 1, kTables = 2, kProjections = 4;
inline constexpr ParameterKinds kMatrices = kTables | kProjections;
inline constexpr ParameterKinds kAllKinds = kVectors | kMatrices;

/// Whether parameters are trained (with gradients and moments) or only read.
enum class Use { kTraining, kInference };

/// Training for eight bits: whether programs round the matrices, and the left operands of products
/// with them, to the values that inference with 8-bit weights computes with.
enum class FakeQuantization {
  kOff,
  kCalibrating,  ///< Programs only output the magnitudes of left operands.
  kOn,           ///< Requires: nn/activation_scales.hpp has a scale for each matrix of a product.
};

/// A part of a flat buffer.
struct FlatRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

class Parameters {
 public:
  Parameters();
  ~Parameters();
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  /// kOperands exists if keeps_operands(); write() and Adam keep it equal to kValues, rounded.
  /// kAverage exists after keep_average().
  enum class Buffer { kValues, kGradients, kMoment1, kMoment2, kOperands, kAverage };

  /// Declares a parameter.  Throws Error unless `columns` is 1 or a multiple of 4.  Requires: not
  /// yet allocated.
  Parameter add(std::string name, std::uint32_t rows, std::uint32_t columns,
                Initializer initializer);
  /// Declares a parameter that is never trained.  initialize() sets its values from `values`, which
  /// is not called if they are read from a file.
  Parameter add_constant(std::string name, std::uint32_t rows, std::uint32_t columns,
                         std::function<std::vector<float>()> values);

  /// Declares that the values of a parameter are read where they are stored, which must outlive all
  /// programs.  For inference on the processor.  Requires: not yet allocated.
  void refer(const Parameter& parameter, const StoredValues& values);

  /// Allocates memory on the device for all others, initialized to zero.  `operands` is the element
  /// type of the operands of products.
  void allocate(Engine& engine, Use use, Element operands = Element::kFloat32);

  std::size_t size() const { return entries_.size(); }
  const std::string& name(std::size_t index) const { return entries_[index].name; }
  const Parameter& parameter(std::size_t index) const { return entries_[index].parameter; }
  /// One kind: by its shape and, of matrices, its initializer.
  ParameterKinds kind(std::size_t index) const;
  /// The number of elements of all parameters, without padding.
  std::uint64_t numbers() const;
  /// The bytes of the values that are read where they are stored.
  std::uint64_t stored_bytes() const;
  /// Length of a flat buffer in floats, with padding, of the parameters that are not stored
  /// elsewhere.
  std::uint64_t flat_floats() const { return flat_floats_; }
  /// The range of a parameter in a flat buffer, with the padding after it; empty if it is stored
  /// elsewhere.
  FlatRange place(const Parameter& parameter) const;
  /// The memory of a range of a flat buffer.
  vulkan::Range flat(const FlatRange& floats, Buffer buffer) const;

  /// Increases whenever the host writes values.
  std::uint64_t version() const { return version_; }
  /// The values in the order in which products of the processor read them.
  PreparedOperands& prepared() const { return *prepared_; }
  /// Where the values of a parameter are stored, if not in the flat buffer.
  const std::optional<StoredValues>& stored(const Parameter& parameter) const {
    return entries_[parameter.index].stored;
  }
  bool trained() const { return use_ == Use::kTraining; }
  Element operands() const { return operands_; }
  /// Whether rounded operands are in memory.  Products on the processor round them as they read.
  bool keeps_operands() const;
  /// Whether the values were stored as 8-bit integers, so that products of the host compute with
  /// such integers.
  bool quantized() const { return quantized_; }
  void set_quantized() { quantized_ = true; }

  FakeQuantization fake_quantization() const { return fake_quantization_; }
  /// For programs that are recorded after this call.  Requires: operands of products are fp32.
  void set_fake_quantization(FakeQuantization fake_quantization) {
    fake_quantization_ = fake_quantization;
  }

  /// Adds a buffer for a moving average of the values, initialized with them.  Requires: allocated.
  void keep_average();
  void start_average();
  bool keeps_average() const;
  /// Swaps the contents of kValues and kAverage; kOperands does not change.
  void swap_average();

  /// Excludes parameter `index` from training: no gradient is computed for it, and Adam does not
  /// change it.  Requires: no program uses it yet.
  void freeze(std::size_t index) { entries_[index].frozen = true; }
  bool trains(const Parameter& parameter) const { return !entries_[parameter.index].frozen; }

  /// Sets random initial values by seed and index of the parameter, the same on all devices.
  void initialize(std::uint64_t seed, const InitialDistribution& distribution = {});
  /// The rows of one parameter, without padding.
  std::vector<float> read(const Parameter& parameter, Buffer buffer = Buffer::kValues) const;
  /// Some rows, one after the other.
  std::vector<float> read_rows(const Parameter& parameter,
                               std::span<const std::uint32_t> rows) const;
  void write(const Parameter& parameter, std::span<const float> values,
             Buffer buffer = Buffer::kValues);

  /// The parameter in a program, (padded_rows, columns).  If it is stored elsewhere in another
  /// form, a copy in fp32.
  Tensor tensor(Program& program, const Parameter& parameter,
                Buffer buffer = Buffer::kValues) const;
  /// The same without padding, (rows, columns), so that floats that are stored elsewhere are not
  /// copied.
  Tensor unpadded_tensor(Program& program, const Parameter& parameter) const;
  /// The parameters of these kinds in a flat buffer, without frozen ones, in pieces that fit one
  /// binding, each as (numbers, 1).
  std::vector<Tensor> pieces(Program& program, Buffer buffer,
                             ParameterKinds kinds = kAllKinds) const;

 private:
  struct Entry {
    std::string name;
    Parameter parameter;
    Initializer initializer;
    std::uint64_t offset_floats;
    bool frozen = false;
    std::function<std::vector<float>()> constant_values = {};
    std::optional<StoredValues> stored = std::nullopt;
  };
  std::vector<FlatRange> trained_runs(ParameterKinds kinds) const;
  std::unique_ptr<Memory> make_memory(Buffer buffer) const;
  Element element_of(Buffer buffer) const;
  vulkan::Range range(const Parameter& parameter, Buffer buffer) const;
  vulkan::Range stored_range(const Parameter& parameter, const StoredValues& stored) const;
  const Memory& memory(Buffer buffer) const;
  void upload(const Parameter& parameter, std::span<const std::byte> bytes, Buffer buffer);

  std::vector<Entry> entries_;
  std::uint64_t flat_floats_ = 0;
  Use use_ = Use::kInference;
  Element operands_ = Element::kFloat32;
  Engine* engine_ = nullptr;
  std::vector<std::unique_ptr<Memory>> memories_;  // by Buffer; null if it does not exist
  std::uint64_t version_ = 0;
  bool quantized_ = false;
  FakeQuantization fake_quantization_ = FakeQuantization::kOff;
  std::unique_ptr<PreparedOperands> prepared_;
  std::unique_ptr<WidenedValues> widened_;
};

/// A parameter that is not trained, as the right operand of products.
struct ParameterOperand {
  const Parameters* parameters;
  Parameter parameter;
};

}  // namespace awend::nn
