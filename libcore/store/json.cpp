#include "store/json.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::store {
namespace {

using Json = nlohmann::json;

// Valid inputs have at most six levels; each level takes memory.
constexpr std::size_t kMaxDepth = 32;

// Builds the value of a text.  The callbacks of nlohmann's own builder make it search all values of
// an array or object whenever one of them ends.
class TreeReader : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    const auto [member, is_new] = open_.back()->emplace(name, nullptr);
    if (!is_new) base::fail("'", name, "' is duplicated");
    member_ = &*member;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const Json::exception& error) override {
    constexpr int kOutOfRange = 406;
    if (error.id == kOutOfRange) base::fail("a number in the JSON text is out of range");
    base::fail("not JSON at byte ", position);
  }

 private:
  // The place of the next value.
  Json& place() {
    if (open_.empty()) return root_;
    return open_.back()->is_array() ? open_.back()->emplace_back(nullptr) : *member_;
  }

  bool add(Json value) {
    place() = std::move(value);
    return true;
  }

  bool open(Json value) {
    if (open_.size() > kMaxDepth) base::fail("nested more than ", kMaxDepth, " levels deep");
    Json& opened = place();
    opened = std::move(value);
    open_.push_back(&opened);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // arrays and objects, each in the one before it
  Json* member_ = nullptr;   // of the last object that is open, for the next value
};

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  TreeReader reader;
  Json::sax_parse(text, &reader);
  return reader.take();
}

std::string_view valid_utf8(std::string_view text) {
  if (base::find_invalid_utf8(text) != std::string_view::npos)
    base::fail("a name or a text is not UTF-8");
  return text;
}

}  // namespace awend::store
