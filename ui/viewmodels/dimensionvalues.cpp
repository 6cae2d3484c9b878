// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/dimensionvalues.h"

namespace gpuledger::ui {

using insight::Dimension;
using Answer = base::Result<std::vector<insight::DimensionValue>>;

DimensionValues::DimensionValues(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_tasks(tasks)
{
}

DimensionValues::~DimensionValues()
{
    m_stop.request_stop();
}

std::shared_ptr<const DimensionValues::Values> DimensionValues::values(Dimension dimension) const
{
    const auto it = m_entries.find(dimension);
    return it == m_entries.end() ? nullptr : it->second.values;
}

void DimensionValues::want(Dimension dimension)
{
    Entry &entry = m_entries[dimension];
    if (entry.of == m_generation)
        return;
    entry.of = m_generation;
    m_tasks.run<Answer>(
        this,
        [workspace = &m_workspace, dimension, stop = m_stop.get_token()](std::stop_token) -> Answer {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "superseded");
            return workspace->values(dimension);
        },
        [this, dimension, generation = m_generation](Answer answer) {
            Entry &mine = m_entries[dimension];
            if (mine.of != generation)
                return;
            if (!answer) {
                mine.of = 0; // the next one to want it asks again
                return;
            }
            mine.values = std::make_shared<const Values>(std::move(*answer));
            Q_EMIT changed(dimension);
        });
}

void DimensionValues::forget()
{
    ++m_generation;
    m_stop.request_stop();
    m_stop = {};
}

} // namespace gpuledger::ui
