// The mean, and every reason to refuse one.
#include "store/average.hpp"

#include <algorithm>
#include <cmath>

#include "store/array_file.hpp"
#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using awend::tests::message_of;
using awend::tests::Scratch;

struct Model {
  std::vector<float> weights = {1, 2, 3, 4};
  std::vector<std::uint64_t> shape = {2, 2};
  std::string array = "w";
  std::string config = R"({"d_model":512})";
  std::string vocabulary = "a\nb\n";
  std::string step = "100";
  std::string recipe = R"({"seed":1,"dropout":0.1})";
  std::string search = {};
  std::string source_vocabulary = {};
};

std::string write(const Scratch& scratch, std::string_view name, const Model& model) {
  const Array arrays[] = {
      {model.array, Type::F32, model.shape, std::as_bytes(std::span(model.weights))}};
  Metadata metadata = {{std::string(keys::kFormat), "1"},
                       {std::string(keys::kConfig), model.config},
                       {std::string(keys::kVocabulary), model.vocabulary},
                       {std::string(keys::kStep), model.step},
                       {std::string(keys::kRecipe), model.recipe}};
  if (!model.search.empty()) metadata.emplace(keys::kSearch, model.search);
  if (!model.source_vocabulary.empty())
    metadata.emplace(keys::kSourceVocabulary, model.source_vocabulary);
  write_arrays(scratch.path(name), arrays, metadata);
  return scratch.path(name);
}

TEST_CASE("the mean of checkpoints carries what they share, and their names") {
  Scratch scratch;
  const std::string paths[] = {write(scratch, "a", {.weights = {1, 2, 3, 4}}),
                               write(scratch, "b", {.weights = {2, 2, -3, 1e30F}}),
                               write(scratch, "c", {.weights = {6, 2, 0, -1e30F}, .step = "300"})};
  average(paths, scratch.path("mean"));
  const ArrayFile mean(scratch.path("mean"));
  const std::uint64_t shape[] = {2, 2};
  const auto weights = mean.floats("w", shape);
  CHECK(weights[0] == 3);
  CHECK(weights[1] == 2);
  CHECK(weights[2] == 0);
  // The 4 is lost in a sum with 1e30, even in double; nothing must overflow.
  CHECK(weights[3] == 0);
  CHECK(mean.metadata(keys::kConfig) == R"({"d_model":512})");
  CHECK(mean.metadata(keys::kVocabulary) == "a\nb\n");
  CHECK(mean.metadata(keys::kStep) == "300");
  CHECK(mean.metadata("awend.average") == "a\nb\nc");
}

TEST_CASE("settings of the search are added to those of the last file") {
  Scratch scratch;
  const std::string paths[] = {write(scratch, "a", {.search = R"({"alpha":1})"}),
                               write(scratch, "b", {.search = R"({"beam-size":6,"alpha":2})"})};
  Settings search;
  const auto kept = [&] {
    average(paths, scratch.path("mean"), {.search = search});
    return ArrayFile(scratch.path("mean")).metadata(keys::kSearch);
  };
  CHECK(kept() == R"({"beam-size":6,"alpha":2})");
  search.set("unknown-tokens", std::string_view("off"));
  search.set("beam-size", 1);
  CHECK(kept() == R"({"beam-size":1,"alpha":2,"unknown-tokens":"off"})");
  const std::string none[] = {write(scratch, "c", {})};
  average(none, scratch.path("mean"), {.search = search});
  CHECK(ArrayFile(scratch.path("mean")).metadata(keys::kSearch) ==
        R"({"unknown-tokens":"off","beam-size":1})");
}

TEST_CASE("sums are kept in double") {
  Scratch scratch;
  // In float 16777216 + 1 is 16777216, and the ones would be lost.
  const std::string paths[] = {write(scratch, "a", {.weights = {16777216}, .shape = {1}}),
                               write(scratch, "b", {.weights = {1}, .shape = {1}}),
                               write(scratch, "c", {.weights = {1}, .shape = {1}}),
                               write(scratch, "d", {.weights = {2}, .shape = {1}})};
  average(paths, scratch.path("mean"));
  const std::uint64_t shape[] = {1};
  CHECK(ArrayFile(scratch.path("mean")).floats("w", shape)[0] == 4194305);
}

TEST_CASE("an array of more than one block is averaged to its end") {
  Scratch scratch;
  Model model{.weights = std::vector<float>(150'001, 1), .shape = {150'001}};
  model.weights.back() = 5;
  const std::string paths[] = {write(scratch, "a", model), write(scratch, "b", model)};
  average(paths, scratch.path("mean"));
  const auto mean = ArrayFile(scratch.path("mean"));
  CHECK(std::ranges::equal(mean.floats("w", model.shape), model.weights));
}

