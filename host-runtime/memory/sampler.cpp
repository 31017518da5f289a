// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/sampler.h"

namespace rivulet {

Sampler::Sampler(Ref<Context> context, cl_bool normalized, cl_addressing_mode addressing,
                 cl_filter_mode filter, std::vector<cl_sampler_properties> properties)
    : Object(Kind::sampler), context_(std::move(context)), normalized_(normalized),
      addressing_(addressing), filter_(filter), properties_(std::move(properties)) {}

uint32_t Sampler::bits() const {
    // CL_ADDRESS_NONE … CL_ADDRESS_MIRRORED_REPEAT follow each other, as the bits do.
    const uint32_t addressing = (addressing_ - CL_ADDRESS_NONE) << 1;
    return (normalized_ ? RVL_SAMPLER_NORMALIZED : 0) | (addressing & RVL_SAMPLER_ADDRESS_MASK) |
           (filter_ == CL_FILTER_LINEAR ? RVL_SAMPLER_LINEAR : RVL_SAMPLER_NEAREST);
}

} // namespace rivulet
