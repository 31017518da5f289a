// SPDX-License-Identifier: Apache-2.0
//
// The firmware's device drivers against models of their registers.
#include <algorithm>

#include <gmock/gmock.h>

#include "device-firmware/tests/register_model.h"

extern "C" {
#include "device-firmware/drivers/platform.h"
}

using rivulet::firmware::Access;
using rivulet::firmware::Model;
using rivulet::firmware::model;
using rivulet::firmware::set_devices;

namespace {

constexpr size_t most_devices = 8, most_lines = 32;
Model the_model;

} // namespace

// These replace platform.c and the generated board.h.
extern "C" {
device board_devices[most_devices];
size_t board_device_count;
device_line board_lines[most_lines];
extern const platform platform_k230;

uint32_t mmio_read32(uintptr_t address) { return the_model.load(address, 4); }
void mmio_write32(uintptr_t address, uint32_t value) { the_model.store(address, value, 4); }
uint8_t mmio_read8(uintptr_t address) { return static_cast<uint8_t>(the_model.load(address, 1)); }
void mmio_write8(uintptr_t address, uint8_t value) { the_model.store(address, value, 1); }
bool model_csr_write(uint32_t number, uintptr_t value) {
    if (!the_model.csrs.contains(number))
        return false;
    the_model.csr_writes.emplace_back(number, value);
    the_model.csrs[number] = value;
    return true;
}
bool model_csr_read(uint32_t number, uintptr_t *value) {
    const auto csr = the_model.csrs.find(number);
    *value = csr == the_model.csrs.end() ? 0 : csr->second;
    return csr != the_model.csrs.end();
}
// These trap on a hart that does not implement the CSR.
uintptr_t csr_read_number(uint32_t number) { return the_model.csrs.at(number); }
void csr_write_number(uint32_t number, uintptr_t value) {
    the_model.csrs.at(number) = value;
    the_model.csr_writes.emplace_back(number, value);
}
void csr_clear_number(uint32_t number, uintptr_t bits) {
    csr_write_number(number, csr_read_number(number) & ~bits);
}
uintptr_t csr_exchange_number(uint32_t number, uintptr_t value) {
    const uintptr_t before = csr_read_number(number);
    csr_write_number(number, value);
    return before;
}
}

namespace rivulet::firmware {

Model &model() { return the_model; }

void set_devices(std::vector<device> devices, std::vector<device_line> lines) {
    the_model = {};
    board_device_count = devices.size();
    std::ranges::copy(devices, board_devices);
    std::ranges::copy(lines, board_lines);
}

} // namespace rivulet::firmware

namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr uintptr_t base = 0x1000;

device at_base(const char *compatible) {
    device d = {};
    d.compatible = compatible;
    d.base[0] = base;
    d.bytes[0] = 0x10000;
    d.controller = -1;
    return d;
}

// ---- UARTs: registers are named by their number
// ---------------------------------------------------

constexpr uint32_t thr = 0, ier = 1, fcr = 2, lcr = 3, lsr = 5, usr = 31;
constexpr uint32_t data_ready = 1, thr_empty = 0x20;

struct Uart : testing::Test {
    device d = {};
    std::vector<uint8_t> received; // waits in the FIFO
    uint32_t cause = 0;            // IIR

    void take(const char *compatible, uint32_t shift, uint32_t width) {
        d = at_base(compatible);
        d.reg_shift = shift;
        d.io_width = width;
        set_devices({d});
        model().on_read[reg(lsr)] = [this] {
            return thr_empty | (received.empty() ? 0 : data_ready);
        };
        model().on_read[reg(thr)] = [this]() -> uint32_t {
            if (received.empty())
                return 0;
            const uint8_t byte = received.back();
            received.pop_back();
            return byte;
        };
        model().on_read[reg(fcr)] = [this] { return cause; };
    }
    [[nodiscard]] uintptr_t reg(uint32_t number) const {
        return base + (uintptr_t{number} << d.reg_shift);
    }
};

TEST_F(Uart, ByteRegistersAreReachedByByte) {
    take("ns16550a\0", 0, 1);
    uart_console.start(&d);
    uart_console.put(&d, 'x');
    EXPECT_THAT(model().written(reg(thr)), ElementsAre('x'));
    EXPECT_THAT(model().log, Each(Field(&Access::bytes, 1)));
}

