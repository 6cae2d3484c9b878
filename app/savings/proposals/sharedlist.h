// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace gpuledger::savings {

// A list that is made like a vector and then shared: from then on copies take no memory of their own until they are
// changed. An answer keeps its proposals and hands out a list of them, and nearly all that they say stays the same. A
// value; no errors. Any number of threads may read and copy it at the same time.
template <typename T> class SharedList {
public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;

    SharedList() = default;
    SharedList(std::vector<T> all)
        : m_own(std::move(all))
    {
    }
    SharedList(std::initializer_list<T> all)
        : m_own(all)
    {
    }

    void share()
    {
        if (m_shared || m_own.empty())
            return;
        m_own.shrink_to_fit();
        m_shared = std::make_shared<const std::vector<T>>(std::exchange(m_own, {}));
    }
    // To change it; copies what is shared. Valid until the next share() or assignment.
    std::vector<T> &change()
    {
        if (m_shared)
            m_own = *std::exchange(m_shared, nullptr);
        return m_own;
    }
    void push_back(T one) { change().push_back(std::move(one)); }

    const std::vector<T> &list() const { return m_shared ? *m_shared : m_own; }
    operator const std::vector<T> &() const { return list(); }
    const_iterator begin() const { return list().begin(); }
    const_iterator end() const { return list().end(); }
    std::size_t size() const { return list().size(); }
    bool empty() const { return list().empty(); }
    const T &operator[](std::size_t i) const { return list()[i]; }
    const T &front() const { return list().front(); }
    const T &back() const { return list().back(); }

    friend bool operator==(const SharedList &a, const SharedList &b) { return a.list() == b.list(); }

private:
    std::vector<T> m_own; // empty once it is shared
    std::shared_ptr<const std::vector<T>> m_shared; // null: it is not
};

} // namespace gpuledger::savings
