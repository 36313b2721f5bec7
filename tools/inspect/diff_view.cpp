#include "inspect/diff_view.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/format.hpp"
#include "inspect/layout.hpp"
#include "inspect/parameters.hpp"
#include "model/checkpoint.hpp"
#include "store/array_file.hpp"
#include "store/weights.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {
namespace {

/// |A - B| / |A| in the Euclidean norm, and the largest difference of two numbers.
struct Distance {
  double squares = 0, squares_of_a = 0, largest = 0;
  bool finite = true;

  double relative() const { return squares == 0 ? 0 : std::sqrt(squares / squares_of_a); }
};

/// The difference of weights that both have, in any type.
Distance distance_of(const store::Weights& a, const store::Weights& b) {
  Distance distance;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    distance.finite = distance.finite && std::isfinite(x) && std::isfinite(y);
    distance.squares += (x - y) * (x - y);
    distance.squares_of_a += x * x;
    distance.largest = std::max(distance.largest, std::abs(x - y));
  }
  return distance;
}

/// Arrays of one shape and one type, or weights of one shape.
bool comparable(const store::Array& a, const store::Array& b) {
  return a.shape == b.shape && (a.type == b.type || (are_weights(a) && are_weights(b)));
}

bool same_bytes(const store::Array& a, const store::Array& b) {
  return a.type == b.type && a.shape == b.shape && std::ranges::equal(a.bytes, b.bytes);
}

/// Settings with different values; files lack those that have their usual value or are of another
/// architecture.
std::string settings_text(std::string_view heading, const store::Settings& a,
                          const store::Settings& b) {
  Columns columns;
  bool differ = false;
  const auto tell = [&](const std::string& name) {
    const auto of_a = a.find(name), of_b = b.find(name);
    if (of_a == of_b) return;
    columns.add({name, of_a.value_or("-"), of_b.value_or("-")});
    differ = true;
  };
  for (const auto& [name, value] : a.entries()) tell(name);
  for (const auto& [name, value] : b.entries()) {
    if (!a.find(name)) tell(name);
  }
  return differ ? base::concat("\n", heading, "\n", columns.text()) : "";
}

store::Settings search_of(const store::ArrayFile& file) {
  const auto settings = file.metadata(store::keys::kSearch);
  return settings ? store::Settings::from_json(*settings, file.path()) : store::Settings();
}

/// Arrays that only one has, or that have different shapes.
std::string shapes_text(const store::ArrayFile& a, const store::ArrayFile& b) {
  Columns columns;
  bool differ = false;
  const auto tell = [&](const store::Array& array, std::string_view of_a, std::string_view of_b) {
    columns.add({array.name, std::string(of_a), std::string(of_b)});
    differ = true;
  };
  for (const auto& array : a.arrays()) {
    if (store::is_scales(a, array)) continue;
    const auto* other = b.find(array.name);
    const auto text = store::describe(array.type, array.shape);
    if (other == nullptr) {
      tell(array, text, "none");
    } else if (!comparable(array, *other)) {
      tell(array, text, store::describe(other->type, other->shape));
    }
  }
  for (const auto& array : b.arrays()) {
    if (a.find(array.name) == nullptr && !store::is_scales(b, array))
      tell(array, "none", store::describe(array.type, array.shape));
  }
  return differ ? "\nArrays that only one has, or of other shapes\n" + columns.text() : "";
}

std::vector<std::string> distance_row(const std::string& name, const Distance& distance) {
  if (!distance.finite) return {name, "not finite", "-"};
  return {name, base::significant(distance.relative(), 4), base::significant(distance.largest, 4)};
}

