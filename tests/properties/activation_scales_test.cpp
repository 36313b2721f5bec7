// Fixed scales of 8-bit products, as the models of Firefox have them.  None of these is at hand:
// they are made of a model of the conformance data, in the types of the fork for browsers, which
// also quantizes embeddings.
#include "model/activation_scales.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "store/average.hpp"
#include "store/marian_binary.hpp"
#include "tests/conformance.hpp"
#include "tests/foreign_files.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

constexpr std::uint64_t kFloat32 = 0x404, kIntgemm8 = 0x4101, kSettings = 0x101;

/// What activations are at most; those above it are limited.
using Largest = float;

std::string of_intgemm8(const std::vector<float>& values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  const float multiplier = 127 / largest;
  std::vector<std::int8_t> integers;
  for (const float value : values)
    integers.push_back(static_cast<std::int8_t>(std::nearbyint(value * multiplier)));
  return bytes_of(integers) + bytes_of(multiplier);
}

/// The files of a model as Firefox has them: all matrices have 8 bits and a scale.
std::map<std::string, std::string> firefox_files(const std::string& directory, Largest largest) {
  const auto content =
      base::read_file(directory + "/model.ende.intgemm.alphas.bin", base::kMaxModelBytes);
  const auto original = store::read_marian_binary(view(content));
  std::vector<MarianItem> items;
  for (const auto& [name, array] : original.arrays) {
    MarianItem item{.name = name, .type = kFloat32, .shape = {}, .data = {}};
    for (const auto size : array.shape) item.shape.push_back(static_cast<std::int32_t>(size));
    const std::string bytes(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    const bool is_matrix = array.type == store::Type::I8, is_table = name == "Wemb";
    item.data = is_table ? of_intgemm8(to_floats(array)) : bytes;
    if (is_matrix || is_table) item.type = kIntgemm8;
    items.push_back(item);
    if (!is_matrix && !is_table) continue;
    // That of the output is named "none", and some are stored as integers.
    const float scale = 127 / largest;
    items.push_back({.name = (is_table ? "none" : name) + "_QuantMultA",
                     .type = is_table ? kFloat32 : kIntgemm8,
                     .shape = {1, 1},
                     .data = is_table ? bytes_of(scale) : of_intgemm8({scale})});
  }
  items.push_back({"special:model.yml",
                   kSettings,
                   {static_cast<std::int32_t>(original.settings.size())},
                   original.settings});
  return {{"model.ende.intgemm.alphas.bin", marian_binary_of(items)},
          {"vocab.ende.spm", base::read_file(directory + "/vocab.ende.spm", base::kMaxModelBytes)}};
}

/// ln P of the tokens of the cases, by a checkpoint on the processor.
std::vector<float> scores_of(const std::string& checkpoint,
                             const std::vector<nlohmann::json>& cases,
                             const text::Vocabulary& vocabulary) {
  decode::LoadedModel model(shared_processor(), store::ArrayFile(checkpoint),
                            nn::Element::kFloat32);
  std::vector<decode::SentencePair> pairs;
  const auto end = vocabulary.end_of_sentence();
  for (const auto& each : cases) {
    auto source = each["source_ids"].get<Sentence>();
    source.pop_back();
    Sentence target;
    for (const auto& token : each["greedy64"]["tokens"])
      target.push_back(vocabulary.id("\u2581" + token.get<std::string>()));
    pairs.push_back({source, target});
  }
  decode::TeacherForcedScorer scorer(shared_processor(), model.view(), {.end_of_sentence = end});
  std::vector<float> all;
  for (const auto& scores : scorer.scores(pairs))
    all.insert(all.end(), scores.begin(), scores.end());
  return all;
}

double mean_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("8-bit products use the fixed scales of a model", "[conformance]") {
  const auto path = conformance_file("models/bergamot/cases.jsonl");
  if (!path) return;
  const auto directory = std::filesystem::path(*path).parent_path().string();
  const auto cases = read_json_lines(*path);
  const Scratch scratch;
  std::vector<float> floats, by_rows;
  std::map<Largest, double> differences;
  for (const Largest largest : {0.25f, 1.f, 2.f, 4.f, 8.f, 16.f, 64.f}) {
    CAPTURE(largest);
    interchange::ModelFiles files(firefox_files(directory, largest));
    auto model = interchange::read_model(files);
    // All matrices have a scale, and the embeddings that of the output.
    CHECK(model.activation_scales.size() > 20);
    for (const auto& [name, scale] : model.activation_scales)
      CHECK(scale == Approx(127 / largest).epsilon(1e-6));
    CHECK(model.activation_scales.contains("embedding"));
    const std::string full = scratch.path("full"), small = scratch.path("small");
    interchange::write_checkpoint(full, model);
    store::average({&full, 1}, small, {.storage = store::Storage::kInt8});
    if (floats.empty()) {
      floats = scores_of(full, cases, *model.vocabulary);
      model.activation_scales.clear();
      interchange::write_checkpoint(full, model);
      store::average({&full, 1}, scratch.path("by_rows"), {.storage = store::Storage::kInt8});
      by_rows = scores_of(scratch.path("by_rows"), cases, *model.vocabulary);
    }
    const auto fixed = scores_of(small, cases, *model.vocabulary);
    CHECK(fixed != by_rows);
    differences[largest] = mean_difference(fixed, floats);
  }
  std::string found;
  for (const auto& [largest, difference] : differences)
    found += base::concat(largest, ": ", difference, "  ");
  CAPTURE(found, mean_difference(by_rows, floats));
  // The best of these scales, though the same for all matrices, is nearly as good as those of
  // single rows; others limit activations, or have too few steps.
  const auto best =
      std::ranges::min_element(differences, {}, [](const auto& each) { return each.second; });
  CHECK(best->second < 0.06);
  CHECK(mean_difference(by_rows, floats) < 0.03);
  CHECK(differences.begin()->second > 10 * best->second);
  CHECK(differences.rbegin()->second > 2 * best->second);
}

TEST_CASE("embeddings of 8 bits are read in the order of rows", "[conformance]") {
  const auto path = conformance_file("models/bergamot/cases.jsonl");
  if (!path) return;
  const auto directory = std::filesystem::path(*path).parent_path().string();
  interchange::ModelFiles original(directory), firefox(firefox_files(directory, 8));
  const auto expected = interchange::read_model(original).weights.at("embedding"),
             found = interchange::read_model(firefox).weights.at("embedding");
  float largest = 0;
  for (const float value : expected) largest = std::max(largest, std::abs(value));
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    REQUIRE(std::abs(found[i] - expected[i]) < 0.51f * largest / 127);
}

TEST_CASE("wrong scales are refused", "[conformance]") {
  const auto path = conformance_file("models/bergamot/cases.jsonl");
  if (!path) return;
  const auto directory = std::filesystem::path(*path).parent_path().string();
  interchange::ModelFiles files(firefox_files(directory, -1));
  try {
    (void)interchange::read_model(files);
    FAIL("a scale below 0 is refused");
  } catch (const base::Error& error) {
    CHECK(std::string(error.what()).find("_QuantMultA' is not a positive number") !=
          std::string::npos);
  }
  // In a checkpoint, where any text may be.
  interchange::ModelFiles good(firefox_files(directory, 8));
  auto model = interchange::read_model(good);
  model.activation_scales["encoder.0.self.query"] = 0;
  const Scratch scratch;
  interchange::write_checkpoint(scratch.path("model"), model);
  CHECK_THROWS_AS(decode::LoadedModel(shared_processor(), store::ArrayFile(scratch.path("model")),
                                      nn::Element::kFloat32),
                  base::Error);
}

}  // namespace awend::tests
