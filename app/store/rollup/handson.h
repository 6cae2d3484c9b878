// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

namespace gpuledger::store {

// Passes state computed from an immutable reader's facts from one finished user to the next that needs the same. One
// thread at a time, like the reader.
class HandsOn {
public:
    virtual ~HandsOn() = default;
    void handOn(std::shared_ptr<void> workedOut) { m_workedOut = std::move(workedOut); }
    std::shared_ptr<void> takeOver() { return std::exchange(m_workedOut, nullptr); }

private:
    std::shared_ptr<void> m_workedOut;
};

} // namespace gpuledger::store
