// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/output.h"

#include <mutex>

namespace gpuledger::cli {

// The events of `watch`, one JSON object per line. Each line is flushed, because the reader may be a pipe. Any thread;
// nobody else may write to the output meanwhile. Fails with StorageFull.
class EventLines {
public:
    explicit EventLines(Output &out)
        : m_out(out)
    {
    }
    [[nodiscard]] base::Result<void> tell(const Json &line);

private:
    std::mutex m_mutex;
    Output &m_out;
};

// An event: its time and name, then the fields of `fields`; a time of their own is named "changed".
Json eventOf(const char *event, base::UtcTime at, const Json &fields);

} // namespace gpuledger::cli
