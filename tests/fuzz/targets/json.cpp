// JSON texts: settings as one flat object, and a text found by its path.
#include "base/error.hpp"
#include "store/json_text.hpp"
#include "store/stored_settings.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {R"({"d_model":512,"norm":"post","x":1e-9,"y":true})",
          R"({"ICD":{"library_path":"a.so"},"list":[1,-2,3e4,null]})"};
}

void fuzz(std::string_view input) {
  (void)store::json_text_at(input, {"ICD", "library_path"});
  try {
    const auto settings = store::Settings::from_json(input, "file");
    (void)store::Settings::from_json(settings.to_json(), "again");
    (void)settings.number("x");
  } catch (const base::Error&) {
    // Most inputs are no flat object, and yet lead to others that json_text_at() takes.
  }
}

}  // namespace awend::tests
