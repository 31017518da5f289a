// SPDX-License-Identifier: Apache-2.0
//
// clGet…Info as data: one row per name. A row returns the value; size, NULL and
// param_value_size_ret are handled here.
//
//   constexpr auto context_queries = queries<Context>(
//       row(CL_CONTEXT_NUM_DEVICES, [](const Context &c) -> cl_uint { return c.devices().size();
//       }), …);
//   return query(context_queries, context, name, size, value, size_ret);
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host-runtime/object/entry.h"

namespace rivulet {

/// The application's memory for the value.
class Reply {
public:
    Reply(size_t size, void *value, size_t *size_ret)
        : size_(size), value_(value), size_ret_(size_ret) {}

    void bytes(const void *data, size_t count);

    void put(std::string_view text); // including the NUL
    void put(const std::string &text) { put(std::string_view(text)); }
    void put(const char *text) { put(std::string_view(text)); }
    template <class T> void put(const std::vector<T> &values) {
        bytes(values.data(), values.size() * sizeof(T));
    }
    template <class T>
        requires std::is_trivially_copyable_v<T> && (!std::is_same_v<T, bool>)
    void put(const T &value) {
        bytes(&value, sizeof value);
    }

private:
    size_t size_;
    void *value_;
    size_t *size_ret_;
};

template <class T> struct Query {
    cl_uint name;
    void (*answer)(const T &object, Reply &reply);
};

template <class F> struct Row {
    cl_uint name;
    F answer;
};
template <class F> consteval Row<F> row(cl_uint name, F answer) {
    static_assert(std::is_empty_v<F>, "a lambda without captures; of functions: row<function>");
    return {name, answer};
}
template <auto function> consteval auto row(cl_uint name) {
    return row(name, [](const auto &object) { return function(object); });
}

template <class T, class... F>
consteval std::array<Query<T>, sizeof...(F)> queries(Row<F>... rows) {
    return {Query<T>{rows.name, [](const T &object, Reply &reply) { reply.put(F{}(object)); }}...};
}

[[noreturn]] void fail_unknown(cl_uint name);

/// Throws CL_INVALID_VALUE for unknown names and values that don't fit.
template <class T, size_t N>
void query(const std::array<Query<T>, N> &table, const T &object, cl_uint name, size_t size,
           void *value, size_t *size_ret) {
    for (const auto &candidate : table)
        if (candidate.name == name) {
            Reply reply(size, value, size_ret);
            return candidate.answer(object, reply);
        }
    fail_unknown(name);
}

} // namespace rivulet
