// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerruletext.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/configurationsaver.h"

#include <QObject>

#include <vector>

namespace gpuledger::base {
class TimeZone;
}
namespace gpuledger::services {
class ConfigService;
class FleetService;
class SourceService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// The owner rules being edited, their effect on the last weeks compared with the current rules, and saving them. Lives
// as long as its page; GUI thread; queries on worker threads and drops stale answers.
class OwnerRulesViewModel : public QObject {
    Q_OBJECT
public:
    struct Row {
        int id = 0; // kept when the rule moves
        model::OwnerRule rule;
        std::optional<std::size_t> from; // position in the configuration
    };
    static constexpr base::Seconds kRange = 30 * base::kDay; // the time that the preview covers

    // All must outlive it. Without a configuration file nothing can be saved.
    OwnerRulesViewModel(services::ConfigService &config, services::FleetService &fleet,
                        services::SourceService &sources, TaskRunner &tasks, SyncController &sync,
                        const std::filesystem::path &configFile, QObject *parent = nullptr);

    // State of the preview. Empty: there were no holders yet, or nothing was synced.
    PageState state() const { return m_state; }
    const base::Error &error() const { return m_error; }
    // The last preview; its rules are those of rows(), or the built-in ones if there are none. Null: none yet.
    std::shared_ptr<const ledger::RulePreview> preview() const { return m_asker.snapshot(); }
    // While true, the preview is for other rules than rows() and is being recomputed.
    bool isAsking() const { return m_asker.isAsking(); }
    bool isPreviewOfRows() const;

    const base::TimeZone &timeZone() const;
    const std::vector<Row> &rows() const { return m_rows; }
    int indexOf(int id) const; // -1: none
    // The rules are the defaults, because the configuration contains none.
    bool isBuiltIn() const { return m_builtIn; }
    bool isChanged() const;
    bool canSave() const { return !m_saver.file().empty(); }
    ConfigurationSaver &saver() { return m_saver; }

    // Returns the id of the new rule.
    int insert(int index, const model::OwnerRule &rule);
    void replace(int id, const model::OwnerRule &rule);
    void remove(int id);
    void move(int id, int by);
    // Restores earlier rows, e.g. after a dialog was cancelled.
    void restore(std::vector<Row> rows);
    void discard();
    // Writes the rules; the saver reports the result. Figures follow.
    void save();
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void rowsChanged();
    void changed(); // state, preview, isChanged()

private:
    void takeConfiguration();
    void ask();
    void take();
    std::vector<model::OwnerRule> rules() const;

    const services::ConfigService &m_config;
    services::FleetService &m_fleet;
    services::SourceService &m_sources;
    SyncController &m_sync;
    ConfigurationSaver m_saver;
    std::vector<Row> m_rows, m_saved;
    std::vector<model::OwnerRule> m_configured; // as in the configuration; may be empty
    bool m_builtIn = false;
    int m_lastId = 0;
    PageState m_state = PageState::Loading;
    base::Error m_error;
    std::vector<model::OwnerRule> m_asked;
    LatestQuery<ledger::RulePreview> m_asker;
};

} // namespace gpuledger::ui
