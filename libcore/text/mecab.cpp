#include "text/mecab.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace awend::text {
namespace {

constexpr char kLibrary[] = "libmecab.so.2";

// The interface of MeCab 0.996, as declared in mecab.h.  All pointers except texts are opaque.
struct Dictionary {
  const char* path;
  const char* encoding;
  unsigned int size;
  int type;
  unsigned int left_size, right_size;
  unsigned short version;
  const Dictionary* next;
};
struct Functions {
  const char* (*version)();
  void* (*new_model)(int argc, char** argv);
  void (*destroy_model)(void* model);
  void* (*new_tagger)(void* model);
  void (*destroy_tagger)(void* tagger);
  void* (*new_lattice)(void* model);
  void (*destroy_lattice)(void* lattice);
  void (*set_sentence)(void* lattice, const char* text, std::size_t size);
  int (*parse)(void* tagger, void* lattice);
  const char* (*text)(void* lattice);
  const char* (*lattice_error)(void* lattice);
  const Dictionary* (*dictionary)(void* model);
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr)
    base::fail(kLibrary, ": does not contain ", name, ", which MeCab 0.996 has");
}

Functions find_all(void* library) {
  Functions all{};
  find(library, "mecab_version", all.version);
  find(library, "mecab_model_new", all.new_model);
  find(library, "mecab_model_destroy", all.destroy_model);
  find(library, "mecab_model_new_tagger", all.new_tagger);
  find(library, "mecab_destroy", all.destroy_tagger);
  find(library, "mecab_model_new_lattice", all.new_lattice);
  find(library, "mecab_lattice_destroy", all.destroy_lattice);
  find(library, "mecab_lattice_set_sentence2", all.set_sentence);
  find(library, "mecab_parse_lattice", all.parse);
  find(library, "mecab_lattice_tostr", all.text);
  find(library, "mecab_lattice_strerror", all.lattice_error);
  find(library, "mecab_model_dictionary_info", all.dictionary);
  return all;
}

using Owned = std::unique_ptr<void, void (*)(void*)>;

bool is_utf8(std::string name) {
  std::erase(name, '-');
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return name == "utf8";
}

}  // namespace

struct Mecab::State {
  Owned library, model, tagger;
  Functions mecab;
  const Dictionary* dictionary;
};

Mecab::Mecab(const std::string& directory) {
  Owned library(::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL), [](void* opened) { ::dlclose(opened); });
  if (!library) base::fail(kLibrary, ": cannot be loaded; Debian has it in the package libmecab2");
  const Functions mecab = find_all(library.get());
  // An empty settings file, because the settings of the machine may add a user dictionary.
  std::string arguments[] = {"mecab", "-r", "/dev/null", "-d", directory, "-O", "wakati"};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  Owned model(mecab.new_model(static_cast<int>(pointers.size()), pointers.data()),
              mecab.destroy_model);
  const auto* dictionary = model ? mecab.dictionary(model.get()) : nullptr;
  if (dictionary == nullptr) base::fail(directory, ": does not contain a MeCab dictionary");
  if (!is_utf8(dictionary->encoding))
    base::fail(directory, ": the dictionary is in ", dictionary->encoding, ", expected UTF-8");
  Owned tagger(mecab.new_tagger(model.get()), mecab.destroy_tagger);
  if (!tagger) base::fail(directory, ": MeCab cannot use the dictionary");
  state_ = std::make_unique<State>(
      State{std::move(library), std::move(model), std::move(tagger), mecab, dictionary});
}

Mecab::~Mecab() = default;
Mecab::Mecab(Mecab&&) noexcept = default;
Mecab& Mecab::operator=(Mecab&&) noexcept = default;

std::string Mecab::words(std::string_view line) const {
  const Functions& mecab = state_->mecab;
  const Owned lattice(mecab.new_lattice(state_->model.get()), mecab.destroy_lattice);
  base::check(lattice != nullptr, "MeCab creates a lattice");
  mecab.set_sentence(lattice.get(), line.data(), line.size());
  if (mecab.parse(state_->tagger.get(), lattice.get()) == 0)
    base::fail("MeCab cannot split a line: ", mecab.lattice_error(lattice.get()));
  return mecab.text(lattice.get());
}

std::string Mecab::version() const {
  return state_->mecab.version();
}

std::size_t Mecab::size() const {
  return state_->dictionary->size;
}

}  // namespace awend::text
