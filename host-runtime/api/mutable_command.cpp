// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/api/mutable_command.h"

#include <algorithm>

#include "host-runtime/api/command_buffer.h"
#include "host-runtime/api/shared_memory.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace rivulet {

LaunchProperties::LaunchProperties(const CommandBuffer &command_buffer,
                                   const cl_command_properties_khr *properties,
                                   const size_t *local_work_size) {
    bool adds_no_groups = command_buffer.updates().add_no_groups;
    for (auto *at = properties; at && *at; at += 2) {
        for (size_t i = 0; i < list.size(); i += 2)
            require(list[i] != at[0], CL_INVALID_VALUE, "property % is given twice", Hex{at[0]});
        switch (at[0]) {
        case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
            fields = at[1];
            // Devices report all fields, so that others are unknown.
            require(!(fields & ~updatable_fields), CL_INVALID_VALUE,
                    "the updatable fields % go beyond the known ones, %", Hex{fields},
                    Hex{updatable_fields});
            arguments_may_be_missing = (fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) != 0;
            break;
        case CL_MUTABLE_DISPATCH_ASSERTS_KHR:
            require(!(at[1] &
                      ~cl_command_properties_khr{
                          CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}),
                    CL_INVALID_VALUE, "CL_MUTABLE_DISPATCH_ASSERTS_KHR is %, which is unknown",
                    Hex{at[1]});
            adds_no_groups |= at[1] != 0;
            break;
        default:
            fail(CL_INVALID_VALUE, "property % is not known", {Hex{at[0]}});
        }
        list.insert(list.end(), at, at + 2);
    }
    if (properties)
        list.push_back(0);
    // The number of work-groups is known only with the local size.
    require(!adds_no_groups || local_work_size, CL_INVALID_VALUE,
            "local_work_size is NULL, though CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_"
            "KHR is set");
}

LaunchSizes::LaunchSizes(cl_uint work_dim, const size_t *offset, const size_t *global,
                         const size_t *local)
    : work_dim(work_dim) {
    const auto copy = [&](const size_t *from, Size &to) {
        if (!from)
            return;
        to.emplace();
        std::copy_n(from, std::min<size_t>(work_dim, to->size()), to->begin());
    };
    copy(offset, this->offset);
    copy(global, this->global);
    copy(local, this->local);
}

std::optional<bool> LaunchSizes::is_uniform() const {
    if (!global || !local)
        return {};
    for (cl_uint axis = 0; axis < work_dim; ++axis)
        if ((*local)[axis] == 0 || (*global)[axis] % (*local)[axis] != 0)
            return false;
    return true;
}

namespace {

CheckedLaunch checked_launch(const Kernel &kernel, const Device &device, const LaunchSizes &sizes,
                             bool arguments_may_be_missing) {
    const auto pointer = [](const LaunchSizes::Size &size) {
        return size ? size->data() : nullptr;
    };
    return CheckedLaunch::of(kernel, device, sizes.work_dim, pointer(sizes.offset),
                             pointer(sizes.global), pointer(sizes.local),
                             arguments_may_be_missing ? CheckedLaunch::may_be_missing
                                                      : CheckedLaunch::complete);
}

} // namespace

std::shared_ptr<const Dispatch> Dispatch::recorded(const Kernel &kernel, const Device &device,
                                                   const LaunchProperties &properties,
                                                   bool may_change, const LaunchSizes &sizes) {
    auto dispatch = std::make_shared<Dispatch>(sizes);
    if (may_change) {
        dispatch->kernel = make<Kernel>(kernel, Kernel::unattached);
        dispatch->kernel->retain_arguments();
    }
    dispatch->launch = checked_launch(dispatch->kernel ? *dispatch->kernel : kernel, device, sizes,
                                      properties.arguments_may_be_missing);
    return dispatch;
}

MutableCommand::MutableCommand(Ref<CommandBuffer> command_buffer, Ref<Kernel> kernel,
                               const LaunchProperties &properties)
    : Object(Kind::mutable_command), command_buffer_(std::move(command_buffer)),
      kernel_(std::move(kernel)), properties_(properties) {}

std::shared_ptr<const Dispatch> MutableCommand::dispatch() const {
    return std::static_pointer_cast<const Dispatch>(command_buffer_->launch(point_));
}

} // namespace rivulet

