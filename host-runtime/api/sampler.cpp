// SPDX-License-Identifier: Apache-2.0
//
// 5.5: sampler objects.
#include "host-runtime/memory/sampler.h"

#include <bit>

#include "host-runtime/device/limits.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using S = const Sampler &;

constexpr auto sampler_queries = queries<Sampler>(
    row(CL_SAMPLER_REFERENCE_COUNT, [](S s) { return s.handle_references(); }),
    row(CL_SAMPLER_CONTEXT, [](S s) { return handle_of<cl_context>(&s.context()); }),
    row(CL_SAMPLER_NORMALIZED_COORDS, [](S s) { return s.modes().normalized; }),
    row(CL_SAMPLER_ADDRESSING_MODE, [](S s) { return s.modes().addressing; }),
    row(CL_SAMPLER_FILTER_MODE, [](S s) { return s.modes().filter; }),
    row(CL_SAMPLER_MIP_FILTER_MODE_KHR, [](S s) { return s.modes().mip_filter; }),
    row(CL_SAMPLER_LOD_MIN_KHR, [](S s) { return s.modes().least_lod; }),
    row(CL_SAMPLER_LOD_MAX_KHR, [](S s) { return s.modes().greatest_lod; }),
    row(CL_SAMPLER_PROPERTIES, [](S s) { return s.properties(); }));

cl_sampler create_sampler(Context &context, const SamplerModes &modes,
                          std::vector<cl_sampler_properties> properties) {
    const auto is_filter = [](cl_filter_mode mode) {
        return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
    };
    require(modes.addressing >= CL_ADDRESS_NONE && modes.addressing <= CL_ADDRESS_MIRRORED_REPEAT,
            CL_INVALID_VALUE, "addressing_mode % is invalid", Hex{modes.addressing});
    require(is_filter(modes.filter) && is_filter(modes.mip_filter), CL_INVALID_VALUE,
            "filter_mode % or mip filter mode % is invalid", Hex{modes.filter},
            Hex{modes.mip_filter});
    require(modes.normalized == CL_TRUE || modes.normalized == CL_FALSE, CL_INVALID_VALUE,
            "normalized_coords is %, and must be CL_TRUE or CL_FALSE", modes.normalized);
    // Table 5.19: repeat modes require normalized coordinates.
    require(modes.normalized || (modes.addressing != CL_ADDRESS_REPEAT &&
                                 modes.addressing != CL_ADDRESS_MIRRORED_REPEAT),
            CL_INVALID_VALUE, "addressing_mode % repeats, which needs normalized_coords",
            Hex{modes.addressing});
    require(modes.least_lod >= 0 && modes.least_lod <= modes.greatest_lod, CL_INVALID_VALUE,
            "CL_SAMPLER_LOD_MIN_KHR must be at least 0 and at most CL_SAMPLER_LOD_MAX_KHR");
    require(image_support, CL_INVALID_OPERATION, "images are not supported");
    return give<cl_sampler>(make<Sampler>(Ref<Context>(context), modes, std::move(properties)));
}

} // namespace

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        return create_sampler(object, {normalized_coords, addressing_mode, filter_mode}, {});
    });
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret) {
    return create(context, errcode_ret, [&](Context &object) {
        SamplerModes modes;
        std::vector<cl_sampler_properties> list;
        for (auto *at = properties; at && *at; at += 2) {
            for (size_t earlier = 0; earlier < list.size(); earlier += 2)
                require(list[earlier] != at[0], CL_INVALID_VALUE, "property % is given twice",
                        Hex{at[0]});
            const auto value = static_cast<cl_uint>(at[1]);
            switch (at[0]) {
            case CL_SAMPLER_NORMALIZED_COORDS:
                modes.normalized = value;
                break;
            case CL_SAMPLER_ADDRESSING_MODE:
                modes.addressing = value;
                break;
            case CL_SAMPLER_FILTER_MODE:
                modes.filter = value;
                break;
            case CL_SAMPLER_MIP_FILTER_MODE_KHR:
                modes.mip_filter = value;
                break;
            case CL_SAMPLER_LOD_MIN_KHR: // a float's bits
                modes.least_lod = std::bit_cast<cl_float>(value);
                break;
            case CL_SAMPLER_LOD_MAX_KHR:
                modes.greatest_lod = std::bit_cast<cl_float>(value);
                break;
            default:
                fail(CL_INVALID_VALUE, "property % is not known", {Hex{at[0]}});
            }
            list.insert(list.end(), at, at + 2);
        }
        if (properties)
            list.push_back(0);
        return create_sampler(object, modes, std::move(list));
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
