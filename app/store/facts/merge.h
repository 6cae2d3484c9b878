// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::store {

// Merges attributes: newer evidence replaces a value, older evidence fills it in, and "unknown" never replaces
// anything.
class Merge {
public:
    explicit Merge(bool newer)
        : m_newer(newer)
    {
    }
    template <typename T> void take(T &stored, const T &said, const T &unknown)
    {
        if (said != unknown && stored != said && (m_newer || stored == unknown)) {
            stored = said;
            changed = true;
        }
    }
    template <typename T> void take(T &stored, const T &said) { take(stored, said, T{}); }
    bool newer() const { return m_newer; }

    bool changed = false;

private:
    bool m_newer;
};

} // namespace gpuledger::store
