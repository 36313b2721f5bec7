#include "interchange/shard_index.hpp"

#include "base/error.hpp"
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;

constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kFirst = "model-00001-of-00002.safetensors";

std::string complaint(const Contents& contents) {
  return message_of([&] {
    ModelFiles files(contents);
    read_model(files);
  });
}

TEST_CASE("an index names the file of each array") {
  const auto file_of = parse_shard_index(R"({"metadata": {}, "weight_map": {"a": "x", "b": "y"}})");
  CHECK(file_of.size() == 2);
  CHECK(file_of.at("b") == "y");
  CHECK(message_of([] { parse_shard_index("{}"); }) == "no member 'weight_map'");
  CHECK(message_of([] { parse_shard_index("[]"); }) == "not a JSON object");
  CHECK(message_of([] { parse_shard_index(R"({"weight_map": 3})"); }) == "not a JSON object");
  CHECK(message_of([] { parse_shard_index(R"({"weight_map": {"a": "../x"}})"); }) ==
        "array 'a': '../x' is not the name of a file");
}

TEST_CASE("weights in several files are read from all of them") {
  const auto whole = multilingual_contents(Multilingual::kNllb);
  ModelFiles files(whole);
  CHECK(read_model(files).weights.at("embedding").size() == 12 * kSize);
  auto changed = whole;
  changed.erase(kFirst);
  CHECK(complaint(changed) == awend::base::concat(kFirst, ": no such file"));
  changed = whole;
  changed[kFirst] = changed["model-00002-of-00002.safetensors"];
  CHECK(complaint(changed).ends_with("' is in several of its files"));
  changed = whole;
  // All arrays that it names are in the first file, and the second is not read.
  changed[kIndex] =
      R"({"weight_map": {"model.encoder.layers.0.fc1.bias": "model-00001-of-00002.safetensors",)"
      R"( "model.shared.weight": "model-00002-of-00002.safetensors"}})";
  ModelFiles partly(changed);
  CHECK(read_model(partly).weights.size() > 10);
}

TEST_CASE("an index may name copies of tied matrices that no file has") {
  auto contents = multilingual_contents(Multilingual::kNllb);
  auto& index = contents.at(kIndex);
  const std::string map = "\"weight_map\": {";
  index.insert(index.find(map) + map.size(),
               awend::base::concat("\"lm_head.weight\": \"", kFirst, "\", "));
  ModelFiles files(contents);
  CHECK(read_model(files).weights.at("embedding").size() == 12 * kSize);
  // A matrix that the model needs is missed when it is read.
  contents.erase(kFirst);
  auto rest = contents.at(kIndex);
  for (const std::string name = kFirst; rest.find(name) != rest.npos;)
    rest.replace(rest.find(name), name.size(), "model-00002-of-00002.safetensors");
  contents[kIndex] = rest;
  CHECK(complaint(contents) ==
        "model.safetensors.index.json: no array 'model.encoder.layers.0.self_attn.q_proj.weight'");
}

TEST_CASE("a shard is read with the others") {
  const Scratch scratch;
  for (const auto& [name, content] : multilingual_contents(Multilingual::kNllb))
    scratch.write(name, content);
  for (const char* name : {kFirst, kIndex, "config.json"}) {
    ModelFiles files(scratch.path(name));
    CHECK(read_model(files).vocabulary->content().languages.size() == 2);
  }
}

}  // namespace
