// Checkpoints in a directory, among other files.
#include "store/checkpoints.hpp"

#include <filesystem>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using awend::tests::message_of;
using awend::tests::Scratch;

TEST_CASE("names sort by step") {
  CHECK(weights_path("run", 1000) == "run/model-00001000.safetensors");
  CHECK(state_path("run/", 123456789) == "run/state-123456789.safetensors");
}

TEST_CASE("a directory is listed by step, other files passed over") {
  Scratch scratch;
  for (auto step : {200, 1000, 30}) scratch.write(weights_path("", step), "");
  scratch.write(state_path("", 200), "");
  scratch.write(state_path("", 5000), "");
  for (auto name :
       {"model-00000400.safetensors.tmp", "model-400.safetensors", "model-0000040x.safetensors",
        "model-.safetensors", "log.tsv", ".model-00000400.safetensors"}) {
    scratch.write(name, "");
  }
  const auto found = list_checkpoints(scratch.folder());
  REQUIRE(found.size() == 3);
  CHECK(found[0].step == 30);
  CHECK(found[1].step == 200);
  CHECK(found[2].step == 1000);
  CHECK(found[2].weights == weights_path(scratch.folder(), 1000));
  CHECK_FALSE(found[2].state);
  CHECK(found[1].state == state_path(scratch.folder(), 200));
  const auto states = states_without_weights(scratch.folder());
  REQUIRE(states.size() == 1);
  CHECK(states[0].step == 5000);
  CHECK(states[0].path == state_path(scratch.folder(), 5000));
  CHECK(states[0].weights == weights_path(scratch.folder(), 5000));
  CHECK(pending_states(scratch.folder()).empty());
  scratch.write(pending_path("", 5000), "");
  REQUIRE(pending_states(scratch.folder()).size() == 1);
  CHECK(pending_states(scratch.folder())[0].path == pending_path(scratch.folder(), 5000));
}

TEST_CASE("names of checkpoints are told from others") {
  for (const auto* name :
       {"model-00000400.safetensors", "state-00000400.safetensors", "state-123456789.safetensors",
        "pending-00000400.safetensors", "best.safetensors"}) {
    CHECK(is_checkpoint_name(name));
  }
  for (const auto* name : {"model-400.safetensors", "model.safetensors", "mine.safetensors",
                           "xmodel-00000400.safetensors", "best", ""}) {
    CHECK_FALSE(is_checkpoint_name(name));
  }
}

TEST_CASE("an empty directory has none, a missing one is an error") {
  Scratch scratch;
  CHECK(list_checkpoints(scratch.folder()).empty());
  CHECK(states_without_weights(scratch.folder()).empty());
  CHECK(message_of([&] { list_checkpoints(scratch.path("no")); }) ==
        scratch.path("no") + ": No such file or directory");
}

TEST_CASE("a directory is resumed from its newest checkpoint with a state") {
  Scratch scratch;
  const auto none =
      scratch.folder() + ": the directory contains no checkpoint with a training state";
  CHECK(message_of([&] { resumable_checkpoint(scratch.folder()); }) == none);
  scratch.write(state_path("", 300), "");
  scratch.write(weights_path("", 400), "");
  CHECK(message_of([&] { resumable_checkpoint(scratch.folder()); }) == none);
  for (const auto step : {100, 200}) {
    scratch.write(weights_path("", step), "");
    scratch.write(state_path("", step), "");
  }
  const auto found = resumable_checkpoint(scratch.folder());
  CHECK(found.weights == weights_path(scratch.folder(), 200));
  CHECK(found.state == state_path(scratch.folder(), 200));
  const auto file = weights_path(scratch.folder(), 400);
  CHECK(resumable_checkpoint(file).weights == file);
  CHECK_FALSE(resumable_checkpoint(file).state);
}

TEST_CASE("a directory is its best model, otherwise its newest") {
  Scratch scratch;
  CHECK(message_of([&] { model_file(scratch.folder()); }) ==
        scratch.folder() +
            ": the directory contains neither best.safetensors nor model-N.safetensors");
  scratch.write(state_path("", 300), "");
  for (auto step : {100, 200}) scratch.write(weights_path("", step), "");
  CHECK(model_file(scratch.folder()) == weights_path(scratch.folder(), 200));
  const auto best = scratch.path("best.safetensors");
  std::filesystem::create_symlink("model-00000050.safetensors", best);
  CHECK(model_file(scratch.folder()) == weights_path(scratch.folder(), 200));
  std::filesystem::remove(best);
  std::filesystem::create_symlink("model-00000100.safetensors", best);
  CHECK(model_file(scratch.folder()) == best);
  CHECK(model_file(weights_path(scratch.folder(), 100)) == weights_path(scratch.folder(), 100));
  CHECK(model_file(scratch.path("missing")) == scratch.path("missing"));
}

}  // namespace
