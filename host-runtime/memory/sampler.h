// SPDX-License-Identifier: Apache-2.0
//
// cl_sampler (5.5).
#pragma once

#include <limits>
#include <vector>

#include "hal/protocol/launch.h"
#include "host-runtime/context/context.h"

namespace rivulet {

/// The modes of Table 5.19, and those of cl_khr_mipmap_image.
struct SamplerModes {
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    cl_filter_mode mip_filter = CL_FILTER_NEAREST;
    cl_float least_lod = 0;
    cl_float greatest_lod = std::numeric_limits<cl_float>::max();
};

class Sampler final : public Object {
public:
    Sampler(Ref<Context> context, const SamplerModes &modes,
            std::vector<cl_sampler_properties> properties);

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const SamplerModes &modes() const { return modes_; }
    [[nodiscard]] const std::vector<cl_sampler_properties> &properties() const {
        return properties_;
    }

    /// The kernel argument: RVL_SAMPLER_… bits.
    [[nodiscard]] uint32_t bits() const;

private:
    const Ref<Context> context_;
    const SamplerModes modes_;
    const std::vector<cl_sampler_properties> properties_;
};

} // namespace rivulet
