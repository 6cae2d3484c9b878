// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The hours of one node of a pool, as the replays of capacity read them. Plain values; const use on any thread; no
// errors.
namespace gpuledger::savings {

// One hour of a node.
struct CapacityHour {
    std::int64_t nanos = 0; // of all paid time of its GPUs
    std::int16_t allocated = 0; // most GPUs that were held at one time
    bool present = false;
    bool known = true; // false: too little was observed to say that it was empty; such a node never leaves
    bool priced = true;
    bool operator==(const CapacityHour &) const = default;
};

// An hour takes 4 bytes, and 12 more if its amount differs from that of the hour before: the hours of all nodes of a
// large fleet are in memory at once, and most nodes cost the same in each. Read by value; only appended to.
class CapacityHours {
public:
    class Iterator {
    public:
        Iterator(const CapacityHours &hours, std::size_t at)
            : m_hours(&hours)
            , m_at(at)
        {
        }
        CapacityHour operator*() const { return (*m_hours)[m_at]; }
        Iterator &operator++()
        {
            ++m_at;
            return *this;
        }
        bool operator==(const Iterator &) const = default;

    private:
        const CapacityHours *m_hours;
        std::size_t m_at;
    };

    std::size_t size() const { return m_states.size(); }
    // Takes the logarithm of the number of amounts.
    CapacityHour operator[](std::size_t hour) const;
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }
    // The node was there, it is known what it did, and nothing was held.
    bool isEmpty(std::size_t hour) const;

    void reserve(std::size_t count) { m_states.reserve(count); }
    void push_back(const CapacityHour &hour);
    void padTo(std::size_t count); // appends hours in which the node was not there, if there are fewer
    // Hours from `first`, which may be negative, on; those outside [0, most) are left out. After what was added before.
    void addDay(std::int64_t first, std::span<const CapacityHour> hours, std::size_t most);

private:
    struct State {
        std::int16_t allocated;
        bool present : 1, known : 1, priced : 1;
    };
    std::vector<State> m_states; // by hour
    // Amounts, and the hour from which each of them is true.
    std::vector<std::uint32_t> m_first;
    std::vector<std::int64_t> m_nanos;
};

} // namespace gpuledger::savings
