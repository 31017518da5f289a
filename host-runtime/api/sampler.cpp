// SPDX-License-Identifier: Apache-2.0
//
// 5.5: sampler objects.
#include "host-runtime/memory/sampler.h"

#include "host-runtime/device/limits.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using S = const Sampler &;

constexpr auto sampler_queries = queries<Sampler>(
    row(CL_SAMPLER_REFERENCE_COUNT, [](S s) { return s.handle_references(); }),
    row(CL_SAMPLER_CONTEXT, [](S s) { return handle_of<cl_context>(&s.context()); }),
    row(CL_SAMPLER_NORMALIZED_COORDS, [](S s) { return s.normalized(); }),
    row(CL_SAMPLER_ADDRESSING_MODE, [](S s) { return s.addressing(); }),
    row(CL_SAMPLER_FILTER_MODE, [](S s) { return s.filter(); }),
    row(CL_SAMPLER_PROPERTIES, [](S s) { return s.properties(); }));

cl_sampler create_sampler(Context &context, cl_bool normalized, cl_addressing_mode addressing,
                          cl_filter_mode filter, std::vector<cl_sampler_properties> properties) {
    require(addressing >= CL_ADDRESS_NONE && addressing <= CL_ADDRESS_MIRRORED_REPEAT,
            CL_INVALID_VALUE);
    require(filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR, CL_INVALID_VALUE);
    require(normalized == CL_TRUE || normalized == CL_FALSE, CL_INVALID_VALUE);
    // Table 5.19: repeating needs normalized coordinates.
    require(normalized ||
                (addressing != CL_ADDRESS_REPEAT && addressing != CL_ADDRESS_MIRRORED_REPEAT),
            CL_INVALID_VALUE);
    require(image_support, CL_INVALID_OPERATION);
    return give<cl_sampler>(make<Sampler>(Ref<Context>(context), normalized, addressing, filter,
                                          std::move(properties)));
}

} // namespace

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return create_sampler(object, normalized_coords, addressing_mode, filter_mode, {});
    });
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        cl_bool normalized = CL_TRUE;
        cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
        cl_filter_mode filter = CL_FILTER_NEAREST;
        std::vector<cl_sampler_properties> list;
        for (auto *at = properties; at && *at; at += 2) {
            for (size_t earlier = 0; earlier < list.size(); earlier += 2)
                require(list[earlier] != at[0], CL_INVALID_VALUE);
            switch (at[0]) {
            case CL_SAMPLER_NORMALIZED_COORDS:
                normalized = static_cast<cl_bool>(at[1]);
                break;
            case CL_SAMPLER_ADDRESSING_MODE:
                addressing = static_cast<cl_addressing_mode>(at[1]);
                break;
            case CL_SAMPLER_FILTER_MODE:
                filter = static_cast<cl_filter_mode>(at[1]);
                break;
            default:
                fail(CL_INVALID_VALUE);
            }
            list.insert(list.end(), at, at + 2);
        }
        if (properties)
            list.push_back(0);
        return create_sampler(object, normalized, addressing, filter, std::move(list));
    });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) { return retain_entry(sampler); }

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) { return release_entry(sampler); }

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
    return entry(sampler, [&](S object) {
        query(sampler_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