TEST_CASE("one checkpoint is its own mean") {
  Scratch scratch;
  const std::string paths[] = {write(scratch, "a", {})};
  average(paths, scratch.path("mean"));
  CHECK(ArrayFile(scratch.path("mean")).arrays()[0].bytes.size() == 16);
}

TEST_CASE("checkpoints that differ are refused, and the difference is named") {
  Scratch scratch;
  const auto a = write(scratch, "a", {});
  const auto says = [&](const Model& model) {
    const std::string paths[] = {a, write(scratch, "b", model)};
    const auto message = message_of([&] { average(paths, scratch.path("mean")); });
    CHECK_FALSE(std::filesystem::exists(scratch.path("mean")));
    return message;
  };
  const auto b = scratch.path("b");
  CHECK(says({.shape = {4}}) == b + ": array 'w' is F32 [4], not F32 [2, 2]");
  CHECK(says({.array = "v"}) == b + ": no array 'w'");
  CHECK(says({.config = R"({"d_model":256})"}) ==
        b + ": setting 'd_model' is 256, in " + a + " it is 512");
  CHECK(says({.config = "{}"}) == b + ": no setting 'd_model', unlike " + a);
  CHECK(says({.config = R"({"d_model":512,"heads":8})"}) ==
        b + ": setting 'heads' is 8, in " + a + " there is none");
  CHECK(says({.config = "?"}) == b + ": not JSON at byte 1");
  CHECK(says({.vocabulary = "a\n"}) == b + ": its vocabulary is not that of " + a);
  CHECK(says({.source_vocabulary = "a\n"}) == b + ": its source vocabulary is not that of " + a);
}

TEST_CASE("weights that are not finite are refused, and file and array are named") {
  Scratch scratch;
  const auto a = write(scratch, "a", {});
  for (const auto storage : {Storage::kFloat32, Storage::kInt8}) {
    const std::string paths[] = {a, write(scratch, "b", {.weights = {1, -INFINITY, 3, 4}})};
    CHECK(message_of([&] { average(paths, scratch.path("mean"), {.storage = storage}); }) ==
          paths[1] + ": array 'w' has a weight that is not finite: -inf");
  }
  const std::string nan[] = {write(scratch, "b", {.weights = {NAN, 0, 3, 4}}), a};
  CHECK(message_of([&] { average(nan, scratch.path("mean")); }) ==
        nan[0] + ": array 'w' has a weight that is not finite: nan");
  CHECK_FALSE(std::filesystem::exists(scratch.path("mean")));
}

TEST_CASE("damaged weights are refused") {
  Scratch scratch;
  const std::string paths[] = {write(scratch, "a", {}), write(scratch, "b", {})};
  auto bytes = Scratch::read(paths[1]);
  bytes.back() ^= 1;
  scratch.write("b", bytes);
  CHECK(message_of([&] {
          average(paths, scratch.path("mean"));
        }).starts_with(paths[1] + ": damaged: "));
}

TEST_CASE("another recipe is a warning that names file and setting") {
  Scratch scratch;
  const std::string paths[] = {write(scratch, "a", {}), write(scratch, "b", {}),
                               write(scratch, "c", {.recipe = R"({"seed":2,"dropout":0.1})"})};
  std::vector<std::string> warnings;
  average(paths, scratch.path("mean"),
          {.warn = [&](std::string_view text) { warnings.emplace_back(text); }});
  CHECK(warnings == std::vector<std::string>{paths[2] +
                                             ": trained with another recipe: setting 'seed' is 2, "
                                             "in " +
                                             paths[0] + " it is 1"});
}

TEST_CASE("a file that is not a checkpoint is refused, even the first") {
  Scratch scratch;
  const std::uint64_t number[] = {1};
  const Array arrays[] = {{"w", Type::U64, {1}, std::as_bytes(std::span(number))}};
  write_arrays(scratch.path("a"), arrays, {});
  const std::string paths[] = {scratch.path("a")};
  CHECK(message_of([&] { average(paths, scratch.path("mean")); }) ==
        paths[0] + ": no 'awend.config' in its metadata; not a checkpoint of awend");
  write_arrays(scratch.path("a"), arrays, {{"awend.config", "{}"}, {"awend.vocabulary", ""}});
  CHECK(message_of([&] { average(paths, scratch.path("mean")); }) ==
        paths[0] + ": array 'w' is U64 [1], not F32 [1]");
}

}  // namespace
