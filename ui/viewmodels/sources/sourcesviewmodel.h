// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/sources/configurationsaver.h"
#include "ui/viewmodels/sources/sourcetest.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// A line of a source's card: "Lag", "3 min".
struct SourceFact {
    QString label;
    QString value;
    QString exact; // on hover; empty: the value says it all
    friend bool operator==(const SourceFact &, const SourceFact &) = default;
};

// What a card shows of one source; texts are translated, names and addresses are foreign.
struct SourceCard {
    enum class Standing { Syncing, Fresh, Behind, Failed, NeverSynced };
    std::string name;
    QString kind; // "Prometheus"
    QString address; // empty: the kind needs none
    bool canSync = true; // false: it tells nothing, and its standing is that of its last test
    Standing standing = Standing::NeverSynced;
    QString standingWord; // "Up to date"
    QString error; // sentence and remedy; empty: the last sync went well
    QString loss; // what it has no more, which somebody may accept; empty: nothing
    std::vector<SourceFact> facts;
    bool canEdit = false; // its fields can be typed in the dialog
    friend bool operator==(const SourceCard &, const SourceCard &) = default;
};

// State and commands of the sources' cards. Lives as long as its page; GUI thread; asks the workspace on workers and
// drops late answers.
class SourcesViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it. Without a configuration file nothing can be changed.
    SourcesViewModel(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                     const std::filesystem::path &configFile, const LoginPorts &logins = {}, QObject *parent = nullptr);

    // FirstRun: no source is configured; Error: the cache can't be read (cards of before stay).
    PageState state() const { return m_state; }
    const base::Error &error() const { return m_error; }
    const std::vector<SourceCard> &cards() const { return m_cards; }

    void sync(const std::string &name);
    // What becomes of the figures when that source's loss is accepted, for the question before it; empty: there is
    // none.
    QString acceptanceText(const std::string &name) const;
    // Goes on without what the source has no more, with a sync of it; behind one that runs.
    void acceptLoss(const std::string &name);
    void stopSync();
    // The test of a source; made when first asked for. Null: no such source.
    SourceTest *testOf(const std::string &name);
    // Tests the source as it is configured now.
    void test(const std::string &name);
    bool canChange() const { return !m_saver.file().empty(); }
    // As it is configured now.
    std::optional<model::SourceSettings> settingsOf(const std::string &name) const;
    // What becomes of what is stored when it is removed, in a sentence.
    QString removalText(const std::string &name) const;
    // Takes the source out of the configuration; what was read from it stays. Answered by the saver.
    void remove(const std::string &name);
    ConfigurationSaver &saver() { return m_saver; }
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed(); // state or cards

private:
    using Statuses = std::vector<services::SourceStatus>;
    void take();
    void makeCards();
    SourceCard cardOf(const services::SourceStatus &status) const;
    void forgetOldTests();
    const SourceTest *existingTestOf(const std::string &name) const;
    void judgePlatform(SourceCard &card, const services::SourceStatus &status) const;
    QString ago(base::UtcTime time) const;
    void addLoss(SourceCard &card, const services::SourceStatus &status) const;
    const services::SyncReport *lastReportOf(const std::string &name) const;
    void addTelemetryFacts(SourceCard &card, const services::SourceStatus &status) const;

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    SyncController &m_sync;
    const LoginPorts m_logins;
    ConfigurationSaver m_saver;
    PageState m_state = PageState::Loading;
    base::Error m_error;
    std::vector<SourceCard> m_cards;
    std::map<std::string, std::unique_ptr<SourceTest>> m_tests;
    LatestQuery<Statuses> m_asker;
};

} // namespace gpuledger::ui
