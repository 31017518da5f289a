// SPDX-License-Identifier: Apache-2.0
//
// 4.4: contexts.
#include <algorithm>

#include "host-runtime/context/context.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

using C = const Context &;

std::vector<cl_device_id> handles_of(C context) {
    std::vector<cl_device_id> handles;
    for (const Ref<Device> &device : context.devices())
        handles.push_back(handle_of<cl_device_id>(device.get()));
    return handles;
}

constexpr auto context_queries = queries<Context>(
    row(CL_CONTEXT_REFERENCE_COUNT, [](C c) { return c.handle_references(); }),
    row(CL_CONTEXT_NUM_DEVICES, [](C c) { return static_cast<cl_uint>(c.devices().size()); }),
    row<handles_of>(CL_CONTEXT_DEVICES),
    row(CL_CONTEXT_PROPERTIES, [](C c) { return c.properties(); }));

/// Table 4.5. The list is stored as given, including the terminating 0.
std::vector<cl_context_properties>
checked_context_properties(const cl_context_properties *properties) {
    std::vector<cl_context_properties> list;
    if (!properties)
        return list;
    for (; *properties; properties += 2) {
        for (size_t earlier = 0; earlier < list.size(); earlier += 2)
            require(list[earlier] != properties[0], CL_INVALID_PROPERTY,
                    "property % is given twice", Hex{static_cast<uint64_t>(properties[0])});
        switch (properties[0]) {
        case CL_CONTEXT_PLATFORM:
            require(bool(find(reinterpret_cast<cl_platform_id>(properties[1]))),
                    CL_INVALID_PLATFORM, "CL_CONTEXT_PLATFORM % is not a platform",
                    Hex{static_cast<uint64_t>(properties[1])});
            break;
        case CL_CONTEXT_INTEROP_USER_SYNC:
            require(properties[1] == CL_TRUE || properties[1] == CL_FALSE, CL_INVALID_PROPERTY,
                    "CL_CONTEXT_INTEROP_USER_SYNC is %, and must be CL_TRUE or CL_FALSE",
                    Hex{static_cast<uint64_t>(properties[1])});
            break;
        case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
            require((properties[1] & ~(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR |
                                       CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR)) == 0,
                    CL_INVALID_PROPERTY, "CL_CONTEXT_MEMORY_INITIALIZE_KHR has unknown bits: %",
                    Hex{static_cast<uint64_t>(properties[1])});
            break;
        default:
            fail(CL_INVALID_PROPERTY, "property % is not known",
                 {Hex{static_cast<uint64_t>(properties[0])}});
        }
        list.insert(list.end(), properties, properties + 2);
    }
    list.push_back(0);
    return list;
}

cl_context create_context(const cl_context_properties *properties, std::vector<Ref<Device>> devices,
                          Context::Notify notify, void *user_data) {
    return give<cl_context>(make<Context>(
        std::move(devices), checked_context_properties(properties), notify, user_data));
}

/// 4.4: the callback also gets errors that occur "during context creation".
cl_context create_and_tell(Context::Notify notify, void *user_data, cl_int *errcode_ret,
                           FunctionRef<cl_context()> body, Caller caller = __builtin_FUNCTION()) {
    const auto told = [&] {
        try {
            return body();
        } catch (const Failure &failure) {
            if (notify)
                run_callback(callback(
                    [=, text = text({caller, ": ", failure_text(failure.code, failure.text)})] {
                        notify(text.c_str(), nullptr, 0, user_data);
                    }));
            throw;
        }
    };
    return create(errcode_ret, told, caller);
}

} // namespace

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                       const cl_device_id *devices, Context::Notify pfn_notify,
                                       void *user_data, cl_int *errcode_ret) {
    return create_and_tell(pfn_notify, user_data, errcode_ret, [&] {
        checked_context_properties(properties);
        require(devices && num_devices > 0, CL_INVALID_VALUE, "num_devices is %, devices is %",
                num_devices, address_of(devices));
        require(pfn_notify || !user_data, CL_INVALID_VALUE,
                "user_data is given without pfn_notify");
        std::vector<Ref<Device>> list;
        for (cl_uint index = 0; index < num_devices; ++index) {
            auto device = checked(devices[index]);
            if (std::ranges::find(list, device) == list.end()) // duplicates are ignored
                list.push_back(std::move(device));
        }
        return create_context(properties, std::move(list), pfn_notify, user_data);
    });
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                               cl_device_type device_type,
                                               Context::Notify pfn_notify, void *user_data,
                                               cl_int *errcode_ret) {
    return create_and_tell(pfn_notify, user_data, errcode_ret, [&] {
        checked_context_properties(properties);
        require(pfn_notify || !user_data, CL_INVALID_VALUE,
                "user_data is given without pfn_notify");
        auto list = devices_of_type(Platform::get(), device_type);
        require_found(list, Platform::get());
        return create_context(properties, std::move(list), pfn_notify, user_data);
    });
}

cl_int CL_API_CALL clRetainContext(cl_context context) { return retain_entry(context); }

cl_int CL_API_CALL clReleaseContext(cl_context context) { return release_entry(context); }

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
    return entry(context, [&](C object) {
        query(context_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *pfn_notify)(cl_context, void *),
                                                  void *user_data) {
    return entry(context, [&](Context &object) {
        require(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
        object.on_destruction(callback([=] { pfn_notify(context, user_data); }));
    });
}
