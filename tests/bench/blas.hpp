// OpenBLAS, the rival of our matrix products.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "nn/matmul/matmul.hpp"

namespace awend::bench {

/// A product as nn::Form writes it: a is (rows, inner), c (rows, columns); in the TN form c is
/// (inner, columns) and rows are summed over.
struct Shape {
  nn::Form form;
  std::uint32_t rows;
  std::uint32_t inner;
  std::uint32_t columns;

  double flops() const { return 2.0 * rows * inner * columns; }
  std::uint32_t b_rows() const {
    if (form == nn::Form::kTN) return rows;
    return form == nn::Form::kNN ? inner : columns;
  }
  std::uint32_t b_columns() const { return form == nn::Form::kNT ? inner : columns; }
  std::uint32_t c_rows() const { return form == nn::Form::kTN ? inner : rows; }
};

/// OpenBLAS in a separate program (blas_server.cpp), which is stopped while the device is
/// measured: its threads look for more work long after a call, and would take a core from lavapipe.
class BlasProcess {
 public:
  explicit BlasProcess(unsigned threads);
  ~BlasProcess();
  BlasProcess(const BlasProcess&) = delete;
  BlasProcess& operator=(const BlasProcess&) = delete;

  /// Version and kind of processor; empty if OpenBLAS was not found when the bench was built.
  const std::string& name() const { return name_; }
  /// Seconds of one product, over some milliseconds.  Throws Error if the process is gone.
  double seconds(const Shape& shape) const;

 private:
  pid_t process_ = -1;
  int ask_ = -1;
  int answer_ = -1;
  std::string name_;
};

}  // namespace awend::bench
