// The header of a safetensors file, its metadata, and the configuration of a model.
#include "base/error.hpp"
#include "model/config.hpp"
#include "store/array_writer.hpp"
#include "store/digest.hpp"
#include "store/stored_settings.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {

using namespace store;

std::vector<std::string> seeds() {
  const Scratch scratch;
  const float weights[] = {1, 2, 3, 4, 5, 6};
  const std::uint64_t steps[] = {7};
  const Array arrays[] = {{"w", Type::F32, {2, 3}, std::as_bytes(std::span(weights))},
                          {"n", Type::U64, {}, std::as_bytes(std::span(steps))},
                          {"e", Type::BF16, {0}, {}}};
  model::Config config;
  config.vocabulary = 8;
  write_arrays(scratch.path("x"), arrays,
               {{std::string(keys::kConfig), model::to_settings(config).to_json()}});
  return {Scratch::read(scratch.path("x")), {"\2\0\0\0\0\0\0\0{}", 10}};
}

void fuzz(std::string_view input) {
  const auto header = read_header(std::as_bytes(std::span(input)));
  unsigned sum = 0;
  for (const auto& array : header.arrays) {
    for (const auto byte : array.bytes) sum += static_cast<unsigned>(byte);
  }
  (void)digest_of(header.arrays);
  const auto config = header.metadata.find(std::string(keys::kConfig));
  if (config != header.metadata.end())
    model::from_settings(Settings::from_json(config->second, "file"), "file");
  check_metadata_digest(header.metadata);
}

}  // namespace awend::tests
