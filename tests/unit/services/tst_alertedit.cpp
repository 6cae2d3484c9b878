// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/alertedit.h"
#include "app/services/config/config.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_alertedit {

using namespace gpuledger;
using services::AlertsChange;

namespace {

const std::filesystem::path kAlertFile = "/nowhere/config.yaml";

const char kAlertConfig[] =
    "# ours\n"
    "version: 1\n"
    "sources:\n"
    "  - { name: dev, kind: demo, gpus: 16 } # small\n"
    "targets: [ { name: desk, kind: desktop }, { name: boss, kind: desktop }, { name: a chief, kind: desktop } ]\n"
    "# wake people\n"
    "alerts:\n"
    "  # the costly one\n"
    "  - { name: idle-cost, when: { metric: idle-cost, per: team, above: 200 USD/day, for: 2h } } # new\n"
    "  - name: busy\n"
    "    when: { metric: utilization, per: cluster, below: 30 % }\n"
    "    send: [desk]\n"
    "# the end\n";

} // namespace

// Alert rules in the configuration file.
class AlertEditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUnchangedListKeepsEveryByte()
    {
        const auto result = written(configured());
        QVERIFY(result);
        QCOMPARE(QByteArray::fromStdString(*result), QByteArray(kAlertConfig));
    }

    void theFiscalYearAlone()
    {
        const std::string text = std::string(kAlertConfig) + "fiscal_year_starts: 4 # as the tax year\n";
        const auto other = services::withFiscalYear(text, 4, 10, kAlertFile, m_kinds);
        QVERIFY2(other, other ? "" : other.error().text.c_str());
        QCOMPARE(QByteArray::fromStdString(*other),
                 QByteArray(kAlertConfig) + "fiscal_year_starts: 10 # as the tax year\n");
        const auto added = services::withFiscalYear(kAlertConfig, 1, 4, kAlertFile, m_kinds);
        QVERIFY(added && added->find("fiscal_year_starts: 4") != added->npos);
        QCOMPARE(*services::withFiscalYear(kAlertConfig, 1, 1, kAlertFile, m_kinds), std::string(kAlertConfig));
        const auto late = services::withFiscalYear(text, 1, 10, kAlertFile, m_kinds);
        QVERIFY(!late && late.error().code == base::ErrorCode::StorageBusy);
        QVERIFY(!services::withFiscalYear(text, 4, 13, kAlertFile, m_kinds));
    }

    void aChangedRuleKeepsTheCommentsAroundIt()
    {
        auto rules = configured();
        rules[0].rule.bound = "350 USD/day";
        rules[0].rule.severity = "critical";
        rules[0].rule.hysteresis = 0.1;
        rules[0].rule.workingHours = "mon-fri 8-18, sat 9-12";
        rules[0].rule.markAfter = base::Seconds{86400};
        rules[0].rule.send = {"desk"};
        rules[0].rule.escalate = {{base::Seconds{7200}, {"boss"}}, {base::Seconds{86400}, {"a chief"}}};
        const auto result = written(rules);
        QVERIFY2(result, result ? "" : result.error().text.c_str());
        const std::string_view text = *result;
        QVERIFY(text.find("  # the costly one\n") != text.npos);
        QVERIFY(text.find("} # new\n") != text.npos);
        QVERIFY(text.find("  - name: busy\n") != text.npos);
        const auto after = rulesIn(text);
        QCOMPARE(after.size(), std::size_t{2});
        QVERIFY(services::sameAlert(after[0], rules[0].rule));
        QVERIFY(services::sameAlert(after[1], rules[1].rule));
    }

    void aRuleIsAddedAndRemoved()
    {
        auto rules = configured();
        rules.erase(rules.begin());
        model::AlertRule added;
        added.name = "free";
        added.metric = "unallocated";
        added.per = "all";
        added.bound = "8 GPU";
        added.send = {"desk"};
        rules.push_back({std::nullopt, added});
        const auto result = written(rules);
        QVERIFY2(result, result ? "" : result.error().text.c_str());
        const auto after = rulesIn(*result);
        QCOMPARE(after.size(), std::size_t{2});
        QCOMPARE(after[0].name, std::string("busy"));
        QVERIFY(services::sameAlert(after[1], added));
    }

    void theFirstRuleMakesTheList()
    {
        const std::string text = "version: 1\nsources:\n  - { name: dev, kind: demo, gpus: 16 }\n";
        AlertsChange change;
        model::AlertRule rule = configured()[0].rule;
        change.after.push_back({std::nullopt, rule});
        const auto result = services::withAlerts(text, change, kAlertFile, m_kinds);
        QVERIFY2(result, result ? "" : result.error().text.c_str());
        QVERIFY(result->starts_with(text));
        QVERIFY(services::sameAlert(rulesIn(*result).at(0), rule));
    }

    void anotherHandWins()
    {
        AlertsChange change{{}, {}}; // the file has two rules
        const auto result = services::withAlerts(kAlertConfig, change, kAlertFile, m_kinds);
        QVERIFY(!result);
        QVERIFY(result.error().code == base::ErrorCode::StorageBusy);
    }

    void aRuleThatCantBeReadIsNotWritten()
    {
        auto rules = configured();
        rules[0].rule.bound = "much";
        const auto result = written(rules);
        QVERIFY(!result);
        QVERIFY(result.error().code == base::ErrorCode::InvalidConfig);
        auto alone = configured();
        alone[0].rule.escalate = {{base::Seconds{7200}, {"boss"}}}; // after nobody was told
        QVERIFY(!written(alone));
    }

private:
    std::vector<model::AlertRule> rulesIn(std::string_view text) const
    {
        return services::parseConfig(text, kAlertFile.parent_path(), m_kinds).settings.alerts;
    }
    std::vector<AlertsChange::Rule> configured() const
    {
        std::vector<AlertsChange::Rule> out;
        for (const model::AlertRule &rule : rulesIn(kAlertConfig))
            out.push_back({out.size(), rule});
        return out;
    }
    base::Result<std::string> written(const std::vector<AlertsChange::Rule> &after) const
    {
        return services::withAlerts(kAlertConfig, {rulesIn(kAlertConfig), after}, kAlertFile, m_kinds);
    }

    const ports::SourceKinds m_kinds = connectors::makeSourceCatalog()->kinds();
};

GPULEDGER_SUITE(AlertEditTest)

} // namespace tst_alertedit

#include "tst_alertedit.moc"