TEST_F(Uart, WideRegistersAreReachedByWordAtTheirDistance) {
    take("snps,dw-apb-uart\0", 2, 4);
    uart_console.put(&d, 'x');
    EXPECT_THAT(model().written(base), ElementsAre('x'));
    EXPECT_THAT(model().log, Each(Field(&Access::bytes, 4)));
    EXPECT_THAT(model().log, Contains(Access{Access::read, base + 0x14, thr_empty, 4}));
}

TEST_F(Uart, XscaleStaysSwitchedOn) {
    take("spacemit,k1-uart\0intel,xscale-uart\0", 2, 4);
    uart_console.start(&d);
    uart_bell.start(&d);
    EXPECT_THAT(model().written(reg(ier)),
                Each(testing::ResultOf([](uint32_t v) { return v & 0x40; }, 0x40)));
    EXPECT_EQ(model().memory[reg(ier)] & 0x11, 0x11u) << "received data and its timeout interrupt";
}

TEST_F(Uart, OthersHaveNoBitThatIsXscales) {
    take("ns16550a\0", 0, 1);
    uart_bell.start(&d);
    EXPECT_THAT(model().written(reg(ier)), ElementsAre(1));
}

TEST_F(Uart, DivisorThatALoaderLeftVisibleIsHiddenBeforeTheEnableRegisterIsWritten) {
    take("ns16550a\0", 0, 1);
    model().memory[reg(lcr)] = 0x83;
    model().on_write[reg(ier)] = [this](uint32_t) {
        EXPECT_EQ(model().memory[reg(lcr)], 3u) << "this was the divisor's upper half";
    };
    uart_console.start(&d);
    EXPECT_THAT(model().written(reg(lcr)), ElementsAre(3));
}

TEST_F(Uart, LineControlIsNotWrittenWithoutNeed) {
    take("snps,dw-apb-uart\0", 2, 4);
    model().memory[reg(lcr)] = 3;
    uart_console.start(&d);
    EXPECT_THAT(model().written(reg(lcr)), IsEmpty());
}

TEST_F(Uart, PutGivesUpWhenNothingIsSent) {
    take("ns16550a\0", 0, 1);
    model().on_read[reg(lsr)] = [] { return 0u; };
    uart_console.put(&d, 'x');
    EXPECT_THAT(model().written(reg(thr)), IsEmpty());
}

TEST_F(Uart, AcknowledgeTakesAllThatWasReceived) {
    take("ns16550a\0", 0, 1);
    received = {1, 2, 3};
    uart_bell.acknowledge(&d);
    EXPECT_THAT(received, IsEmpty());
}

TEST_F(Uart, AcknowledgeOfALineThatIsStuckEnds) {
    take("ns16550a\0", 0, 1);
    model().on_read[reg(lsr)] = [] { return data_ready; };
    uart_bell.acknowledge(&d);
}

TEST_F(Uart, DesignWareTimeoutWithoutDataAndBusyAreReadAway) {
    take("snps,dw-apb-uart\0", 2, 4);
    cause = 0x0c;
    uart_bell.acknowledge(&d);
    EXPECT_THAT(model().log, Contains(Access{Access::read, reg(thr), 0, 4}));
    take("snps,dw-apb-uart\0", 2, 4);
    cause = 7;
    uart_bell.acknowledge(&d);
    EXPECT_THAT(model().log, Contains(Access{Access::read, reg(usr), 0, 4}));
}

// ---- interrupt controllers
// -----------------------------------------------------------------------

TEST(Plic, EnablesOneSourceForOneContextAndNothingElse) {
    const device d = at_base("sifive,plic-1.0.0\0");
    set_devices({d});
    for (uint32_t word = 0; word < 32; ++word)
        model().memory[base + 0x2000 + 4 * 0x80 + 4 * word] = UINT32_MAX; // left by a loader
    plic.start(&d, 4, 42);
    EXPECT_EQ(model().memory[base + 42 * 4], 1u) << "priority";
    for (uint32_t word = 0; word < 32; ++word)
        EXPECT_EQ(model().memory[base + 0x2000 + 4 * 0x80 + 4 * word], word == 1 ? 1u << 10 : 0u);
    EXPECT_THAT(model().written(base + 0x200000 + 4 * 0x1000), ElementsAre(0)) << "threshold";
    EXPECT_THAT(model().written(base + 0x2000), IsEmpty()) << "context 0 belongs to another hart";
}

