// The kernels of op_muon.comp: the update of matrices by orthogonal directions.
#ifndef AWEND_SHADERS_OP_MUON_H
#define AWEND_SHADERS_OP_MUON_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define MUON_MOMENTUM_CONSTANTS(CONSTANT)
#define MUON_MOMENTUM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, float, squared_norm, 2) /* (1, 2), the first number is used */ \
  UPDATES(3, vec4, gradients, 1) \
  UPDATES(4, vec4, m, 1) \
  WRITES(5, vec4, u, 1)
#define MUON_MOMENTUM_PUSH(FIELD) \
  FIELD(count, floats_count) \
  FIELD(float, momentum)
KERNEL(muon_momentum, MuonMomentum, MUON_MOMENTUM)

// Below this, |X|² is taken for that of zeros.
#define MUON_LEAST_SQUARES 1e-30F

#define MUON_POLYNOMIAL_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, NORMALIZE, normalize, 0) /* 1: for X / |X| */
#define MUON_POLYNOMIAL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, a, COLUMNS) \
  UPDATES(2, vec4, square, COLUMNS) /* a a; becomes the polynomial */
#define MUON_POLYNOMIAL_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, constant) \
  FIELD(float, linear) \
  FIELD(float, quadratic)
KERNEL(muon_polynomial, MuonPolynomial, MUON_POLYNOMIAL)

#define MUON_UPDATE_CONSTANTS(CONSTANT)
#define MUON_UPDATE_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, float, squared_norm, 2) /* (1, 2), the first number is used */ \
  READS(3, vec4, direction, 1) \
  UPDATES(4, vec4, x, 1)
#define MUON_UPDATE_PUSH(FIELD) \
  FIELD(count, floats_count) \
  FIELD(float, scale) \
  FIELD(float, weight_decay)
KERNEL(muon_update, MuonUpdate, MUON_UPDATE)

#endif
