// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerruletext.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/configurationsaver.h"

#include <QObject>

#include <vector>

namespace gpuledger::ui {

// The owner rules as somebody changes them, what they would do with the time of the last weeks beside those in use,
// and saving them. Lives as long as its page; GUI thread; asks the workspace on workers and drops late answers.
class OwnerRulesViewModel : public QObject {
    Q_OBJECT
public:
    struct Row {
        int id = 0; // stays while the rule moves
        model::OwnerRule rule;
        std::optional<std::size_t> from; // position in the configuration
    };
    static constexpr base::Seconds kRange = 30 * base::kDay; // that the preview looks back

    // All must outlive it. Without a configuration file nothing can be saved.
    OwnerRulesViewModel(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                        const std::filesystem::path &configFile, QObject *parent = nullptr);

    // Of the preview. Empty: nobody held anything yet, or nothing was synced.
    PageState state() const { return m_state; }
    const base::Error &error() const { return m_error; }
    // Of preview(): the rules of it are those of rows(), or the built-in ones where there are none. Null: none yet.
    std::shared_ptr<const ledger::RulePreview> preview() const { return m_asker.snapshot(); }
    // The preview is of other rules than rows(), and the right one on its way.
    bool isAsking() const { return m_asker.isAsking(); }
    bool isPreviewOfRows() const;

    const base::TimeZone &timeZone() const { return m_workspace.timeZone(); }
    const std::vector<Row> &rows() const { return m_rows; }
    int indexOf(int id) const; // -1: none
    // The rules are those that the program has where the configuration says nothing.
    bool isBuiltIn() const { return m_builtIn; }
    bool isChanged() const;
    bool canSave() const { return !m_saver.file().empty(); }
    ConfigurationSaver &saver() { return m_saver; }

    // Where the new one is: its id.
    int insert(int index, const model::OwnerRule &rule);
    void replace(int id, const model::OwnerRule &rule);
    void remove(int id);
    void move(int id, int by);
    // Rows as they were, e.g. before a dialog that was cancelled.
    void restore(std::vector<Row> rows);
    void discard();
    // Writes the rules; answered by the saver. Figures follow.
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

    services::Workspace &m_workspace;
    SyncController &m_sync;
    ConfigurationSaver m_saver;
    std::vector<Row> m_rows, m_saved;
    std::vector<model::OwnerRule> m_configured; // as the configuration has them; may be empty
    bool m_builtIn = false;
    int m_lastId = 0;
    PageState m_state = PageState::Loading;
    base::Error m_error;
    std::vector<model::OwnerRule> m_asked;
    LatestQuery<ledger::RulePreview> m_asker;
};

} // namespace gpuledger::ui
