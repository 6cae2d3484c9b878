// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/owners/ownerrulesviewmodel.h"

#include "app/model/settingsequal.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"

#include <algorithm>

namespace gpuledger::ui {

OwnerRulesViewModel::OwnerRulesViewModel(services::ConfigService &config, services::FleetService &fleet,
                                         services::SourceService &sources, TaskRunner &tasks, SyncController &sync,
                                         const std::filesystem::path &configFile, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_fleet(fleet)
    , m_sources(sources)
    , m_sync(sync)
    , m_saver(config, sources, tasks, sync, configFile)
    , m_asker(tasks, this, [this] { take(); })
{
    takeConfiguration();
    connect(&sync, &SyncController::sourcesChanged, this, &OwnerRulesViewModel::refresh);
    connect(&m_saver, &ConfigurationSaver::saved, this, [this] {
        takeConfiguration();
        Q_EMIT rowsChanged();
        ask();
    });
}

void OwnerRulesViewModel::takeConfiguration()
{
    m_configured = m_config.settings().owners;
    m_builtIn = m_configured.empty();
    m_rows.clear();
    for (const model::OwnerRule &rule : m_builtIn ? m_fleet.ownerRules() : m_configured) {
        const auto from = m_builtIn ? std::nullopt : std::optional(m_rows.size());
        m_rows.push_back({++m_lastId, rule, from});
    }
    m_saved = m_rows;
}

int OwnerRulesViewModel::indexOf(int id) const
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [id](const Row &row) { return row.id == id; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

bool OwnerRulesViewModel::isChanged() const
{
    return !std::equal(m_rows.begin(), m_rows.end(), m_saved.begin(), m_saved.end(),
                       [](const Row &a, const Row &b) { return a.rule == b.rule; });
}

const base::TimeZone &OwnerRulesViewModel::timeZone() const
{
    return m_config.timeZone();
}

bool OwnerRulesViewModel::isPreviewOfRows() const
{
    return preview() && !m_asker.isAsking() && m_asked == rules();
}

std::vector<model::OwnerRule> OwnerRulesViewModel::rules() const
{
    std::vector<model::OwnerRule> all;
    for (const Row &row : m_rows)
        all.push_back(row.rule);
    return all;
}

int OwnerRulesViewModel::insert(int index, const model::OwnerRule &rule)
{
    m_rows.insert(m_rows.begin() + std::clamp(index, 0, static_cast<int>(m_rows.size())), {++m_lastId, rule, {}});
    const int id = m_lastId;
    Q_EMIT rowsChanged();
    ask();
    return id;
}

void OwnerRulesViewModel::replace(int id, const model::OwnerRule &rule)
{
    const int at = indexOf(id);
    if (at < 0 || m_rows[static_cast<std::size_t>(at)].rule == rule)
        return;
    m_rows[static_cast<std::size_t>(at)].rule = rule;
    Q_EMIT rowsChanged();
    ask();
}

void OwnerRulesViewModel::remove(int id)
{
    const int at = indexOf(id);
    if (at < 0)
        return;
    m_rows.erase(m_rows.begin() + at);
    Q_EMIT rowsChanged();
    ask();
}

void OwnerRulesViewModel::move(int id, int by)
{
    const int from = indexOf(id), to = from + by;
    if (from < 0 || to < 0 || to >= static_cast<int>(m_rows.size()))
        return;
    Row row = m_rows[static_cast<std::size_t>(from)];
    m_rows.erase(m_rows.begin() + from);
    m_rows.insert(m_rows.begin() + to, std::move(row));
    Q_EMIT rowsChanged();
    ask();
}

void OwnerRulesViewModel::restore(std::vector<Row> rows)
{
    m_rows = std::move(rows);
    Q_EMIT rowsChanged();
    ask();
}

void OwnerRulesViewModel::discard()
{
    takeConfiguration();
    Q_EMIT rowsChanged();
    ask();
}

void OwnerRulesViewModel::save()
{
    if (!canSave() || !isChanged())
        return;
    services::OwnersChange change{m_configured, {}};
    for (const Row &row : m_rows)
        change.after.push_back({row.from, row.rule});
    m_saver.save([change = std::move(change), file = m_saver.file(), kinds = m_sources.kinds()](std::string_view text) {
        return services::withOwners(text, change, file, kinds);
    });
}

void OwnerRulesViewModel::refresh()
{
    // Saved elsewhere, or a new source; a draft stays as it is.
    if (!isChanged() && m_configured != m_config.settings().owners) {
        takeConfiguration();
        Q_EMIT rowsChanged();
    } else if (m_sync.running() && m_state == PageState::Data) {
        return; // not recomputed for every batch; the end of the sync is signalled as well
    }
    ask();
}

void OwnerRulesViewModel::setActive(bool active)
{
    m_asker.setActive(active);
}

void OwnerRulesViewModel::ask()
{
    m_asked = rules();
    m_asker.ask([fleet = &m_fleet, rules = m_asked](std::stop_token stop) -> LatestQuery<ledger::RulePreview>::Answer {
        const auto covered = fleet->coveredRange();
        GPULEDGER_TRY(covered);
        const base::TimeRange range{std::max(covered->start, covered->end - kRange), covered->end};
        auto preview = fleet->testRules(range, rules, stop);
        GPULEDGER_TRY(preview);
        return std::make_shared<const ledger::RulePreview>(std::move(*preview));
    });
    Q_EMIT changed();
}

void OwnerRulesViewModel::take()
{
    if (m_asker.error()) {
        m_error = *m_asker.error();
        m_state = PageState::Error;
    } else {
        m_state = preview()->all.time.ticks > 0 ? PageState::Data : PageState::Empty;
    }
    Q_EMIT changed();
}

} // namespace gpuledger::ui