TEST(Plic, ClaimsAndCompletesAtItsContext) {
    const device d = at_base("riscv,plic0\0");
    set_devices({d});
    constexpr uintptr_t claim = base + 0x200000 + 2 * 0x1000 + 4;
    model().on_read[claim] = [] { return 42u; };
    EXPECT_TRUE(plic.claim(&d, 2));
    plic.complete(&d, 2, 42);
    EXPECT_THAT(model().written(claim), ElementsAre(42));
    model().on_read[claim] = [] { return 0u; };
    EXPECT_FALSE(plic.claim(&d, 2));
}

/// domaincfg, of which the implementation keeps these bits, and always sets others.
void keep_domaincfg(uint32_t kept, uint32_t always = 0) {
    model().on_read[base] = [=] { return (model().memory[base] & kept) | always; };
}
constexpr uint32_t interrupts_on = 0x100, by_messages = 4;

TEST(Aplic, DeliversOneSourceToOneHart) {
    device d = at_base("riscv,aplic\0");
    d.lines = 1;
    set_devices({d});
    EXPECT_TRUE(aplic.start(&d, 3, 10));
    EXPECT_EQ(model().memory[base + 10 * 4], 6u) << "level, high";
    EXPECT_EQ(model().memory[base + 0x3000 + 10 * 4], 3u << 18 | 1);
    EXPECT_THAT(model().written(base + 0x1edc), ElementsAre(10));
    EXPECT_EQ(model().memory[base + 0x4000 + 3 * 32], 1u) << "idelivery";
    EXPECT_EQ(model().memory[base + 0x4000 + 3 * 32 + 8], 0u) << "ithreshold";
    EXPECT_THAT(model().written(base), ElementsAre(0, 0x100)) << "on when all is set up";
    constexpr uintptr_t topi = base + 0x4000 + 3 * 32 + 0x18, claimi = topi + 4;
    EXPECT_FALSE(aplic.claim(&d, 3));
    model().on_read[topi] = [] { return 10u << 16 | 1; };
    EXPECT_TRUE(aplic.claim(&d, 3));
    model().log.clear();
    aplic.complete(&d, 3, 10);
    EXPECT_THAT(model().log, ElementsAre(Access{Access::read, claimi, 0, 4}));
}

TEST(Aplic, RefusesTheModeThatItHasNot) {
    device d = at_base("riscv,aplic\0"), imsic = at_base("riscv,imsics\0");
    imsic.bytes[0] = 0x10000;
    d.lines = imsic.lines = 1;
    d.sends_messages = true;
    set_devices({d, imsic});
    keep_domaincfg(interrupts_on, by_messages);
    EXPECT_FALSE(aplic.start(&d, 0, 10));
    EXPECT_TRUE(aplic_msi.start(&d, 0, 10));
    keep_domaincfg(interrupts_on);
    EXPECT_TRUE(aplic.start(&d, 0, 10));
    EXPECT_FALSE(aplic_msi.start(&d, 0, 10));
    keep_domaincfg(interrupts_on | by_messages);
    d.lines = 0;
    d.sends_messages = false;
    EXPECT_FALSE(aplic.start(&d, 0, 10)) << "no wire to any hart";
    EXPECT_FALSE(aplic_msi.start(&d, 0, 10)) << "no IMSIC is told of";
}

/// An APLIC with IMSICs at 0x24000000, of which the third page is that of the hart 9.
class AplicMessages : public testing::Test {
protected:
    AplicMessages() {
        d.sends_messages = true;
        imsic.base[0] = 0x24000000;
        imsic.lines = 1;
        set_devices({d, imsic}, {{9, LINE_EXTERNAL, 2}});
    }
    /// Earlier software has locked mmsiaddrcfg and mmsiaddrcfgh.
    void lock(uint32_t low, uint32_t high) {
        model().on_read[base + 0x1bc0] = [=] { return low; };
        model().on_read[base + 0x1bc4] = [=] { return high | 1u << 31; };
    }
    device d = at_base("riscv,aplic\0"), imsic = at_base("riscv,imsics\0");
    static constexpr uintptr_t target = base + 0x3000 + 10 * 4;
};

