// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

namespace gpuledger::store {

// A reader whose facts do not change as long as it lives keeps what was worked out from them by one who needs it no
// more, for the next who would do the same. One thread at a time, as the reader.
class HandsOn {
public:
    virtual ~HandsOn() = default;
    void handOn(std::shared_ptr<void> workedOut) { m_workedOut = std::move(workedOut); }
    std::shared_ptr<void> takeOver() { return std::exchange(m_workedOut, nullptr); }

private:
    std::shared_ptr<void> m_workedOut;
};

} // namespace gpuledger::store
