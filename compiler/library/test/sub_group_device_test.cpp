// SPDX-License-Identifier: Apache-2.0
// The sub-group functions on the device, through OpenCL: every function and type against what the
// host computes, in whole sub-groups and where some work-items stay away, in work-groups of one to
// three dimensions that are no multiples of a sub-group.
#include "compiler/library/test/device.h"

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

namespace rivulet::library {
namespace {

template <typename T> constexpr const char *name_of = nullptr;
template <> constexpr const char *name_of<cl_char> = "char";
template <> constexpr const char *name_of<cl_uchar> = "uchar";
template <> constexpr const char *name_of<cl_short> = "short";
template <> constexpr const char *name_of<cl_ushort> = "ushort";
template <> constexpr const char *name_of<cl_int> = "int";
template <> constexpr const char *name_of<cl_uint> = "uint";
template <> constexpr const char *name_of<cl_long> = "long";
template <> constexpr const char *name_of<cl_ulong> = "ulong";
template <> constexpr const char *name_of<_Float16> = "half";
template <> constexpr const char *name_of<float> = "float";
template <> constexpr const char *name_of<double> = "double";

// One sub-group: x of each work-item, and who takes part.
template <typename T> struct SubGroup {
    std::vector<T> x;
    std::vector<bool> here;
    unsigned most; // work-items of a full one

    unsigned size() const { return static_cast<unsigned>(x.size()); }
    std::optional<T> at(unsigned lane) const {
        return lane < size() && here[lane] ? std::optional(x[lane]) : std::nullopt;
    }
    unsigned first() const {
        return static_cast<unsigned>(std::ranges::find(here, true) - here.begin());
    }
};

// A function in OpenCL C, called with x in all work-items or in some of them, and its result.
// Without one it is undefined.
template <typename T> struct Case {
    std::string source;
    bool anywhere; // may be called where others don't
    std::function<std::optional<T>(const SubGroup<T> &, unsigned lane)> expected;
};

template <typename T> using Operation = std::function<T(T, T)>;

template <typename T> std::map<std::string, Operation<T>> operations() {
    using Wide = std::conditional_t<std::is_integral_v<T>, cl_ulong, T>; // that may wrap
    std::map<std::string, Operation<T>> all = {
        {"add", [](T a, T b) { return static_cast<T>(Wide(a) + Wide(b)); }},
        {"mul", [](T a, T b) { return static_cast<T>(Wide(a) * Wide(b)); }},
        {"min", [](T a, T b) { return a < b ? a : b; }},
        {"max", [](T a, T b) { return a < b ? b : a; }},
    };
    if constexpr (std::is_integral_v<T>) {
        all["and"] = [](T a, T b) { return static_cast<T>(a & b); };
        all["or"] = [](T a, T b) { return static_cast<T>(a | b); };
        all["xor"] = [](T a, T b) { return static_cast<T>(a ^ b); };
    }
    if constexpr (std::is_same_v<T, cl_int>) {
        all["logical_and"] = [](T a, T b) { return a && b; };
        all["logical_or"] = [](T a, T b) { return a || b; };
        all["logical_xor"] = [](T a, T b) { return !a != !b; };
    }
    return all;
}

// Combines the values of the lanes [begin, end) that are present; nothing if none is.
template <typename T>
std::optional<T> combined(const SubGroup<T> &group, const Operation<T> &operation, unsigned begin,
                          unsigned end, bool logical) {
    std::optional<T> result;
    for (unsigned lane = begin; lane < std::min(end, group.size()); ++lane)
        if (group.here[lane])
            result = result    ? operation(*result, group.x[lane])
                     : logical ? static_cast<T>(group.x[lane] != 0)
                               : group.x[lane];
    return result;
}

template <typename T> void add_arithmetic(std::vector<Case<T>> &cases) {
    for (auto &[name, operation] : operations<T>()) {
        bool logical = name.starts_with("logical");
        bool core = name == "add" || name == "min" || name == "max";
        for (std::string variant : {"", "non_uniform_"}) {
            if (variant.empty() && !core)
                continue;
            auto call = [&](const char *form) {
                return "sub_group_" + variant + form + name + "(x)";
            };
            bool anywhere = !variant.empty();
            cases.push_back({call("reduce_"), anywhere, [=](auto &group, unsigned) {
                                 return combined(group, operation, 0, group.size(), logical);
                             }});
            cases.push_back({call("scan_inclusive_"), anywhere, [=](auto &group, unsigned lane) {
                                 return combined(group, operation, 0, lane + 1, logical);
                             }});
            // Another test compares the identity's result.
            cases.push_back({call("scan_exclusive_"), anywhere, [=](auto &group, unsigned lane) {
                                 return combined(group, operation, 0, lane, logical);
                             }});
        }
        for (unsigned cluster : {1u, 2u, 4u})
            cases.push_back({fmt::format("sub_group_clustered_reduce_{}(x, {})", name, cluster),
                             true, [=](auto &group, unsigned lane) -> std::optional<T> {
                                 unsigned begin = lane / cluster * cluster;
                                 if (cluster > group.most)
                                     return std::nullopt;
                                 return combined(group, operation, begin, begin + cluster, logical);
                             }});
    }
}

// The lane that each lane reads; results are converted to T.
template <typename T> void add_exchanges(std::vector<Case<T>> &cases) {
    auto add = [&](std::string source, auto lane_read) {
        cases.push_back({std::move(source), true, [=](auto &group, unsigned lane) {
                             return group.at(lane_read(group, lane));
                         }});
    };
    add("sub_group_shuffle(x, (lane * 5 + 3) % size)",
        [](auto &g, unsigned lane) { return (lane * 5 + 3) % g.size(); });
    add("sub_group_shuffle_xor(x, 3)", [](auto &, unsigned lane) { return lane ^ 3; });
    add("sub_group_shuffle_up(x, 2)", [](auto &, unsigned lane) { return lane - 2; });
    add("sub_group_shuffle_down(x, lane / 2)",
        [](auto &, unsigned lane) { return lane + lane / 2; });
    add("sub_group_rotate(x, 3)", [](auto &g, unsigned lane) { return (lane + 3) % g.most; });
    add("sub_group_rotate(x, -2)",
        [](auto &g, unsigned lane) { return (lane + 2 * g.most - 2) % g.most; });
    add("sub_group_clustered_rotate(x, 1, 2)", [](auto &, unsigned lane) { return lane ^ 1; });
    add("sub_group_broadcast_first(x)", [](auto &g, unsigned) { return g.first(); });
    add("sub_group_non_uniform_broadcast(x, sub_group_ballot_find_msb(sub_group_ballot(1)))",
        [](auto &g, unsigned) {
            unsigned last = g.size() - 1;
            while (last > 0 && !g.here[last])
                --last;
            return last;
        });
    cases.push_back({"sub_group_broadcast(x, size - 1)", false,
                     [](auto &g, unsigned) { return g.at(g.size() - 1); }});
    cases.push_back({fmt::format("sub_group_broadcast(({}4)(0, 0, x, 0), size / 2).z", name_of<T>),
                     false, [](auto &g, unsigned) { return g.at(g.size() / 2); }});
    cases.push_back({"(T)sub_group_non_uniform_all_equal(x)", true, [](auto &g, unsigned) {
                         bool equal = true;
                         for (unsigned lane = 0; lane < g.size(); ++lane)
                             equal &= !g.here[lane] || g.x[lane] == g.x[g.first()];
                         return std::optional(static_cast<T>(equal));
                     }});
}

template <typename T> void add_intel(std::vector<Case<T>> &cases) {
    auto plus = [](std::optional<T> value, int by) {
        return value ? std::optional(static_cast<T>(*value + static_cast<T>(by))) : value;
    };
    auto down = [=](const SubGroup<T> &g, unsigned lane, unsigned by, int next) {
        unsigned from = lane + by;
        return from < g.most       ? g.at(from)
               : from < 2 * g.most ? plus(g.at(from - g.most), next)
                                   : std::nullopt;
    };
    auto up = [=](const SubGroup<T> &g, unsigned lane, unsigned by, int previous) {
        return lane >= by ? g.at(lane - by) : plus(g.at(lane + g.most - by), previous);
    };
    cases.push_back({"intel_sub_group_shuffle(x, lane / 2)", true,
                     [](auto &g, unsigned lane) { return g.at(lane / 2); }});
    cases.push_back({"intel_sub_group_shuffle_xor(x, 1)", true,
                     [](auto &g, unsigned lane) { return g.at(lane ^ 1); }});
    cases.push_back({"intel_sub_group_shuffle_down(x, (T)(x + 1), 3)", true,
                     [=](auto &g, unsigned lane) { return down(g, lane, 3, 1); }});
    cases.push_back({"intel_sub_group_shuffle_up((T)(x + 2), x, 1)", true,
                     [=](auto &g, unsigned lane) { return up(g, lane, 1, 2); }});
    if (sizeof(T) != 4 || std::is_same_v<T, _Float16>)
        return; // no vectors of these
    cases.push_back({fmt::format("intel_sub_group_shuffle(({}16)(x), lane / 2).se", name_of<T>),
                     true, [](auto &g, unsigned lane) { return g.at(lane / 2); }});
    cases.push_back(
        {fmt::format("intel_sub_group_shuffle_down(({0}3)(0, 0, x), ({0}3)(x), 1).z", name_of<T>),
         true, [=](auto &g, unsigned lane) { return down(g, lane, 1, 0); }});
}

void add_votes(std::vector<Case<cl_int>> &cases) {
    auto add = [&](std::string source, bool anywhere, auto expected) {
        cases.push_back({std::move(source), anywhere, [=](auto &g, unsigned lane) {
                             return std::optional(static_cast<cl_int>(expected(g, lane)));
                         }});
    };
    auto count = [](const SubGroup<cl_int> &g, unsigned begin, unsigned end, auto wanted) {
        int found = 0;
        for (unsigned lane = begin; lane < std::min(end, g.size()); ++lane)
            found += g.here[lane] && wanted(g.x[lane]);
        return found;
    };
    auto odd = [](int x) { return (x & 1) != 0; };
    auto everyone = [](int) { return true; };
    for (std::string variant : {"", "non_uniform_"}) {
        add("sub_group_" + variant + "any(x & 4)", !variant.empty(), [=](auto &g, unsigned) {
            return count(g, 0, g.size(), [](int x) { return (x & 4) != 0; }) > 0;
        });
        add("sub_group_" + variant + "all(x & 1)", !variant.empty(), [=](auto &g, unsigned) {
            return count(g, 0, g.size(), odd) == count(g, 0, g.size(), everyone);
        });
    }
    add("sub_group_elect()", true, [](auto &g, unsigned lane) { return lane == g.first(); });
    add("sub_group_ballot_bit_count(sub_group_ballot(x & 1))", true,
        [=](auto &g, unsigned) { return count(g, 0, g.size(), odd); });
    add("sub_group_inverse_ballot(sub_group_ballot(x & 1))", true,
        [=](auto &g, unsigned lane) { return odd(g.x[lane]); });
    add("sub_group_ballot_bit_extract(sub_group_ballot(x & 1), size / 2)", true,
        [=](auto &g, unsigned) { return count(g, g.size() / 2, g.size() / 2 + 1, odd); });
    add("sub_group_ballot_inclusive_scan(sub_group_ballot(x & 1))", true,
        [=](auto &g, unsigned lane) { return count(g, 0, lane + 1, odd); });
    add("sub_group_ballot_exclusive_scan(sub_group_ballot(x & 1))", true,
        [=](auto &g, unsigned lane) { return count(g, 0, lane, odd); });
    add("sub_group_ballot_find_lsb(sub_group_ballot(1))", true,
        [](auto &g, unsigned) { return g.first(); });
    add("sub_group_ballot_bit_count((uint4)(~0u))", true, [](auto &g, unsigned) { return g.most; });
    add("sub_group_ballot_find_msb((uint4)(~0u))", true,
        [](auto &g, unsigned) { return g.most - 1; });
    auto mask = [&](const char *name, auto bits) {
        add(fmt::format("sub_group_ballot_bit_count(get_sub_group_{}_mask())", name), true, bits);
    };
    mask("eq", [](auto &, unsigned) { return 1; });
    mask("ge", [](auto &g, unsigned lane) { return g.most - lane; });
    mask("gt", [](auto &g, unsigned lane) { return g.most - lane - 1; });
    mask("le", [](auto &, unsigned lane) { return lane + 1; });
    mask("lt", [](auto &, unsigned lane) { return lane; });
}

constexpr const char *preamble = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void all_of_them(global const T *in, global T *out) {
    size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0)
                   + get_group_id(0);
    size_t i = group * items + get_local_linear_id();
    size_t count = get_global_size(0) * get_global_size(1) * get_global_size(2);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    T x = in[i];
    global T *to = out + i;
)";

class SubGroups : public Device {
protected:
    // Sums and products of floating-point ones are exact.
    template <typename T> static T value(std::size_t i) {
        int k = static_cast<int>((i * 37 + 11) % 7);
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(k - 2);
        return static_cast<T>((i % 5 == 0 ? -1 : 1) * (1 << k % 4));
    }