namespace {

using Config = cl_mutable_dispatch_config_095;

void check_list(const char *name, cl_uint count, const void *list) {
    require((count == 0) == (list == nullptr), CL_INVALID_VALUE, "% has % elements at %", name,
            count, address_of(list));
}

/// Checks that the fields to change are updatable, and the lists.
void check_config(const Config &config, const MutableCommand &command, const Dispatch &dispatch) {
    require(config.work_dim == 0 || config.work_dim == dispatch.sizes.work_dim,
            CL_INVALID_OPERATION, "work_dim is %, the command was recorded with %", config.work_dim,
            dispatch.sizes.work_dim);
    const struct {
        cl_mutable_dispatch_fields_khr field;
        bool changes;
        const char *name;
    } changes[] = {
        {CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, config.global_work_offset != nullptr,
         "global_work_offset"},
        {CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, config.global_work_size != nullptr,
         "global_work_size"},
        {CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, config.local_work_size != nullptr, "local_work_size"},
        {CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, config.num_args || config.num_svm_args, "arguments"},
        {CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, config.num_exec_infos != 0, "execution information"},
    };
    for (const auto &[field, is_changed, name] : changes)
        require(!is_changed || command.properties().fields & field, CL_INVALID_OPERATION,
                "% is not among the command's updatable fields, %", name,
                Hex{command.properties().fields});
    check_list("arg_list", config.num_args, config.arg_list);
    check_list("arg_svm_list", config.num_svm_args, config.arg_svm_list);
    check_list("exec_info_list", config.num_exec_infos, config.exec_info_list);
}

/// The launch as `config` changes it.
std::shared_ptr<const Dispatch> updated(const Config &config, const MutableCommand &command,
                                        const Dispatch &present) {
    check_config(config, command, present);
    auto next = std::make_shared<Dispatch>(present);
    if (config.num_args || config.num_svm_args || config.num_exec_infos)
        next->kernel = make<Kernel>(*present.kernel, Kernel::unattached);
    for (cl_uint i = 0; i < config.num_args; ++i) {
        const cl_mutable_dispatch_arg_khr &argument = config.arg_list[i];
        next->kernel->set_argument(argument.arg_index, argument.arg_size, argument.arg_value);
    }
    for (cl_uint i = 0; i < config.num_svm_args; ++i)
        set_pointer_argument(*next->kernel, config.arg_svm_list[i].arg_index,
                             config.arg_svm_list[i].arg_value);
    for (cl_uint i = 0; i < config.num_exec_infos; ++i) {
        const cl_mutable_dispatch_exec_info_khr &info = config.exec_info_list[i];
        set_exec_info(*next->kernel, info.param_name, info.param_value_size, info.param_value);
    }
    if (next->kernel != present.kernel)
        next->kernel->retain_arguments();
    const LaunchSizes given(next->sizes.work_dim, config.global_work_offset,
                            config.global_work_size, config.local_work_size);
    for (const auto size : {&LaunchSizes::offset, &LaunchSizes::global, &LaunchSizes::local})
        if (given.*size)
            next->sizes.*size = given.*size;
    next->launch = checked_launch(*next->kernel, command.command_buffer().queue().device(),
                                  next->sizes, command.properties().arguments_may_be_missing);
    const auto before = present.sizes.is_uniform(), after = next->sizes.is_uniform();
    require(!before || !after || *before == *after, CL_INVALID_OPERATION,
            "the work-groups were % of the same size, and are % now", *before ? "all" : "not all",
            *after ? "all" : "not all");
    return next;
}

using Recorded = const MutableCommand &;

/// A size of a launch, 0 if none was given.
std::vector<size_t> size_of(Recorded command, LaunchSizes::Size LaunchSizes::*size) {
    const auto dispatch = command.dispatch();
    const std::array<size_t, 3> values = (dispatch->sizes.*size).value_or(std::array<size_t, 3>{});
    return {values.begin(), values.begin() + dispatch->sizes.work_dim};
}

constexpr auto mutable_command_queries = queries<MutableCommand>(
    row(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR,
        [](Recorded c) { return handle_of<cl_command_queue>(&c.command_buffer().queue()); }),
    row(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR,
        [](Recorded c) { return handle_of<cl_command_buffer_khr>(&c.command_buffer()); }),
    row(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR,
        [](Recorded) -> cl_command_type { return CL_COMMAND_NDRANGE_KERNEL; }),
    row(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, [](Recorded c) { return c.properties().list; }),
    row(CL_MUTABLE_DISPATCH_KERNEL_KHR,
        [](Recorded c) { return handle_of<cl_kernel>(&c.kernel()); }),
    row(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
        [](Recorded c) -> cl_uint { return c.dispatch()->sizes.work_dim; }),
    row(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
        [](Recorded c) { return size_of(c, &LaunchSizes::offset); }),
    row(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
        [](Recorded c) { return size_of(c, &LaunchSizes::global); }),
    row(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR,
        [](Recorded c) { return size_of(c, &LaunchSizes::local); }));

} // namespace

namespace rivulet::command_buffer {

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer,
                                              cl_uint num_configs, const cl_uint *config_types,
                                              const void **configs) {
    return entry(command_buffer, [&](CommandBuffer &object) {
        require(object.is_finalized(), CL_INVALID_OPERATION, "the command buffer is not finalized");
        require(object.updates().allowed, CL_INVALID_OPERATION,
                "the command buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
        check_list("config_types", num_configs, config_types);
        check_list("configs", num_configs, configs);
        for (cl_uint i = 0; i < num_configs; ++i) {
            require(config_types[i] == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_095,
                    CL_INVALID_VALUE, "config_types[%] is %, which is unknown", i, config_types[i]);
            require(configs[i], CL_INVALID_VALUE, "configs[%] is NULL", i);
        }
        object.update([&] {
            CommandBuffer::Replacements replacements;
            for (cl_uint i = 0; i < num_configs; ++i) {
                const Config &config = *static_cast<const Config *>(configs[i]);
                const auto command = checked(config.command);
                require(&command->command_buffer() == &object, CL_INVALID_MUTABLE_COMMAND_KHR,
                        "configs[%] has a command of another command buffer", i);
                // A command may occur in several configurations.
                auto present = command->dispatch();
                for (const auto &[point, launch] : replacements)
                    if (point == command->point())
                        present = std::static_pointer_cast<const Dispatch>(launch);
                replacements.emplace_back(command->point(), updated(config, *command, *present));
            }
            return replacements;
        });
    });
}

} // namespace rivulet::command_buffer

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                              cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret) {
    return entry(command, [&](Recorded object) {
        query(mutable_command_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
