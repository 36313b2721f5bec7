// Checkpoints in a folder, among other files.
#include "store/checkpoints.hpp"

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

TEST_CASE("a folder is listed by step, other files passed over") {
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
  CHECK(latest_resumable(scratch.folder())->step == 200);
}

TEST_CASE("an empty folder has none, a missing one is an error") {
  Scratch scratch;
  CHECK(list_checkpoints(scratch.folder()).empty());
  CHECK_FALSE(latest_resumable(scratch.folder()));
  CHECK(message_of([&] { list_checkpoints(scratch.path("no")); }) ==
        scratch.path("no") + ": No such file or directory");
}

}  // namespace
