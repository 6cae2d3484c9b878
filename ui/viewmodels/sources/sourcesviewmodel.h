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

namespace gpuledger::insight {
struct CountedTwice;
}
namespace gpuledger::services {
class ConfigService;
class SourceService;
class SpendService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// A line of a source's card: "Lag", "3 min".
struct SourceFact {
    QString label;
    QString value;
    QString exact; // on hover; empty if the value is exact
    friend bool operator==(const SourceFact &, const SourceFact &) = default;
};

// The contents of a source's card; texts are translated, names and addresses come from outside.
struct SourceCard {
    enum class Standing { Syncing, Fresh, Behind, Failed, NeverSynced };
    std::string name;
    QString kind; // "Prometheus"
    QString address; // empty if the kind has none
    bool canSync = true; // false: it has no data to sync, and its standing is that of its last test
    Standing standing = Standing::NeverSynced;
    QString standingWord; // "Up to date"
    QString error; // sentence and remedy; empty if the last sync succeeded
    QString loss; // data that it no longer has, which the user may accept; empty: nothing
    QString twice; // accounts that another source reports as well; empty: none
    std::vector<SourceFact> facts;
    bool canEdit = false; // the dialog can edit its fields
    friend bool operator==(const SourceCard &, const SourceCard &) = default;
};

// State and commands of the source cards. Lives as long as its page; GUI thread. Queries on workers and
// drops late answers.
class SourcesViewModel : public QObject {
    Q_OBJECT
public:
    // All arguments must outlive this object. Without a configuration file nothing can be changed.
    SourcesViewModel(services::ConfigService &config, services::SourceService &sources, services::SpendService &spend,
                     TaskRunner &tasks, SyncController &sync, const std::filesystem::path &configFile,
                     const LoginPorts &logins = {}, QObject *parent = nullptr);

    // FirstRun: no source is configured; Error: the cache can't be read (earlier cards stay).
    PageState state() const { return m_state; }
    const base::Error &error() const { return m_error; }
    const std::vector<SourceCard> &cards() const { return m_cards; }

    void sync(const std::string &name);
    // What happens to the figures when the loss of that source is accepted, for the confirmation; empty if there is
    // none.
    QString acceptanceText(const std::string &name) const;
    // Accepts the loss and syncs the source, after a running sync.
    void acceptLoss(const std::string &name);
    void stopSync();
    // The test of a source, created on first use; null if there is no such source.
    SourceTest *testOf(const std::string &name);
    // Tests the source as currently configured.
    void test(const std::string &name);
    bool canChange() const { return !m_saver.file().empty(); }
    // The source as currently configured.
    std::optional<model::SourceSettings> settingsOf(const std::string &name) const;
    // What happens to the stored data when the source is removed, as a sentence.
    QString removalText(const std::string &name) const;
    // Removes the source from the configuration; data that were read from it stay. The saver reports the result.
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
    void addMachines(SourceCard &card, const services::SourceStatus &status) const;
    void addPlatformFacts(SourceCard &card, const services::SourceStatus &status) const;
    QString ago(base::UtcTime time) const;
    QString exactTime(base::UtcTime time) const;
    void addPaid(SourceCard &card, const services::SourceStatus &status) const;
    void addLoss(SourceCard &card, const services::SourceStatus &status) const;
    const services::SyncReport *lastReportOf(const std::string &name) const;
    void addTelemetryFacts(SourceCard &card, const services::SourceStatus &status) const;

    const services::ConfigService &m_config;
    services::SourceService &m_sources;
    services::SpendService &m_spend;
    TaskRunner &m_tasks;
    SyncController &m_sync;
    const LoginPorts m_logins;
    ConfigurationSaver m_saver;
    PageState m_state = PageState::Loading;
    base::Error m_error;
    std::vector<SourceCard> m_cards;
    std::map<std::string, std::unique_ptr<SourceTest>> m_tests;
    LatestQuery<Statuses> m_asker;
    LatestQuery<std::vector<insight::CountedTwice>> m_twice;
};

} // namespace gpuledger::ui
