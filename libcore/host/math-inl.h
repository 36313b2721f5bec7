// Functions of vectors of floats; included once for each instruction set, after Highway's headers.
#if defined(AWEND_HOST_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_MATH_INL
#undef AWEND_HOST_MATH_INL
#else
#define AWEND_HOST_MATH_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// exp(x) for x ≤ 88, with a relative error below 2e-7; 0 where exp(x) is not a normal number, and
/// NaN for NaN.  The polynomial is that of expf() in Cephes.  It takes half the time of hn::Exp(),
/// which makes NaN 0.
template <class Tag>
HWY_INLINE hn::Vec<Tag> exponential(Tag d, hn::Vec<Tag> x) {
  const hn::RebindToSigned<Tag> bits;
  const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  // After this addition the lowest bits are the exponent, with its bias, of the power of two next
  // to exp(x).
  const auto magic = set(12'582'912.0F + 127);
  const auto sum = hn::MulAdd(x, set(1.44269504088896341F), magic);
  const auto power = hn::Sub(sum, magic);
  auto rest = hn::NegMulAdd(power, set(0.693359375F), x);
  rest = hn::MulAdd(power, set(2.12194440e-4F), rest);
  auto y = hn::MulAdd(set(1.9875691500e-4F), rest, set(1.3981999507e-3F));
  y = hn::MulAdd(y, rest, set(8.3334519073e-3F));
  y = hn::MulAdd(y, rest, set(4.1665795894e-2F));
  y = hn::MulAdd(y, rest, set(1.6666665459e-1F));
  y = hn::MulAdd(y, rest, set(5.0000001201e-1F));
  y = hn::Add(hn::MulAdd(y, hn::Mul(rest, rest), rest), set(1));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(bits, sum)));
  return hn::IfThenZeroElse(hn::Lt(x, set(-87.0F)), hn::Mul(y, scale));
}

/// ln x for positive x, and NaN for NaN, of which hn::Log() makes a number.
template <class Tag>
HWY_INLINE hn::Vec<Tag> logarithm(Tag d, hn::Vec<Tag> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Log(d, x));
}

/// max(0, x), and NaN for NaN.
template <class Tag>
HWY_INLINE hn::Vec<Tag> rectified(Tag d, hn::Vec<Tag> x) {
  return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
}

/// The logistic function.
template <class Tag>
HWY_INLINE hn::Vec<Tag> sigmoid(Tag d, hn::Vec<Tag> z) {
  const auto one = hn::Set(d, 1.0F);
  const auto power = exponential(d, hn::Min(hn::Neg(z), hn::Set(d, 88.0F)));
  return hn::Div(one, hn::Add(one, hn::IfThenElse(hn::IsNaN(z), z, power)));
}

/// The hyperbolic tangent.
template <class Tag>
HWY_INLINE hn::Vec<Tag> hyperbolic(Tag d, hn::Vec<Tag> z) {
  const auto two = hn::Set(d, 2.0F);
  return hn::MulSub(two, sigmoid(d, hn::Mul(two, z)), hn::Set(d, 1.0F));
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
