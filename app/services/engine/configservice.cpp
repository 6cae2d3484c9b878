// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/engine/configservice.h"

#include "app/services/engine/engine.h"

#include <utility>

namespace gpuledger::services {

const model::Settings &ConfigService::settings() const
{
    return m_engine.setup().settings;
}

const base::TimeZone &ConfigService::timeZone() const
{
    return m_engine.setup().zone;
}

const base::Clock &ConfigService::clock() const
{
    return m_engine.clock();
}

std::optional<insight::Month> ConfigService::reportMonth() const
{
    return m_engine.reportMonth();
}

base::Result<void> ConfigService::apply(model::Settings settings)
{
    return m_engine.apply(std::move(settings));
}

} // namespace gpuledger::services
