// SPDX-License-Identifier: Apache-2.0
//
// cl_sampler (5.5).
#pragma once

#include <vector>

#include "hal/protocol/launch.h"
#include "host-runtime/device/context.h"

namespace rivulet {

class Sampler final : public Object {
public:
    Sampler(Ref<Context> context, cl_bool normalized, cl_addressing_mode addressing,
            cl_filter_mode filter, std::vector<cl_sampler_properties> properties);

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] cl_bool normalized() const { return normalized_; }
    [[nodiscard]] cl_addressing_mode addressing() const { return addressing_; }
    [[nodiscard]] cl_filter_mode filter() const { return filter_; }
    [[nodiscard]] const std::vector<cl_sampler_properties> &properties() const {
        return properties_;
    }

    /// What a kernel gets: RVL_SAMPLER_… bits.
    [[nodiscard]] uint32_t bits() const;

private:
    const Ref<Context> context_;
    const cl_bool normalized_;
    const cl_addressing_mode addressing_;
    const cl_filter_mode filter_;
    const std::vector<cl_sampler_properties> properties_;
};

} // namespace rivulet
