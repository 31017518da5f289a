// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/sampler.h"

#include <algorithm>

namespace rivulet {

Sampler::Sampler(Ref<Context> context, const SamplerModes &modes,
                 std::vector<cl_sampler_properties> properties)
    : Object(Kind::sampler), context_(std::move(context)), modes_(modes),
      properties_(std::move(properties)) {}

uint32_t Sampler::bits() const {
    // CL_ADDRESS_NONE … CL_ADDRESS_MIRRORED_REPEAT are consecutive, like the bits.
    const uint32_t addressing = (modes_.addressing - CL_ADDRESS_NONE) << 1;
    const auto steps = [](cl_float lod) {
        constexpr cl_float per_level = RVL_SAMPLER_LOD_STEPS;
        constexpr cl_float most = RVL_SAMPLER_LOD_MASK;
        return static_cast<uint32_t>(std::clamp(lod * per_level, 0.0f, most));
    };
    return (modes_.normalized ? RVL_SAMPLER_NORMALIZED : 0) |
           (addressing & RVL_SAMPLER_ADDRESS_MASK) |
           (modes_.filter == CL_FILTER_LINEAR ? RVL_SAMPLER_LINEAR : RVL_SAMPLER_NEAREST) |
           (modes_.mip_filter == CL_FILTER_LINEAR ? RVL_SAMPLER_MIP_LINEAR : 0) |
           steps(modes_.least_lod) << RVL_SAMPLER_LOD_MIN_SHIFT |
           (RVL_SAMPLER_LOD_MASK - steps(modes_.greatest_lod)) << RVL_SAMPLER_LOD_MAX_SHIFT;
}

} // namespace rivulet
