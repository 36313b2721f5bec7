#include "inspect/devices_view.hpp"

#include "base/error.hpp"
#include "host/bfloat16_product.hpp"
#include "host/product.hpp"
#include "host/thread_pool.hpp"
#include "inspect/driver_files.hpp"
#include "inspect/layout.hpp"
#include "nn/attention/shared.hpp"
#include "nn/attention/subgroup.hpp"
#include "nn/engine.hpp"
#include "nn/matmul/matrix.hpp"
#include "nn/matmul/tiles.hpp"
#include "vulkan/device.hpp"
#include "vulkan/device_choice.hpp"
#include "vulkan/gpu_files.hpp"
#include "vulkan/memory.hpp"
#include "vulkan/survey.hpp"

namespace awend::tools {
namespace {

using vulkan::MatrixElement;

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "nothing" : text;
}

std::string heaps_text(const vulkan::Survey& survey) {
  std::string out;
  for (const auto& heap : survey.heaps) {
    auto text = base::concat(amount_of_bytes(heap.size_bytes),
                             heap.device_local ? ", the device's own" : ", the machine's");
    if (heap.budget_bytes)
      text += base::concat("; ", amount_of_bytes(*heap.budget_bytes), " for a program to have");
    out += fact("memory", text);
  }
  return out;
}

std::string name_of(shaders::Buffers buffers) {
  switch (buffers) {
    case shaders::Buffers::kStorage:
      return "as storage buffers";
    case shaders::Buffers::kAddress:
      return "by their addresses";
  }
  return "";
}

/// The kernel of a product that is large enough to use the whole device.
std::string products_text(const vulkan::Device& device) {
  constexpr std::uint32_t kLarge = 8192;
  const auto tile = nn::shared_tile(device.limits(), kLarge, kLarge);
  if (!tile || nn::matmul_path(device.limits()) == nn::MatmulPath::kSubgroup) {
    const auto* const kernels = "fp32 by subgroups, without shared memory (the kernels for CPUs)";
    return kernels;
  }
  return base::concat("fp32 through shared memory, tiles of up to ", tile->rows, " by ",
                      tile->columns, ", ", tile->threads, " threads each");
}

std::string shapes_text(const vulkan::Limits& limits, MatrixElement element) {
  std::string text;
  for (const auto& shape : limits.matrix_shapes) {
    if (shape.element != element) continue;
    text +=
        base::concat(text.empty() ? "" : ", ", shape.rows, "x", shape.columns, "x", shape.depth);
  }
  return text;
}

std::string matrix_units_text(const vulkan::Limits& limits) {
  if (limits.matrix_shapes.empty())
    return fact("matrix units", limits.on_cpu ? "none: AWEND_MATRIX=1 asks for emulated ones"
                                              : "none that awend can use, or AWEND_MATRIX=0");
  std::string out;
  for (const auto element : {MatrixElement::kBfloat16, MatrixElement::kFloat16}) {
    const std::string_view name = element == MatrixElement::kBfloat16 ? "bf16" : "fp16";
    const auto shapes = shapes_text(limits, element);
    const auto cuts = nn::matrix_cuts(limits, element, nn::Form::kNN);
    auto text = base::concat(name, ": ", shapes.empty() ? "none" : shapes);
    if (!cuts.empty()) {
      text += base::concat("; --precision ", name, " takes tiles of up to ", cuts[0].tile.rows,
                           " by ", cuts[0].tile.columns);
    } else if (!shapes.empty()) {
      text += "; no tile fits, the portable kernels are taken";
    }
    out += fact("matrix units", text);
  }
  return out;
}

/// The kernels of attention with heads of the usual size.
std::string attention_text(const vulkan::Device& device) {
  constexpr nn::AttentionShape kShape{.heads = 8, .d_k = 64, .d_v = 64, .dropout = 0};
  const auto rows = nn::shared_attention_rows(device.limits(), kShape);
  if (rows && nn::matmul_path(device.limits()) == nn::MatmulPath::kShared)
    return base::concat(*rows, " rows a workgroup, through shared memory");
  const auto tile = nn::attention_tile(device.limits().subgroup_size);
  return base::concat(tile.rows, " rows a workgroup, ", tile.keys_per_lane,
                      " keys a lane at a time");
}

/// Properties that are known only after opening the device.
std::string opened_text(const vulkan::Device& device) {
  const auto& limits = device.limits();
  std::string out = fact("for a model", amount_of_bytes(vulkan::usable_bytes(device)));
  out +=
      fact("limits", base::concat("a buffer of ", amount_of_bytes(limits.storage_range_bytes),
                                  ", an allocation of ", amount_of_bytes(limits.allocation_bytes),
                                  ", workgroups of ", limits.workgroup_threads, " threads with ",
                                  amount_of_bytes(limits.shared_bytes), " to share"));
  out += fact("subgroups",
              base::concat(limits.subgroup_size, " lanes",
                           limits.subgroup_size_fixed ? ", which kernels can ask for" : ""));
  out += fact("tensors", name_of(limits.buffers));
  out += fact("products", products_text(device));
  out += matrix_units_text(limits);
  return out + fact("attention", attention_text(device));
}

std::string device_text(const vulkan::DeviceInfo& info, VkPhysicalDevice physical) {
  const auto survey = vulkan::survey(physical);
  std::string out = base::concat(info.index, "  ", info.name, "\n");
  out += fact("type", vulkan::type_name(info.type));
  out += fact("driver", info.driver);
  out += fact("Vulkan", survey.version);
  out += fact("UUID", info.uuid);
  out += heaps_text(survey);
  out += fact("has", listed(info.present));
  out += fact("lacks", listed(info.missing));
  if (!info.missing.empty()) return out + "\n";
  try {
    out += opened_text(vulkan::Device(info.index));
  } catch (const base::Error& error) {
    out += fact("CANNOT BE OPENED", error.what());
  }
  return out + "\n";
}

/// The processor as a device.
std::string processor_text() {
  const nn::Engine engine({.requested = nn::kProcessor});
  std::string out = base::concat(nn::kProcessor, "  the processor, without Vulkan\n");
  out += fact("instructions", host::instruction_set());
  out += fact("threads", base::concat(engine.threads().size()));
  out += fact("memory", amount_of_bytes(engine.limits().heap_bytes));
  out += fact("for a model", amount_of_bytes(engine.usable_bytes()));
  std::string products = "fp32, ";
  if (const auto unit = host::bfloat16_unit(); unit != host::Bfloat16Unit::kNone)
    products += base::concat("bf16 by ", host::name_of(unit), ", ");
  out += fact("products", products + "and of quantized models int8");
  return out + "\n";
}

/// The selected device; `failure` if there is none.
std::string choice_text(const std::vector<vulkan::DeviceInfo>& devices, const std::string& wanted,
                        std::string& failure) {
  try {
    // As Device::open().
    const bool asks_vulkan = wanted.empty() ? vulkan::may_have_gpu() : wanted != nn::kProcessor;
    const auto choice = asks_vulkan ? vulkan::choose_device(devices, wanted) : std::nullopt;
    return base::concat("train and translate take ",
                        choice
                            ? base::concat(devices[choice->position].index, ", ",
                                           devices[choice->position].name, ": ", choice->reason)
                            : base::concat(nn::kProcessor, ": ", nn::reason_for_processor(wanted)),
                        "\n");
  } catch (const base::Error& error) {
    failure = error.what();
    return "";
  }
}

/// A GPU cannot be used, or was not found although the kernel has a driver for it.
bool wants_diagnosis(const std::vector<vulkan::DeviceInfo>& devices) {
  for (const auto& info : devices) {
    if (!info.missing.empty()) return true;
    if (info.type != vulkan::DeviceType::kCpu) return false;
  }
  return !vulkan::caution_about_gpu_files().empty();
}

std::string loader_text() {
  try {
    const auto loader = vulkan::loader();
    return "Loader\n" + fact("library", base::concat(loader.path, ", Vulkan ", loader.version));
  } catch (const base::Error& error) {
    return "Loader\n" + fact("FAILS", error.what());
  }
}

}  // namespace

DevicesView devices_view(const std::string& wanted) {
  DevicesView view;
  std::vector<vulkan::DeviceInfo> devices;
  std::string failure;  // of Vulkan, which the processor does not need
  try {
    const vulkan::Instance instance;
    devices = vulkan::list_devices(instance);
    const auto physical = instance.physical_devices();
    for (std::size_t i = 0; i < devices.size(); ++i)
      view.text += device_text(devices[i], physical[i]);
  } catch (const base::Error& error) {
    failure = error.what();
  }
  view.text += processor_text();
  const bool needs_vulkan = !wanted.empty() && wanted != nn::kProcessor;
  if (needs_vulkan && !failure.empty()) {
    view.failure = failure;
  } else {
    view.text += choice_text(devices, wanted, view.failure);
  }
  if (!failure.empty() || !view.failure.empty() || wants_diagnosis(devices))
    view.text += base::concat("\n", loader_text(), "\n", diagnosis(this_machine()));
  return view;
}

}  // namespace awend::tools
