// SPDX-License-Identifier: GPL-3.0-or-later
// Targets, alerts, budgets and events as a file of their own, and back into a configuration.
#include "app/services/config/alertlists.h"
#include "app/services/config/config.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_alertlists {

using namespace gpuledger;
using services::ImportedAlerts;
using services::ImportedEntry;
using services::ImportMode;

namespace {

const std::filesystem::path kListsConfig = "/nowhere/config.yaml", kListsFile = "/elsewhere/alerts.yaml";

const std::string kBare = "# ours\nversion: 1\nsources:\n  - { name: dev, kind: demo, gpus: 16 } # small\n";
const std::string kFull = kBare
    + "targets: [ { name: chat, kind: slack, url: env:SLACK_URL }, { name: desk, kind: desktop } ]\n"
      "alerts:\n"
      "  # the costly one\n"
      "  - name: idle-cost\n"
      "    when:\n"
      "      metric: idle-cost\n"
      "      per: team\n"
      "      above: 200 USD/day # ours\n"
      "    send: [chat]\n"
      "    escalate: { after: 2h, send: [desk] }\n"
      "  - { name: busy, when: { metric: utilization, per: cluster, below: 30 % }, working_hours: \"mon-fri 8-18, sat "
      "9-12\" }\n"
      "budgets: [ { team: vision, period: month, amount: \"90000\", warn: [0.8, 1.0] } ]\n"
      "events:\n"
      "  - { name: \"GPU week: all #hands\", from: 2026-11-23, to: 2026-11-27, teams: [research], yearly: true }\n"
      "# the end\n";

} // namespace

class AlertListsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsExportedCanBeImported()
    {
        const std::string lists = exported(kFull);
        QVERIFY(lists.find("{ name: chat, kind: slack, url: env:SLACK_URL }") != lists.npos);
        QVERIFY(lists.find("demo") == lists.npos);
        const auto there = imported(kBare, lists);
        QVERIFY2(there, there ? "" : there.error().text.c_str());
        QVERIFY(there->text.starts_with(kBare));
        QCOMPARE(there->entries.size(), std::size_t{6});
        QCOMPARE(exported(there->text), lists);
        const auto settings = settingsIn(there->text);
        QCOMPARE(settings.alerts.at(0).escalate, settingsIn(kFull).alerts.at(0).escalate);
        QCOMPARE(settings.alerts.at(1).workingHours, std::string("mon-fri 8-18, sat 9-12"));
        QCOMPARE(settings.events, settingsIn(kFull).events);
        QCOMPARE(settings.events.at(0).name, std::string("GPU week: all #hands"));
        // A second time, nothing changes, however it is written there.
        for (const ImportMode mode : {ImportMode::Merge, ImportMode::Replace}) {
            const auto again = imported(kFull, lists, mode);
            QVERIFY(again);
            QCOMPARE(again->text, kFull);
            QCOMPARE(again->unchanged, std::size_t{6});
        }
    }

    void onlyWhatChangesIsWritten()
    {
        const auto there =
            imported(kFull,
                     "alerts:\n"
                     "  - { name: busy, when: { metric: utilization, per: team, below: 20 % }, send: [desk] }\n"
                     "  - { name: free, when: { metric: unallocated, per: all, above: 8 GPU } }\n");
        QVERIFY2(there, there ? "" : there.error().text.c_str());
        QCOMPARE(wordsOf(*there), (std::vector<std::string>{"1 alerts busy", "0 alerts free"}));
        const std::size_t begin = kFull.find("  - { name: busy"), end = kFull.find("budgets:");
        QVERIFY(there->text.starts_with(kFull.substr(0, begin)));
        QVERIFY(there->text.ends_with(kFull.substr(end)));
        QCOMPARE(settingsIn(there->text).alerts.at(1).per, std::string("team"));
        QCOMPARE(settingsIn(there->text).alerts.at(2).name, std::string("free"));
    }

    void routesAreKnownByTheirConditions()
    {
        const std::string routed = kFull
            + "routes:\n"
              "  - { team: vision, send: [chat] } # theirs\n"
              "  - { severity: critical, cluster: prod, send: [desk] }\n";
        const std::string lists = exported(routed);
        QVERIFY(lists.find("routes:\n  - { team: vision, send: [chat] }\n") != lists.npos);
        const auto bare = imported(kBare, lists);
        QVERIFY2(bare, bare ? "" : bare.error().text.c_str());
        QCOMPARE(settingsIn(bare->text).routes, settingsIn(routed).routes);
        // Of a file without targets: those of the configuration.
        const std::string two = "routes:\n  - { cluster: prod, severity: critical, send: [chat] }\n"
                                "  - { team: speech, send: [desk] }\n";
        const auto there = imported(routed, two);
        QVERIFY2(there, there ? "" : there.error().text.c_str());
        QCOMPARE(wordsOf(*there),
                 (std::vector<std::string>{"1 routes severity critical, cluster prod", "0 routes team speech"}));
        QVERIFY(there->text.find("[chat] } # theirs") != there->text.npos);
        QCOMPARE(settingsIn(there->text).routes.at(1).send, std::vector<std::string>{"chat"});
        const auto replaced = imported(routed, two, ImportMode::Replace);
        QVERIFY2(replaced, replaced ? "" : replaced.error().text.c_str());
        QCOMPARE(wordsOf(*replaced).back(), std::string("2 routes team vision"));
        // A target that a route or an owner rule still names can't go.
        for (const char *user : {"routes: [ { team: vision, send: [desk] } ]\n",
                                 "owners: [ { namespace: ml, team: vision, send: [desk] } ]\n"}) {
            const auto gone = imported(kBare + "targets: [ { name: desk, kind: desktop } ]\n" + user,
                                       "targets: [ { name: chat, kind: desktop } ]\n", ImportMode::Replace);
            QVERIFY(!gone);
            QVERIFY2(gone.error().text.find("\"desk\" is not the name") != std::string::npos,
                     gone.error().text.c_str());
        }
    }

    void aReplacedListIsThatOfTheFile()
    {
        const std::string lists =
            "alerts:\n  - { name: free, when: { metric: unallocated, per: all, above: 8 GPU } }\n";
        const auto there = imported(kFull, lists, ImportMode::Replace);
        QVERIFY2(there, there ? "" : there.error().text.c_str());
        QCOMPARE(wordsOf(*there), (std::vector<std::string>{"0 alerts free", "2 alerts idle-cost", "2 alerts busy"}));
        QCOMPARE(settingsIn(there->text).alerts.size(), std::size_t{1});
        QCOMPARE(settingsIn(there->text).targets.size(), std::size_t{2}); // the file has no targets
        QVERIFY(there->text.find("# the costly one") != there->text.npos);
        // A target that a rule still names can't go.
        const auto gone = imported(kFull, "targets: [ { name: desk, kind: desktop } ]\n", ImportMode::Replace);
        QVERIFY(!gone);
        QVERIFY(gone.error().text.find("chat") != std::string::npos);
    }

    void whatIsWrongIsNamedByLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("unknown target")
            << "alerts:\n  - { name: a, when: { metric: idle-cost, per: team, above: 2 USD/day }, "
               "send: [nobody] }\n"
            << "alerts.yaml:2:";
        QTest::newRow("a route to an unknown target") << "routes:\n  - { team: vision, send: [nobody] }\n"
                                                      << "alerts.yaml:2:";
        QTest::newRow("two routes with the same conditions")
            << "routes:\n  - { team: vision, send: [chat] }\n  - { team: vision, send: [desk] }\n"
            << "alerts.yaml:3:";
        QTest::newRow("another currency")
            << "version: 1\nalerts:\n  - { name: a, when: { metric: idle-cost, per: team, "
               "above: 2 EUR/day } }\n"
            << "alerts.yaml:3:";
        QTest::newRow("another section") << "events: []\nprices: {}\n"
                                         << "alerts.yaml:2:";
        QTest::newRow("a secret")
            << "targets: [ { name: t, kind: slack, url: \"https://hooks.example.org/canary\" } ]\n"
            << "alerts.yaml:1:";
        QTest::newRow("an event that ends before it begins")
            << "events: [ { name: e, from: 2026-11-23, to: 2026-11-22 } ]\n"
            << "alerts.yaml:1:";
        QTest::newRow("an hour is no day")
            << "events: [ { name: e, from: \"2026-11-23T10:00:00Z\", to: 2026-11-24 } ]\n"
            << "alerts.yaml:1:";
        QTest::newRow("twice the same name") << "events:\n  - { name: e, from: 2026-11-23, to: 2026-11-24 }\n  - { "
                                                "name: e, from: 2026-12-23, to: 2026-12-24 }\n"
                                             << "alerts.yaml:3:";
        QTest::newRow("nothing") << ""
                                 << "alerts.yaml:1:";
        QTest::newRow("no YAML") << "alerts: [\n"
                                 << "alerts.yaml:";
    }
    void whatIsWrongIsNamedByLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, place);
        const auto there = imported(kFull, text.toStdString());
        QVERIFY(!there);
        QVERIFY2(there.error().text.find(place.toStdString()) != std::string::npos, there.error().text.c_str());
        QVERIFY(there.error().text.find("canary") == std::string::npos);
    }

    void escalationsThatCantBe_data()
    {
        QTest::addColumn<QString>("more");
        QTest::newRow("nobody was told before") << "escalate: { after: 2h, send: [desk] }";
        QTest::newRow("told already") << "send: [chat], escalate: { after: 2h, send: [chat] }";
        QTest::newRow("told twice")
            << "send: [chat], escalate: [ { after: 2h, send: [desk] }, { after: 3h, send: [desk] } ]";
        QTest::newRow("not later")
            << "send: [chat], escalate: [ { after: 2h, send: [desk] }, { after: 2h, send: [third] } ]";
        QTest::newRow("nobody") << "send: [chat], escalate: { after: 2h, send: [] }";
        QTest::newRow("too soon") << "send: [chat], escalate: { after: 5s, send: [desk] }";
        QTest::newRow("no time") << "send: [chat], escalate: { send: [desk] }";
        QTest::newRow("unknown key") << "send: [chat], escalate: { after: 2h, sent: [desk] }";
    }
    void escalationsThatCantBe()
    {
        QFETCH(QString, more);
        const std::string text = "targets: [ { name: third, kind: desktop } ]\nalerts:\n  - { name: a, when: { metric: "
                                 "idle-cost, per: team, above: 2 USD/day }, "
            + more.toStdString() + " }\n";
        const auto there = imported(kFull, text);
        QVERIFY(!there);
        QVERIFY2(there.error().text.find("alerts.yaml:3:") != std::string::npos, there.error().text.c_str());
        QVERIFY2(there.error().text.find("escalate") != std::string::npos, there.error().text.c_str());
    }

    void anInvalidConfigurationIsNotTouched()
    {
        const auto there = imported("version: 1\n", exported(kFull));
        QVERIFY(!there);
        QVERIFY(there.error().text.find("config.yaml") != std::string::npos);
    }

private:
    std::string exported(std::string_view text) const
    {
        const auto lists = services::exportedAlerts(text, kListsConfig, m_kinds);
        return lists ? *lists : lists.error().text;
    }
    base::Result<ImportedAlerts> imported(std::string_view text, std::string_view lists,
                                          ImportMode mode = ImportMode::Merge) const
    {
        return services::withImportedAlerts(text, kListsConfig, lists, kListsFile, mode, m_kinds);
    }
    model::Settings settingsIn(std::string_view text) const
    {
        return services::parseConfig(text, kListsConfig.parent_path(), m_kinds).settings;
    }
    static std::vector<std::string> wordsOf(const ImportedAlerts &answer)
    {
        std::vector<std::string> out;
        for (const ImportedEntry &one : answer.entries)
            out.push_back(std::to_string(static_cast<int>(one.what)) + ' ' + one.list + ' ' + one.name);
        return out;
    }

    const ports::SourceKinds m_kinds = connectors::makeSourceCatalog()->kinds();
};

GPULEDGER_SUITE(AlertListsTest)

} // namespace tst_alertlists

#include "tst_alertlists.moc"
