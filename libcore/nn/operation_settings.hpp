// Settings of operations that models and runs store, without the operations.
#pragma once

namespace awend::nn {

/// The factor of the rows of an embedding table: √d_model, as in the paper, or 1.
enum class EmbeddingScale { kRootOfColumns, kOne };

/// Weights of the words of a sentence that is represented by a sum of their embeddings.  kPosition
/// is the position encoding of Sukhbaatar et al. (2015) with the scale of their program: word j of
/// J has in column k of d the weight 2 ((1 − j/J) − (k/d)(1 − 2j/J)).
enum class BagWeights { kOne, kPosition };

/// Which parameters weight decay shrinks; kMatrices leaves out those of one row or column, which
/// are biases and the gains and biases of normalizations.
enum class WeightDecayOf { kAll, kMatrices };

/// Decoupled weight decay (Loshchilov and Hutter, 2019): each update subtracts
/// learning rate · rate · parameter.
struct WeightDecay {
  double rate = 0;
  WeightDecayOf of = WeightDecayOf::kAll;
};

/// How the attention of a head is compared with word alignments: the cross entropy, or half of the
/// squared error of all weights.
enum class AlignmentCost { kCrossEntropy, kSquaredError };

/// Guided alignment (Chen et al., 2016): the loss includes `weight` times the cost.
struct GuidedAlignment {
  AlignmentCost cost = AlignmentCost::kCrossEntropy;
  double weight = 0.1;

  bool operator==(const GuidedAlignment&) const = default;
};

struct AdamSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  WeightDecay weight_decay = {};
};

/// The matrices of layers are updated by Muon (Jordan et al., 2024), all other parameters by Adam.
/// Both have the learning rate, and the weight decay, of `adam`.
struct MuonSettings {
  double momentum = 0.95;
  AdamSettings adam = {};
};

}  // namespace awend::nn