TEST_F(AplicMessages, GoToTheHartsPage) {
    EXPECT_TRUE(aplic_msi.start(&d, 9, 10));
    EXPECT_EQ(model().memory[base + 0x1bc0], 0x24002u) << "page of the hart with mhartid 9";
    EXPECT_EQ(model().memory[base + 0x1bc4], 0u);
    EXPECT_EQ(model().memory[base + 10 * 4], 6u) << "level, high";
    EXPECT_EQ(model().memory[target], 1u) << "identity";
    EXPECT_THAT(model().written(base), ElementsAre(4, 0x104)) << "on when all is set up";
    EXPECT_THAT(model().written(base + 0x1edc), ElementsAre(10));
    aplic_msi.complete(&d, 9, 10);
    EXPECT_THAT(model().written(base + 0x2000), ElementsAre(10)) << "a level that is still high";
}

TEST_F(AplicMessages, GoThereThroughAddressesThatAreLocked) {
    lock(0x24000, 3u << 12); // three bits of hart index
    EXPECT_TRUE(aplic_msi.start(&d, 9, 10));
    EXPECT_EQ(model().memory[target], 2u << 18 | 1);
    // Pages of 64 guests, four harts in each of two groups that are 16 MiB apart.
    board_lines[0].index = 0x1000 + (3 << 6);
    lock(0x24000, 2u << 12 | 1u << 16 | 6u << 20);
    EXPECT_TRUE(aplic_msi.start(&d, 9, 10));
    EXPECT_EQ(model().memory[target], (1u << 2 | 3u) << 18 | 1);
}

TEST_F(AplicMessages, AreRefusedIfLockedAddressesDoNotReachTheHart) {
    lock(0x28000, 3u << 12);
    EXPECT_FALSE(aplic_msi.start(&d, 9, 10)) << "other pages";
    lock(0x24000, 1u << 12);
    EXPECT_FALSE(aplic_msi.start(&d, 9, 10)) << "too few bits";
}

// ---- timers and interrupts between harts
// ---------------------------------------------------------

TEST(Clint, RegistersFollowTheWiresNotTheHartIds) {
    device d = at_base("sifive,clint0\0");
    d.lines = 4;
    set_devices(
        {d},
        {{7, LINE_SOFTWARE, 0}, {7, LINE_TIMER, 0}, {300, LINE_SOFTWARE, 1}, {300, LINE_TIMER, 1}});
    EXPECT_EQ(clint_software_interrupt(300), base + 4);
    EXPECT_EQ(clint_compare(7), base + 0x4000);
    EXPECT_EQ(clint_compare(300), base + 0x4008);
    EXPECT_EQ(clint_time(), base + 0xbff8);
}

TEST(Clint, HartThatOnlyAHandedTreeKnowsHasThePlaceOfItsId) {
    const device d = at_base("riscv,clint0\0");
    set_devices({d});
    EXPECT_EQ(clint_software_interrupt(3), base + 12);
}

TEST(Clint, RegistersByIdAreThereForWiresThatLeaveOutHarts) {
    device d = at_base("sifive,clint0\0");
    d.lines = 2;
    set_devices({d}, {{4, LINE_SOFTWARE, 0}, {4, LINE_TIMER, 0}});
    EXPECT_EQ(clint_software_interrupt(4), base);
    EXPECT_EQ(clint_software_interrupt_by_id(4), base + 16);
    EXPECT_EQ(clint_compare_by_id(4), base + 0x4000 + 32);
}

TEST(Clint, HartBeyondTheRegistersHasNone) {
    set_devices({at_base("sifive,clint0\0")});
    EXPECT_EQ(clint_software_interrupt(4095), base + 4 * 4095);
    EXPECT_EQ(clint_software_interrupt(4096), 0u) << "where mtimecmp begins";
    device mswi = at_base("riscv,aclint-mswi\0");
    mswi.bytes[0] = 16;
    set_devices({mswi});
    EXPECT_EQ(clint_software_interrupt(3), base + 12);
    EXPECT_EQ(clint_software_interrupt(4), 0u);
}

