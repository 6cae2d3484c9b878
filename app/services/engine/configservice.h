// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/insight/spend/month.h"

#include <optional>

namespace gpuledger::base {
class TimeZone;
}
namespace gpuledger::model {
struct Settings;
}

namespace gpuledger::services {

class Engine;

// The configuration in use, and what else every answer depends on: the time zone, the clock, and whether the data are
// those of a report. A const reference can only read it. `engine` must outlive it. Any thread.
class ConfigService {
public:
    explicit ConfigService(Engine &engine)
        : m_engine(engine)
    {
    }

    // References returned earlier stay valid and unchanged after apply().
    const model::Settings &settings() const;
    const base::TimeZone &timeZone() const;
    const base::Clock &clock() const;
    // The only month there is, if this is a report.
    std::optional<insight::Month> reportMonth() const;
    bool isReport() const { return reportMonth().has_value(); }
    // Switches to another configuration: later queries use it, running ones finish with the old one. Blocks: waits for
    // a running sync; call from a worker thread. Fails like Workspace::open(), and then changes nothing.
    [[nodiscard]] base::Result<void> apply(model::Settings settings);

private:
    Engine &m_engine;
};

} // namespace gpuledger::services
