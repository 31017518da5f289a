/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch on its way through its unit's driver. */
#include "device-firmware/core/unit_job.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/launch.h"

void *unit_memory(unit_job *job, uint64_t address, uint64_t bytes, rvl_fault_kind denied) {
    if (launch_may_write(job->launch, address, bytes))
        return (void *)(uintptr_t)address;
    job->fault = denied;
    job->value = address;
    return NULL;
}

/* The host may write to the record at any time, so each part is read once. */
static void take_record(unit_job *job, const launch *launch) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)launch->command.record;
    memset(job, 0, sizeof *job);
    job->launch = launch;
    job->function = (uint32_t)launch->kernel;
    memcpy(job->global_size, record->global_size, sizeof job->global_size);
    memcpy(job->global_offset, record->global_offset, sizeof job->global_offset);
    memcpy(job->argument, record->arguments, sizeof job->argument);
    read_once();
    job->fault = RVL_FAULT_UNIT;
}

static const unit_driver *driver_of(const firmware *f, const hart *hart) {
    return f->units[hart->launch->unit - 1];
}

static unit_job *job_of(firmware *f, const hart *hart) {
    return &f->unit_jobs[hart->launch->unit - 1];
}

unit_state unit_begin(firmware *f, const hart *hart) {
    unit_job *job = job_of(f, hart);
    take_record(job, hart->launch);
    return driver_of(f, hart)->begin(job);
}

unit_state unit_step(firmware *f, const hart *hart) {
    return driver_of(f, hart)->step(job_of(f, hart));
}

void unit_stop(firmware *f, const hart *hart) { arch_stop_unit(f, hart->launch->unit - 1u); }

void unit_describe_failure(firmware *f, const hart *hart, rvl_fault *fault) {
    const unit_job *job = job_of(f, hart);
    fault->kind = job->fault;
    fault->value = job->value;
}
