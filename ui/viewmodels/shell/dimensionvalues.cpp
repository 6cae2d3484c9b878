// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/dimensionvalues.h"

#include "app/insight/query/labels.h"
#include "app/services/fleet/fleetservice.h"

namespace gpuledger::ui {

using insight::Dimension;

DimensionValues::DimensionValues(services::FleetService &fleet, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_fleet(fleet)
    , m_tasks(tasks)
{
}

DimensionValues::~DimensionValues()
{
    m_stop.request_stop();
}

std::shared_ptr<const DimensionValues::Values> DimensionValues::values(const Dimension &dimension) const
{
    const auto it = m_entries.find(dimension);
    return it == m_entries.end() ? nullptr : it->second.answer;
}

template <typename Answer, typename EntryOf, typename Question, typename Answered>
void DimensionValues::ask(EntryOf entry, Question question, Answered answered)
{
    using Outcome = base::Result<Answer>;
    if (entry().of == m_generation)
        return;
    entry().of = m_generation;
    m_tasks.run<Outcome>(
        this,
        [question, stop = m_stop.get_token()](const std::stop_token &) -> Outcome {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "superseded");
            return question();
        },
        [entry, answered, generation = m_generation](Outcome outcome) {
            if (entry().of != generation)
                return;
            if (!outcome) {
                entry().of = 0; // the next want() queries again
                return;
            }
            entry().answer = std::make_shared<const Answer>(std::move(*outcome));
            answered();
        });
}

void DimensionValues::want(const Dimension &dimension)
{
    ask<Values>([this, dimension]() -> Entry<Values> & { return m_entries[dimension]; },
                [fleet = &m_fleet, dimension] { return fleet->values(dimension); },
                [this, dimension] { Q_EMIT changed(dimension); });
}

void DimensionValues::wantLabels()
{
    ask<Labels>([this]() -> Entry<Labels> & { return m_labels; }, [fleet = &m_fleet] { return fleet->labels(); },
                [this] { Q_EMIT labelsChanged(); });
}

void DimensionValues::forget()
{
    ++m_generation;
    m_stop.request_stop();
    m_stop = {};
}

} // namespace gpuledger::ui
