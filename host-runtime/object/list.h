// SPDX-License-Identifier: Apache-2.0
//
// An intrusive list: elements are linked through a member, so nothing is allocated and nothing can
// fail. An element is in at most one list.
#pragma once

#include <cstddef>

namespace rivulet {

template <class T, T *T::*next> class List {
public:
    List() = default;
    List(const List &) = delete;
    List &operator=(const List &) = delete;

    [[nodiscard]] T *first() const { return first_; }
    [[nodiscard]] bool empty() const { return !first_; }
    [[nodiscard]] size_t size() const { return size_; }
    void push(T &thing) {
        thing.*next = nullptr;
        *end_ = &thing;
        end_ = &(thing.*next);
        ++size_;
    }
    void push_front(T &thing) {
        thing.*next = first_;
        if (!first_)
            end_ = &(thing.*next);
        first_ = &thing;
        ++size_;
    }
    T *pop() {
        T *thing = first_;
        if (!thing)
            return nullptr;
        if (!(first_ = thing->*next))
            end_ = &first_;
        --size_;
        return thing;
    }

private:
    T *first_ = nullptr;
    T **end_ = &first_;
    size_t size_ = 0;
};

} // namespace rivulet