    // First all lanes call, then only those whose index modulo 3 is not 0.
    template <typename T> static std::string source_of(const std::vector<Case<T>> &cases) {
        std::string source = fmt::format("#define T {}\n{}", name_of<T>, preamble);
        for (bool some : {false, true}) {
            source += some ? "    if (i % 3 != 0) {\n" : "";
            for (auto &each : cases)
                if (!some || each.anywhere)
                    source += fmt::format("    *to = {}; to += count;\n", each.source);
        }
        return source + "    }\n}\n";
    }

    template <typename T>
    void check(const std::vector<Case<T>> &cases, cl::Kernel &kernel,
               std::array<std::size_t, 3> local) {
        const std::size_t groups = 2;
        auto items = local[0] * local[1] * local[2];
        auto count = items * groups;
        cl::NDRange range(local[0], local[1], local[2]);
        auto most = kernel.getSubGroupInfo<CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE>(device, range);
        std::vector<T> in(count), out(count * cases.size() * 2);
        for (std::size_t i = 0; i < count; ++i)
            in[i] = value<T>(i);
        auto in_buffer = buffer(in), out_buffer = buffer(out);
        kernel.setArg(0, in_buffer);
        kernel.setArg(1, out_buffer);
        queue.enqueueNDRangeKernel(kernel, {}, {local[0] * groups, local[1], local[2]}, range);
        queue.enqueueReadBuffer(out_buffer, CL_TRUE, 0, out.size() * sizeof(T), out.data());

        std::size_t row = 0;
        for (bool some : {false, true})
            for (auto &each : cases) {
                if (some && !each.anywhere)
                    continue;
                for (std::size_t i = 0; i < count; ++i) {
                    auto start = i / items * items + i % items / most * most;
                    auto end = std::min(start + most, (i / items + 1) * items);
                    SubGroup<T> group{{in.begin() + long(start), in.begin() + long(end)},
                                      {},
                                      static_cast<unsigned>(most)};
                    for (auto k = start; k < end; ++k)
                        group.here.push_back(!some || k % 3 != 0);
                    auto lane = static_cast<unsigned>(i - start);
                    if (!group.here[lane])
                        continue;
                    auto expected = each.expected(group, lane);
                    auto found = out[row * count + i];
                    ASSERT_TRUE(!expected || found == *expected ||
                                (found != found && *expected != *expected))
                        << fmt::format("{} of {}, {} of sub-group size {}: lane {} has {}, not {}",
                                       each.source, name_of<T>, some ? "some" : "all", most, lane,
                                       static_cast<double>(found), static_cast<double>(*expected));
                }
                ++row;
            }
    }

