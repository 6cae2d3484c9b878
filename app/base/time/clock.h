// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

namespace gpuledger::base {

// The only source of "now". Passed in, never global. Any thread.
class Clock {
public:
    virtual ~Clock() = default;
    virtual UtcTime now() const = 0;
};

// The real clock of the system.
class SystemClock final : public Clock {
public:
    UtcTime now() const override { return std::chrono::floor<Seconds>(std::chrono::system_clock::now()); }
};

// Stands still; for reports on the past, and for tests.
class FrozenClock final : public Clock {
public:
    explicit FrozenClock(UtcTime t)
        : m_now(t)
    {
    }
    UtcTime now() const override { return m_now; }

private:
    UtcTime m_now;
};

} // namespace gpuledger::base