/// The differences of the weights that both have.
std::string distances_text(const store::ArrayFile& a, const store::ArrayFile& b,
                           cli::Progress* progress) {
  std::uint64_t seen = 0, total = 0;
  for (const auto& array : a.arrays()) total += store::count_of(array.shape);
  Columns columns;
  columns.add({"", "|A - B| / |A|", "largest"});
  Distance all;
  std::uint64_t same = 0, differ = 0;
  for (const auto& array : a.arrays()) {
    if (progress != nullptr)
      progress->update(
          {.done = seen, .share = static_cast<double>(seen) / static_cast<double>(total)});
    seen += store::count_of(array.shape);
    const auto* other = b.find(array.name);
    if (other == nullptr || !comparable(array, *other) || store::is_scales(a, array)) continue;
    const bool weights = are_weights(array);
    const auto distance =
        weights ? distance_of({a, array.name, array.shape}, {b, array.name, array.shape})
                : Distance{};
    all.squares += distance.squares;
    all.squares_of_a += distance.squares_of_a;
    all.largest = std::max(all.largest, distance.largest);
    // Integers may be equal although their scales differ.
    if (same_bytes(array, *other) && (array.type != store::Type::I8 || distance.squares == 0)) {
      ++same;
      continue;
    }
    ++differ;
    if (weights) {
      columns.add(distance_row(array.name, distance));
    } else {
      columns.add({array.name, "other", "-"});
    }
  }
  if (differ == 0) return "";
  if (std::isfinite(all.squares)) {
    columns.add({"all that both have", base::significant(all.relative(), 4),
                 base::significant(all.largest, 4)});
  }
  std::string out = "\nWeights that differ\n" + columns.text();
  if (same > 0) out += base::concat("  ", same, " arrays are the same\n");
  return out;
}

std::optional<text::Vocabulary> vocabulary_of(const store::ArrayFile& file, std::string_view key) {
  const auto content = file.metadata(key);
  if (!content) return std::nullopt;
  return text::Vocabulary::parse(*content, file.path());
}

std::string vocabularies_text(std::string_view title, std::string_view key,
                              const store::ArrayFile& a, const store::ArrayFile& b) {
  if (a.metadata(key) == b.metadata(key)) return "";
  const auto of_a = vocabulary_of(a, key), of_b = vocabulary_of(b, key);
  std::string out = base::concat("\n", title, "\n");
  if (!of_a || !of_b) return out + base::concat("  only ", of_a ? "A" : "B", " has one\n");
  std::uint64_t both = 0, moved = 0;
  for (std::uint32_t id = 0; id < of_a->size(); ++id) {
    const auto other = of_b->find(of_a->piece(id));
    both += other ? 1 : 0;
    moved += other && *other != id ? 1 : 0;
  }
  Columns columns;
  columns.add({"pieces that both have", grouped(both)});
  columns.add({"... with another id", grouped(moved)});
  columns.add({"only in A", grouped(of_a->size() - both)});
  columns.add({"only in B", grouped(of_b->size() - both)});
  return out + columns.text();
}

}  // namespace

std::string diff_text(const std::string& a, const std::string& b, cli::Progress* progress) {
  const store::ArrayFile file_a(a), file_b(b);
  for (const auto* file : {&file_a, &file_b}) file->verify();
  const auto config_a = model::read_config(file_a), config_b = model::read_config(file_b);
  const auto found =
      settings_text("Settings that differ", model::to_settings(config_a),
                    model::to_settings(config_b)) +
      settings_text("Defaults of the search that differ", search_of(file_a), search_of(file_b)) +
      shapes_text(file_a, file_b) + distances_text(file_a, file_b, progress) +
      vocabularies_text("Vocabularies", store::keys::kVocabulary, file_a, file_b) +
      vocabularies_text("Vocabularies of the source", store::keys::kSourceVocabulary, file_a,
                        file_b);
  const auto named = [](std::string_view letter, const store::ArrayFile& file) {
    const auto step = file.metadata(store::keys::kStep);
    return base::concat(letter, "  ", file.path(), step ? ", updates: " + *step : "", "\n");
  };
  const auto names = named("A", file_a) + named("B", file_b);
  return names + (found.empty()
                      ? "the same: settings, defaults of the search, weights and vocabulary\n"
                      : found);
}

}  // namespace awend::tools
