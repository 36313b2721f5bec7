// The instance, and the validation layer's messages.
#include "vulkan/instance.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr VkInstanceCreateFlags kEnumeratePortability =
    VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

using Count = std::atomic<std::uint64_t>;

VKAPI_ATTR VkBool32 VKAPI_CALL count_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                             VkDebugUtilsMessageTypeFlagsEXT,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data,
                                             void* messages) {
  ++*static_cast<Count*>(messages);
  std::fprintf(stderr, "vulkan validation: %s\n", data->pMessage);
  return VK_FALSE;
}

bool has_layer(const char* name) {
  std::uint32_t count = 0;
  require(vkEnumerateInstanceLayerProperties(&count, nullptr),
          "vkEnumerateInstanceLayerProperties");
  std::vector<VkLayerProperties> layers(count);
  require(vkEnumerateInstanceLayerProperties(&count, layers.data()),
          "vkEnumerateInstanceLayerProperties");
  for (const auto& layer : layers) {
    if (std::string_view(layer.layerName) == name) return true;
  }
  return false;
}

bool has_extension(const char* name) {
  constexpr const char* kCall = "vkEnumerateInstanceExtensionProperties";
  std::uint32_t count = 0;
  require(vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr), kCall);
  std::vector<VkExtensionProperties> extensions(count);
  require(vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data()), kCall);
  return std::ranges::any_of(extensions, [&](const auto& extension) {
    return std::string_view(extension.extensionName) == name;
  });
}

constexpr const char* kHowToGetADevice =
    "no Vulkan device: install one with 'apt-get install mesa-vulkan-drivers' (lavapipe, runs on "
    "any CPU), or the driver "
    "of your GPU; in a container pass the GPU's driver files through "
    "(NVIDIA_DRIVER_CAPABILITIES=all)";

}  // namespace

Instance::Instance(std::unique_ptr<Count> messages) : messages_(std::move(messages)) {}

// After the delegation, the destructor also runs if this constructor throws.
Instance::Instance(Validation validation) : Instance(std::make_unique<Count>(0)) {
  load_functions();
  const char* environment = std::getenv("AWEND_VALIDATION");
  const bool validate =
      validation == Validation::kOn || (environment != nullptr && *environment == '1');
  if (validate && !has_layer(kValidationLayer)) {
    throw base::Error(
        "the Vulkan validation layer is not installed (apt-get install vulkan-validationlayers)");
  }
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .pNext = nullptr,
                                         .pApplicationName = "awend",
                                         .applicationVersion = 0,
                                         .pEngineName = "awend",
                                         .engineVersion = 0,
                                         .apiVersion = VK_API_VERSION_1_3};
  const VkValidationFeatureEnableEXT synchronization =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .pNext = nullptr,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = &synchronization,
                                            .disabledValidationFeatureCount = 0,
                                            .pDisabledValidationFeatures = nullptr};
  std::vector<const char*> extensions;
  if (validate) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  // Otherwise the loader hides devices that lack parts of Vulkan, as those of MoltenVK.
  const bool lists_all = has_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  if (lists_all) extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = validate ? &features : nullptr,
      .flags = lists_all ? kEnumeratePortability : 0,
      .pApplicationInfo = &application,
      .enabledLayerCount = validate ? 1u : 0u,
      .ppEnabledLayerNames = &kValidationLayer,
      .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
      .ppEnabledExtensionNames = extensions.data()};
  const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) throw base::Error(kHowToGetADevice);
  require(result, "vkCreateInstance");
  if (!validate) return;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .pNext = nullptr,
      .flags = 0,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = count_message,
      .pUserData = messages_.get()};
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
  base::check(create != nullptr, "an extension that was enabled has its functions");
  require(create(instance_, &messenger, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
}

Instance::~Instance() {
  if (messenger_ != VK_NULL_HANDLE) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
  std::uint32_t count = 0;
  require(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  require(vkEnumeratePhysicalDevices(instance_, &count, devices.data()),
          "vkEnumeratePhysicalDevices");
  if (devices.empty()) throw base::Error(kHowToGetADevice);
  return devices;
}

}  // namespace awend::vulkan