TEST(Clint, TheadHasNoTimeRegister) {
    set_devices({at_base("canaan,k230-clint\0thead,c900-clint\0")});
    EXPECT_EQ(clint_time(), 0u);
    EXPECT_EQ(clint_compare(0), base + 0x4000);
}

TEST(Aclint, SoftwareInterruptsAndTimersAreDevicesOfTheirOwn) {
    const device mswi = at_base("riscv,aclint-mswi\0");
    device mtimer = at_base("riscv,aclint-mtimer\0");
    mtimer.base[0] = 0x9ff8; // mtime
    mtimer.base[1] = 0x8000; // mtimecmp
    set_devices({mswi, mtimer});
    EXPECT_EQ(clint_software_interrupt(1), base + 4);
    EXPECT_EQ(clint_compare(1), 0x8008u);
    EXPECT_EQ(clint_time(), 0x9ff8u);
}

TEST(Aclint, TheadTimerHasItsCompareRegistersFirst) {
    set_devices({at_base("sophgo,sg2044-aclint-mtimer\0thead,c900-aclint-mtimer\0")});
    EXPECT_EQ(clint_compare(2), base + 16);
    EXPECT_EQ(clint_time(), 0u);
    EXPECT_EQ(clint_software_interrupt(0), 0u);
}

TEST(Clint, EachClusterMayHaveItsOwn) {
    device first = at_base("riscv,clint0\0"), second = first;
    second.base[0] = base + 0x100000;
    first.lines = second.lines = 2;
    second.first_line = 2;
    set_devices(
        {first, second},
        {{0, LINE_SOFTWARE, 0}, {0, LINE_TIMER, 0}, {7, LINE_SOFTWARE, 0}, {7, LINE_TIMER, 0}});
    EXPECT_EQ(clint_software_interrupt(7), base + 0x100000);
    EXPECT_EQ(clint_compare(7), base + 0x104000);
    EXPECT_EQ(clint_software_interrupt(3), base + 12) << "a hart of a handed-over tree";
}

TEST(Imsic, PagesFollowTheWires) {
    device of_s_mode = at_base("riscv,imsics\0"), d = of_s_mode;
    of_s_mode.base[0] = base + 0x100000;
    d.lines = 2;
    d.bytes[0] = 0x200000;
    d.guest_bits = 6;
    // The second is in a group of its own.
    set_devices({of_s_mode, d}, {{9, LINE_EXTERNAL, 2 << 6}, {12, LINE_EXTERNAL, 0x1000}});
    EXPECT_EQ(imsic_page(9), base + 0x80000);
    EXPECT_EQ(imsic_page(12), base + 0x1000000);
    EXPECT_EQ(imsic_page_by_id(7), base + 7 * 0x40000) << "the place of mhartid";
    EXPECT_EQ(imsic_page(3), base + 3 * 0x40000) << "a hart of a handed-over tree";
    EXPECT_EQ(imsic_page(8), 0u) << "beyond the pages";
    set_devices({of_s_mode});
    EXPECT_EQ(imsic_page(9), 0u) << "only S mode's";
}

TEST(Imsic, DeliversItsIdentitiesOfAllPriorities) {
    set_devices({});
    EXPECT_FALSE(imsic_is_there());
    model().csrs = {{0x350, 0}, {0x351, 0}, {0x35c, 0}};
    EXPECT_TRUE(imsic_is_there());
    model().csr_writes.clear();
    imsic_start_hart();
    using Write = std::pair<uint32_t, uintptr_t>;
    EXPECT_THAT(model().csr_writes,
                ElementsAre(Write(0x350, 0x72), Write(0x351, 0), Write(0x350, 0xc0),
                            Write(0x351, 6), Write(0x350, 0x70), Write(0x351, 1)));
    imsic_let_wires_through();
    EXPECT_EQ(model().csrs[0x350], 0x70u);
    EXPECT_EQ(model().csrs[0x351], 0x40000000u);
}

