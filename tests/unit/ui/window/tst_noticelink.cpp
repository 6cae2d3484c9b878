// SPDX-License-Identifier: GPL-3.0-or-later
// The links in notices of alerts lead to the page and the filter that they name.
#include "app/model/fleet/poolname.h"
#include "app/services/alerts/noticewords.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/alerts/alertsdesk.h"
#include "ui/viewmodels/shell/navigator.h"

#include <QTest>

namespace tst_noticelink {

using namespace gpuledger;

class TestNoticeLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWindowUnderstandsThem()
    {
        alerts::Rule rule;
        for (const auto metric : {alerts::RuleMetric::IdleCost, alerts::RuleMetric::Utilization}) {
            rule.metric = metric;
            for (const std::string scope : {"vision", "", "a&b=c#d%41+e f/?", "ä ع 😀", "line\nbreak", "~._-"}) {
                for (const auto per : {alerts::RuleScope::Team, alerts::RuleScope::Cluster, alerts::RuleScope::All}) {
                    rule.scope = per;
                    const std::string link = services::alertLink(rule, scope);
                    const auto place = ui::Place::fromUrl(QUrl(QString::fromStdString(link), QUrl::StrictMode));
                    QVERIFY2(place.has_value(), link.c_str());
                    QCOMPARE(place->page,
                             metric == alerts::RuleMetric::IdleCost ? QStringLiteral("idle")
                                                                    : QStringLiteral("overview"));
                    QVERIFY(place->scope.time.span == ui::Span::Day);
                    insight::Filter wanted;
                    if (per != alerts::RuleScope::All)
                        wanted.include[per == alerts::RuleScope::Team ? insight::Dimension::Team
                                                                      : insight::Dimension::Cluster] = {scope};
                    QVERIFY2(place->scope.filter == wanted, link.c_str());
                    const std::string ofItem = services::alertItemLink(link, scope);
                    const auto row = ui::Place::fromUrl(QUrl(QString::fromStdString(ofItem), QUrl::StrictMode));
                    QVERIFY2(row.has_value() && row->scope.filter == wanted, ofItem.c_str());
                    QCOMPARE(row->inner.queryItemValue(QStringLiteral("item"), QUrl::FullyDecoded),
                             QString::fromStdString(scope));
                }
            }
        }
    }

    void alsoThoseOfAPool()
    {
        alerts::Rule rule;
        rule.metric = alerts::RuleMetric::IdleCost;
        rule.scope = alerts::RuleScope::Pool;
        for (const auto &[cluster, pool] : std::vector<std::pair<std::string, std::string>>{
                 {"prod", "a100"}, {"eu/prod", ""}, {"", "a100"}, {"ä & b", "a.b-c_d"}}) {
            const std::string link = services::alertLink(rule, model::poolName({cluster, pool}));
            const auto place = ui::Place::fromUrl(QUrl(QString::fromStdString(link), QUrl::StrictMode));
            QVERIFY2(place.has_value(), link.c_str());
            insight::Filter wanted;
            wanted.include[insight::Dimension::Cluster] = {cluster};
            wanted.include[insight::Dimension::NodePool] = {pool};
            QVERIFY2(place->scope.filter == wanted, link.c_str());
            QVERIFY(ui::filterOfScope("pool", model::poolName({cluster, pool})) == wanted);
        }
    }
};

GPULEDGER_SUITE(TestNoticeLink)

} // namespace tst_noticelink

#include "tst_noticelink.moc"
