#include "train/initial_weights.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "model/checkpoint.hpp"
#include "store/weights.hpp"
#include "train/setting_names.hpp"

namespace awend::train {
namespace {

class Extension {
 public:
  Extension(const store::ArrayFile& file, const text::Vocabulary& own,
            const text::Vocabulary& other)
      : file_(file), other_size_(other.size()), partners_(partners(own, other)) {}

  std::size_t known() const {
    return partners_.size() -
           static_cast<std::size_t>(std::count(partners_.begin(), partners_.end(), std::nullopt));
  }

  /// Returns the names of the parameters that it leaves as they are.
  std::vector<std::string> load(TrainedModel& model) const {
    file_.verify();
    auto& parameters = model.parameters();
    const auto own = model::own_heads(model.view(), file_);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& parameter = parameters.parameter(i);
      if (std::ranges::find(own, parameters.name(i)) != own.end()) continue;
      const bool table = model.model().is_table(parameter);
      const std::uint64_t shape[] = {table ? other_size_ : parameter.rows, parameter.columns};
      const auto values = store::Weights(file_, parameters.name(i), shape).read();
      parameters.write(
          parameter,
          table ? extended(parameters.read(parameter), values, parameter.columns) : values);
    }
    return own;
  }

 private:
  /// `initial` with the rows of common pieces from the other table.
  std::vector<float> extended(std::vector<float> initial, std::span<const float> other,
                              std::size_t columns) const {
    for (std::size_t id = 0; id < partners_.size(); ++id) {
      if (!partners_[id]) continue;
      const auto row = other.subspan(*partners_[id] * columns, columns);
      std::copy(row.begin(), row.end(),
                initial.begin() + static_cast<std::ptrdiff_t>(id * columns));
    }
    return initial;
  }

  const store::ArrayFile& file_;
  std::uint64_t other_size_;
  std::vector<std::optional<std::uint32_t>> partners_;
};

void report_initialized(const store::ArrayFile& file, const std::vector<std::string>& labels,
                        const std::vector<std::string>& parameters, const base::Report& report) {
  const auto its = model::read_config(file).bert.labels;
  const auto names = base::join(parameters, ", ");
  if (!its.empty() && !labels.empty() && its != labels) {
    report.warning(base::concat(file.path(), ": its labels are not those of the data, so that ",
                                names, " are initialized"));
  } else {
    report.note(base::concat(file.path(), ": has no such ", names, ", which are initialized"));
  }
}

}  // namespace

std::vector<std::optional<std::uint32_t>> partners(const text::Vocabulary& own,
                                                   const text::Vocabulary& other) {
  std::vector<std::optional<std::uint32_t>> ids(own.size());
  for (std::uint32_t id = 0; id < own.size(); ++id) {
    if (!own.is_special(id)) ids[id] = other.find(own.piece(id));
  }
  ids[own.unknown()] = other.unknown();
  ids[own.end_of_sentence()] = other.end_of_sentence();
  return ids;
}

void load_weights(const InitialWeights& initial, const text::Vocabularies& vocabularies,
                  TrainedModel& model, const base::Report& report) {
  const store::ArrayFile file(initial.path);
  const auto its = model::read_config(file).architecture;
  const auto& architecture = model.model().config().architecture;
  if (its != architecture)
    base::fail(initial.path, ": is of the architecture ", its, ", not ", architecture);
  const auto text = file.metadata_at(store::keys::kVocabulary);
  const auto& vocabulary = vocabularies.target;
  const bool has_own_source = &vocabularies.source != &vocabularies.target;
  const auto source = file.metadata(store::keys::kSourceVocabulary).value_or("");
  const bool same_source = source == (has_own_source ? vocabularies.source.serialize() : "");
  std::vector<std::string> own;
  if (text == vocabulary.serialize() && same_source) {
    own = model::load_shared(model.view(), file);
  } else if (!initial.extends_vocabulary) {
    base::fail(initial.path, ": has another vocabulary; ", kExtendVocabulary,
               " loads the pieces that both have");
  } else if (has_own_source || !source.empty()) {
    base::fail(initial.path, ": ", kExtendVocabulary,
               " needs one vocabulary for source and target, and a side has its own");
  } else {
    const Extension extension(file, vocabulary,
                              text::Vocabulary::parse(text, initial.path + ": vocabulary"));
    own = extension.load(model);
    report.note(base::concat(initial.path, ": ", extension.known(), " of ", vocabulary.size(),
                             " pieces are known, the others are initialized"));
  }
  if (!own.empty()) report_initialized(file, model.model().config().bert.labels, own, report);
  if (model.parameters().keeps_average()) model.parameters().start_average();
}

}  // namespace awend::train