TEST(Imsic, ClaimsWhatIsPendingAndClearsOneIdentity) {
    set_devices({});
    model().csrs = {{0x350, 0}, {0x351, 7}, {0x35c, IMSIC_IPI << 16 | 5}};
    EXPECT_EQ(imsic_claim(), uint32_t{IMSIC_IPI});
    EXPECT_EQ(imsic_claim(), 0u);
    EXPECT_TRUE(imsic_is_pending(IMSIC_IPI));
    EXPECT_EQ(model().csrs[0x350], 0x80u);
    imsic_clear(IMSIC_IPI);
    EXPECT_FALSE(imsic_is_pending(IMSIC_IPI));
    EXPECT_TRUE(imsic_is_pending(IMSIC_BELL));
}

// ---- the rest
// ------------------------------------------------------------------------------------

TEST(Mailbox, RingsAndAcknowledgesAsTheTreeSays) {
    device d = at_base("rivulet,mmio-doorbell\0");
    d.ring[0] = 0x10, d.ring[1] = 2;
    d.acknowledge[0] = 0x24, d.acknowledge[1] = 1;
    set_devices({d});
    mailbox_bell.start(&d);
    EXPECT_THAT(model().written(base + 0x24), ElementsAre(1)) << "one from before";
    mailbox_bell.ring(&d);
    EXPECT_THAT(model().written(base + 0x10), ElementsAre(2));
    mailbox_bell.acknowledge(&d);
    EXPECT_EQ(model().log.back(), (Access{Access::read, base + 0x24, 1, 4}))
        << "the write has arrived before the ring is read";
}

TEST(Watchdog, TimeIsTheNextPowerOfTwoOfClocks) {
    device d = at_base("snps,dw-wdt\0");
    d.clock = 50000000;
    set_devices({d});
    dw_watchdog.start(&d, 1000); // 50,000,000 clocks < 2^26
    EXPECT_THAT(model().written(base + 4), ElementsAre(0xaa));
    EXPECT_THAT(model().written(base), ElementsAre(1));
    EXPECT_THAT(model().written(base + 0xc), ElementsAre(0x76));
    dw_watchdog.start(&d, UINT32_MAX);
    EXPECT_EQ(model().memory[base + 4], 0xffu) << "the longest there is";
}

TEST(Finisher, Resets) {
    const device d = at_base("sifive,test1\0sifive,test0\0");
    set_devices({d});
    test_finisher.reset(&d);
    EXPECT_THAT(model().written(base), ElementsAre(0x7777));
}

constexpr uint32_t mxstatus = 0x7c0, mhcr = 0x7c1, mcor = 0x7c2, mccr2 = 0x7c3, mhint = 0x7c5,
                   msmpr = 0x7f3;

TEST(Thead, SwitchesCachesOnAfterAllElse) {
    set_devices({});
    for (const uint32_t csr : {mxstatus, mhcr, mcor, mccr2, mhint, msmpr})
        model().csrs[csr] = 0;
    platform_k230.hart_init();
    EXPECT_EQ(model().csrs[mxstatus], 0x438000u);
    EXPECT_EQ(model().csrs[mcor], 0x70013u);
    EXPECT_EQ(model().csrs[mccr2], 0xe0410009u);
    EXPECT_EQ(model().csrs[mhint], 0x16e30cu);
    EXPECT_EQ(model().csr_writes.back(), (std::pair<uint32_t, uintptr_t>{mhcr, 0x11ff}));
}

TEST(Thead, DataCacheThatIsOnIsNotInvalidated) {
    set_devices({});
    for (const uint32_t csr : {mxstatus, mhcr, mcor, mccr2, mhint, msmpr})
        model().csrs[csr] = 0;
    model().csrs[mhcr] = 2;
    platform_k230.hart_init();
    EXPECT_EQ(model().csrs[mcor], 0u);
}

TEST(Thead, HartsOfOthersAreLeftAlone) {
    set_devices({});
    platform_k230.hart_init();
    EXPECT_THAT(model().csr_writes, IsEmpty());
}

TEST(Device, NamesAreComparedWhole) {
    const device d = at_base("acme,uart-2\0ns16550a\0");
    EXPECT_TRUE(device_is(&d, "ns16550a"));
    EXPECT_FALSE(device_is(&d, "ns16550"));
    EXPECT_FALSE(device_is(&d, "acme,uart"));
}

} // namespace
