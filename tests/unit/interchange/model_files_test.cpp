#include "interchange/model_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;

TEST_CASE("only the files of a directory are read") {
  const Scratch scratch;
  scratch.write("secret", "x");
  std::filesystem::create_directory(scratch.path("model"));
  scratch.write("model/a", "A");
  ModelFiles files(scratch.path("model"));
  CHECK(files.names() == std::vector<std::string>{"a"});
  CHECK(files.text("a") == "A");
  CHECK(message_of([&] { files.bytes("../secret"); }) ==
        scratch.path("model") + "/../secret: no such file");
  ModelFiles file(scratch.path("model/a"));
  CHECK(file.named() == "a");
  CHECK(message_of([&] { ModelFiles(scratch.path("model/b")); }) ==
        scratch.path("model/b") + ": No such file or directory");
}

TEST_CASE("compressed files have the names of their contents") {
  const Scratch scratch;
  scratch.write("both.yml", "plain");
  for (const char* const command :
       {"printf content | gzip > model.bin.gz", "printf other | gzip > vocab.spm.zst",
        "printf x | gzip > both.yml.gz", "head -c 1000000 /dev/zero | gzip > zeros.gz",
        "printf text > no.gz"})
    REQUIRE(std::system(awend::base::concat("cd ", scratch.folder(), " && ", command).c_str()) ==
            0);
  ModelFiles files(scratch.folder());
  CHECK(files.names() == std::vector<std::string>{"both.yml", "both.yml.gz", "model.bin", "no",
                                                  "vocab.spm", "zeros"});
  CHECK(files.text("model.bin") == "content");
  CHECK(files.text("model.bin") == "content");
  CHECK(files.text("vocab.spm") == "other");
  CHECK(files.text("both.yml") == "plain");
  CHECK(files.text("no") == "text");
  CHECK(files.path_of("model.bin") == scratch.path("model.bin.gz"));
  CHECK(message_of([&] { files.text("zeros"); }).starts_with(scratch.path("zeros.gz") + ": "));
  ModelFiles named(scratch.path("model.bin.gz"));
  CHECK(named.named() == "model.bin");
  CHECK(named.text("model.bin") == "content");
}

TEST_CASE("a pointer of Git LFS is no model") {
  const Scratch scratch;
  const auto path =
      scratch.write("model.npz", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
  ModelFiles files(path);
  CHECK(message_of([&] { read_model(files); }) ==
        path + ": this is a Git LFS pointer; fetch the file itself (git lfs pull)");
}

TEST_CASE("models are recognized by their content") {
  const auto npz = zip_of({{"W.npy", npy_of("(1,)", {1})}});
  const auto torch =
      torch_zip_of(pickled::dictionary({{"model", "}"}, {"args", "N"}}), {{"0", {1}}});
  const auto found = [](std::map<std::string, std::string> contents) {
    ModelFiles files(std::move(contents));
    const auto model = find_model(files);
    return std::string(name_of(model.format)) + " " + model.name;
  };
  CHECK(found({{"model.npz", npz}}) == "Marian model.npz");
  CHECK(found({{"x.bin", marian_binary_of({{"W", 0x404, {1}, bytes_of(1.f)}})}}) == "Marian x.bin");
  CHECK(found({{"x.pt", torch}}) == "fairseq x.pt");
  CHECK(message_of([&] { found({{"a", "x"}}); }) == ": no model of a known format");
  CHECK(message_of([&] {
          found({{"a.npz", npz}, {"b.npz", npz}});
        }) == ": several models (a.npz, b.npz); name one of these files");
}

TEST_CASE("damaged settings of Hugging Face are named") {
  for (const std::string config : {"", "{"}) {
    auto contents = hugging_face_contents();
    contents["config.json"] = config;
    ModelFiles files(contents);
    CHECK(message_of([&] { read_model(files); }).starts_with("config.json: not JSON at byte "));
  }
}

TEST_CASE("the index of another tool is not that of the weights") {
  auto contents = hugging_face_contents();
  contents["search.index.json"] = "[]";
  ModelFiles files(contents);
  CHECK(read_model(files).vocabulary->size() == 4);
}

TEST_CASE("dictionaries of fairseq have each token once, and are the same if embeddings are") {
  const auto complaint = [](const Contents& contents) {
    return message_of([&] {
      ModelFiles files(contents);
      read_model(files);
    });
  };
  auto contents = fairseq_contents();
  contents["dict.a.txt"] = "x 3\nx 2\n";
  CHECK(complaint(contents).ends_with("dict.a.txt: token 'x' occurs twice"));
  contents["dict.a.txt"] = "x 3\n</s> 2\n";
  CHECK(complaint(contents).ends_with("dict.a.txt: token '</s>' occurs twice"));
  contents = fairseq_contents();
  auto& weights = contents.at("model.pt");
  const std::string setting = "target_lang";
  const auto language = weights.find("a", weights.find(setting) + setting.size());
  weights[language] = 'b';
  contents["dict.b.txt"] = "y 2\nx 3\n";
  CHECK(complaint(contents).ends_with("needs the same dictionary on both sides"));
  contents["dict.b.txt"] = contents["dict.a.txt"];
  CHECK(complaint(contents).empty());
}

TEST_CASE("the files that an index names are those of the model") {
  const auto weights = torch_zip_of(pickled::dictionary({{"w", "N"}}), {{"0", {1}}});
  std::map<std::string, std::string> contents = {
      {"config.json", R"({"model_type": "bert"})"},
      {"model.safetensors.index.json", R"({"weight_map": {"w": "a.safetensors"}})"}};
  for (const char* name : {"a.safetensors", "b.safetensors", "pytorch_model.bin"})
    contents[name] = weights;
  const auto found = [&] {
    ModelFiles files(contents);
    return find_model(files).name;
  };
  CHECK(found() == "a.safetensors");
  contents["model.safetensors.index.json"] = "{}";
  CHECK(message_of(found) == "model.safetensors.index.json: no member 'weight_map'");
}

TEST_CASE("in a directory of Hugging Face, the weights are found among other files") {
  const auto weights = torch_zip_of(pickled::dictionary({{"w", "N"}}), {{"0", {1}}});
  const auto found = [&](std::initializer_list<std::string> names) {
    std::map<std::string, std::string> contents = {{"config.json", R"({"model_type": "bert"})"}};
    for (const auto& name : names) contents[name] = weights;
    ModelFiles files(std::move(contents));
    return find_model(files).name;
  };
  // As a trainer saves checkpoints.
  CHECK(found({"optimizer.pt", "pytorch_model.bin", "rng_state.pth", "scheduler.pt",
               "training_args.bin"}) == "pytorch_model.bin");
  CHECK(found({"pytorch_model-00001-of-00002.bin", "pytorch_model-00002-of-00002.bin",
               "training_args.bin"}) == "pytorch_model-00002-of-00002.bin");
  CHECK(found({"adapter.bin", "pytorch_model.bin", "tokens.pt"}) == "pytorch_model.bin");
  CHECK(found({"weights.bin"}) == "weights.bin");
  // What transformers read is not the last one.
  CHECK(found({"adapter.safetensors", "model.safetensors", "model_pruned.safetensors",
               "pytorch_lora_weights.safetensors"}) == "model.safetensors");
  CHECK(found({"pytorch_model.bin", "pytorch_model_2.bin"}) == "pytorch_model.bin");
  CHECK(found({"model.safetensors", "pytorch_model.bin"}) == "model.safetensors");
  CHECK(message_of([&] {
          found({"optimizer.bin", "scaler.pt"});
        }) == ": no model of a known format");
}

}  // namespace