    template <typename T> void check_all() {
        std::vector<Case<T>> cases;
        add_arithmetic(cases);
        add_exchanges(cases);
        add_intel(cases);
        if constexpr (std::is_same_v<T, cl_int>)
            add_votes(cases);
        auto program = build(source_of(cases));
        cl::Kernel kernel(program, "all_of_them");
        for (auto local : {std::array<std::size_t, 3>{69, 1, 1}, {1, 1, 1}, {5, 7, 1}, {3, 5, 2}})
            check(cases, kernel, local);
    }
};

TEST_F(SubGroups, FunctionsOfChar) { check_all<cl_char>(); }
TEST_F(SubGroups, FunctionsOfUchar) { check_all<cl_uchar>(); }
TEST_F(SubGroups, FunctionsOfShort) { check_all<cl_short>(); }
TEST_F(SubGroups, FunctionsOfUshort) { check_all<cl_ushort>(); }
TEST_F(SubGroups, FunctionsOfInt) { check_all<cl_int>(); }
TEST_F(SubGroups, FunctionsOfUint) { check_all<cl_uint>(); }
TEST_F(SubGroups, FunctionsOfLong) { check_all<cl_long>(); }
TEST_F(SubGroups, FunctionsOfUlong) { check_all<cl_ulong>(); }
TEST_F(SubGroups, FunctionsOfHalf) {
    if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_fp16") == std::string::npos)
        GTEST_SKIP() << "no half";
    check_all<_Float16>();
}
TEST_F(SubGroups, FunctionsOfFloat) { check_all<float>(); }
TEST_F(SubGroups, FunctionsOfDouble) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
