#include "vulkan/device_choice.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

constexpr const char* kUpdateDriver = "; update its driver, or use another device";

int rank(DeviceType type) {
  switch (type) {
    case DeviceType::kDiscreteGpu:
      return 3;
    case DeviceType::kIntegratedGpu:
      return 2;
    case DeviceType::kVirtualGpu:
      return 1;
    case DeviceType::kCpu:
    case DeviceType::kOther:
      break;
  }
  return 0;
}

std::string listing(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const auto& device : devices) {
    text += base::concat(text.empty() ? "" : "; ", device.index, " ", device.name);
    for (std::size_t i = 0; i < device.missing.size(); ++i) {
      text += base::concat(i == 0 ? " (lacks " : ", ", device.missing[i]);
    }
    if (!device.missing.empty()) text += ")";
  }
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// A request in lower case.
using Fits = bool (*)(const DeviceInfo&, const std::string&);

bool is_index(const DeviceInfo& device, const std::string& requested) {
  return requested == base::concat(device.index);
}

// With or without hyphens and the prefix of nvidia-smi, as in "GPU-5ad07a2c-…".
bool is_uuid(const DeviceInfo& device, const std::string& requested) {
  std::string digits = requested.starts_with("gpu-") ? requested.substr(4) : requested;
  std::erase(digits, '-');
  return digits == device.uuid;
}

bool is_name(const DeviceInfo& device, const std::string& requested) {
  return lower(device.name) == requested;
}

// A number must be a whole word, as in "Radeon RX 7900 XTX": device 8 of a machine with fewer
// devices is not the one with "80GB" in its name.
bool is_part_of_name(const DeviceInfo& device, const std::string& requested) {
  const bool is_number =
      std::ranges::all_of(requested, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number)
    return base::concat(" ", lower(device.name), " ").find(" " + requested + " ") !=
           std::string::npos;
  return lower(device.name).find(requested) != std::string::npos;
}

std::size_t position_of(const std::vector<DeviceInfo>& devices, const std::string& requested) {
  const std::string lowered = lower(requested);
  for (const Fits fits : {is_index, is_uuid, is_name, is_part_of_name}) {
    std::vector<DeviceInfo> found;
    std::size_t position = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!fits(devices[i], lowered)) continue;
      // Two drivers of one GPU: the first that can be used.
      if (fits == is_uuid && !found.empty()) {
        if (found[0].missing.empty()) continue;
        found.clear();
      }
      found.push_back(devices[i]);
      position = i;
    }
    if (found.empty()) continue;
    if (found.size() > 1) {
      base::fail("'", requested, "' fits ", found.size(), " devices: ", listing(found),
                 "; select one by its index or UUID");
    }
    if (!found[0].missing.empty()) {
      base::fail("device '", requested, "' was found but cannot be used: ", listing(found),
                 kUpdateDriver);
    }
    return position;
  }
  base::fail("no device is named '", requested, "'; there are: cpu; ", listing(devices));
}

}  // namespace

std::optional<Choice> choose_device(const std::vector<DeviceInfo>& devices,
                                    const std::string& requested, std::uint32_t turn) {
  if (!requested.empty())
    return Choice{position_of(devices, requested), base::concat("named by '", requested, "'")};
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].missing.empty() || devices[i].type == DeviceType::kCpu) continue;
    if (!best || rank(devices[i].type) > rank(devices[*best].type)) best = i;
  }
  if (!best) return std::nullopt;
  const auto type = devices[*best].type;
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    // A GPU with two drivers is listed twice.
    const auto is_same = [&](std::size_t other) { return devices[other].uuid == devices[i].uuid; };
    if (devices[i].missing.empty() && devices[i].type == type &&
        std::ranges::none_of(alike, is_same)) {
      alike.push_back(i);
    }
  }
  if (const std::size_t own = turn % alike.size(); own > 0) {
    return Choice{alike[own], base::concat(type_name(type), " ", own + 1, " of ", alike.size())};
  }
  return Choice{*best, devices.size() == 1 ? "the only device"
                                           : base::concat("the first ", type_name(type), " of ",
                                                          devices.size(), " devices")};
}

std::string caution_about_unusable(std::vector<DeviceInfo> devices) {
  std::erase_if(devices, [](const DeviceInfo& device) {
    return device.type == DeviceType::kCpu || device.missing.empty();
  });
  if (devices.empty()) return "";
  return base::concat("computing on the CPU, because no GPU can be used: ", listing(devices),
                      kUpdateDriver);
}

}  // namespace awend::vulkan
