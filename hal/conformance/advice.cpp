// SPDX-License-Identifier: Apache-2.0
#include "hal/conformance/advice.h"

#include <utility>

namespace rivulet::hal::conformance {
namespace {

using Advice = std::pair<std::string_view, std::string_view>;

// By test, or by suite for tests without a row of their own.
constexpr Advice advices[] = {
    {"Open", "enumerate and open: what they fill in, and that they start nothing"},
    {"Start", "load and start: segments at their physical addresses, harts released from the entry "
              "point, harts and vlen of the description as the machine really has them"},
    {"Start.RefusesFirmwareOfOtherProtocol",
     "nothing in the driver: the common code reads the note"},
    {"Start.FirmwareRefusesHostOfOtherProtocol",
     "write before start: the boot block must be in memory when the firmware looks"},
    {"Start.WorksAgainAfterStop", "reset: harts stopped, old bells forgotten, then load and start "
                                  "as if for the first time"},
    {"Start.MapSurvivesRestart",
     "map: one mapping from open to close, reset must not make another"},
    {"Attach",
     "RVL_DEVICE_RUNNING: map, read and write access the memory of firmware that was started "
     "by others, ring interrupts its hart 0, close does not stop it"},
    {"Copy", "copy_begin and copy_wait: caches of both sides, and that a copy has really ended"},
    {"BuiltIn",
     "built_in_kernels: ids of units that the board's firmware has drivers for (UNITS of "
     "rivulet_add_board); unit_memory in the unit's driver"},
    {"Suspend", "suspend and resume: harts stop where they are, memory and registers are kept"},
    {"Read", "read and write: any address, any length; sync, when the driver maps"},
    {"Write", "write, or sync towards the device: is the cache cleaned for the whole range?"},
    {"Write.ToPartOfABlockKeepsTheRest",
     "sync from the device: must make the next host access fetch the block again"},
    {"Cache", "the simulated cache of loopback-noncoherent itself"},
    {"Memory", "memory_base and memory_bytes of the description"},
    {"Ring", "ring and wait: a bell between two waits must end the next wait; an edge-triggered "
             "interrupt must not be acknowledged after its ring was looked at"},
    {"Ring.FullRingTakesTheRestLater",
     "the order of writes: slots before the tail that shows them"},
    {"Wait", "wait and wake: times out, and remembers a wake that came before it"},
    {"Wait.ReturnsWhenDeviceDies", "wait must return RVL_DEAD when the device goes, after calling "
                                   "host->died; watch the process, link or power state meanwhile"},
    {"Wait.EndsWhenDeviceIsStopped", "wake must end a wait of another thread"},
    {"Chain",
     "ring is called only when the device asked for it; is device_notify_enabled stale? See "
     "sync from the device"},
    {"Launch", "memory seen by harts and host alike; code loads; the firmware's board"},
    {"Fault", "PMP of the harts, or clear RVL_DEVICE_ISOLATES"},
    {"Kill", "interrupts between harts"},
    {"Death", "what the operating system does when the host program ends: PR_SET_PDEATHSIG, "
              "device locks, a watchdog"},
    {"Fork", "nothing in the driver, unless open registered handlers of its own"},
    {"Clock", "the timer that the firmware reads; timebase in the device tree"},
    {"Log", "reads of the log ring; sync from the device"},
};

} // namespace

std::string_view advice(std::string_view test) {
    const auto suite = test.substr(0, test.find('.'));
    std::string_view general;
    for (const auto &[name, text] : advices) {
        if (name == test)
            return text;
        if (name == suite)
            general = text;
    }
    return general;
}

} // namespace rivulet::hal::conformance
