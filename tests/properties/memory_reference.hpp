// An end-to-end memory network in plain loops over doubles (Sukhbaatar et al., 2015), with adjacent
// or layer-wise tying, position encoding, temporal encoding, and attention with or without softmax.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "nn/parameters.hpp"

namespace awend::tests {

class MemoryReference {
 public:
  using Vector = std::vector<double>;
  using Sentence = std::vector<std::uint32_t>;

  MemoryReference(const model::Config& config, const nn::Parameters& parameters) : config_(config) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values_[parameters.name(i)] = parameters.read(parameters.parameter(i));
  }

  /// ln P of each id as the answer.
  Vector log_probabilities(const std::vector<Sentence>& story, const Sentence& question) const {
    const auto& memory = config_.memory;
    const bool is_adjacent = memory.tying == model::HopTying::kAdjacent;
    Vector u = sum(is_adjacent ? "embedding.0" : "question_embedding", question);
    const std::size_t kept = std::min<std::size_t>(story.size(), memory.size);
    for (std::uint32_t hop = 0; hop < memory.hops; ++hop) {
      const std::uint32_t in = is_adjacent ? hop : 0;
      Vector weights(kept), o(config_.d_model);
      double total = static_cast<double>(memory.size - kept);  // empty memories
      for (std::size_t i = 0; i < kept; ++i) {
        weights[i] = dot(u, remembered(in, story, story.size() - kept + i));
        if (uses_softmax()) weights[i] = std::exp(weights[i]);
        total += weights[i];
      }
      for (std::size_t i = 0; i < kept; ++i) {
        Vector c = remembered(in + 1, story, story.size() - kept + i);
        for (double& value : c) value *= uses_softmax() ? weights[i] / total : weights[i];
        add(o, c);
      }
      if (!is_adjacent) u = mapped(u);
      add(u, o);
    }
    const std::string table =
        is_adjacent ? "embedding." + std::to_string(memory.hops) : "projection";
    Vector logits;
    double total = 0;
    for (std::uint32_t id = 0; id < config_.vocabulary; ++id) {
      logits.push_back(dot(u, row(table, id)));
      total += std::exp(logits.back());
    }
    for (double& logit : logits) logit -= std::log(total);
    return logits;
  }

 private:
  bool uses_softmax() const {
    const auto found = values_.find("softmax");
    return found == values_.end() || found->second[0] != 0;
  }
  Vector row(const std::string& table, std::size_t index) const {
    const auto first =
        values_.at(table).begin() + static_cast<std::ptrdiff_t>(index * config_.d_model);
    return {first, first + config_.d_model};
  }
  static void add(Vector& to, const Vector& other) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += other[k];
  }
  static double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
  Vector mapped(const Vector& u) const {
    Vector y(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Vector weights = row("hop", i);
      for (std::size_t k = 0; k < y.size(); ++k) y[k] += u[i] * weights[k];
    }
    return y;
  }
  Vector sum(const std::string& table, const Sentence& words) const {
    Vector y(config_.d_model);
    for (std::size_t j = 0; j < words.size(); ++j) {
      Vector x = row(table, words[j]);
      const double share = static_cast<double>(j + 1) / static_cast<double>(words.size());
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (config_.memory.encoding == nn::BagWeights::kPosition) {
          x[k] *= 2 * ((1 - share) - static_cast<double>(k + 1) / static_cast<double>(x.size()) *
                                         (1 - 2 * share));
        }
      }
      add(y, x);
    }
    return y;
  }
  /// Sentence i of the story by the tables of number `table`.
  Vector remembered(std::uint32_t table, const std::vector<Sentence>& story, std::size_t i) const {
    const std::string number = std::to_string(table);
    Vector memory = sum("embedding." + number, story[i]);
    if (config_.memory.temporal_encoding == model::Switch::kOn)
      add(memory, row("temporal." + number, story.size() - 1 - i));
    return memory;
  }

  model::Config config_;
  std::map<std::string, std::vector<float>> values_;
};

}  // namespace awend::tests
