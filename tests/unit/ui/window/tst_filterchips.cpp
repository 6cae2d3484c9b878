// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/shell/filterchips.h"
#include "ui/viewmodels/shell/scope.h"

#include <QTest>

namespace tst_filterchips {

using namespace gpuledger;
using insight::Dimension;
using insight::Filter;
using ui::FilterChip;

class FilterChipsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void saysWhatAChipDoes()
    {
        QCOMPARE((FilterChip{Dimension::Cluster, "prod", false}.text()), QStringLiteral("cluster: prod"));
        QCOMPARE((FilterChip{Dimension::Cluster, "dev", true}.text()), QStringLiteral("not cluster: dev"));
        QCOMPARE((FilterChip{Dimension::Region, "", false}.text()), QStringLiteral("region: none"));
        QCOMPARE((FilterChip{Dimension::GpuModel, "%1 %2", false}.text()), QStringLiteral("GPU model: %1 %2"));
    }

    void addsAndTakesAwayWithoutATrace()
    {
        const Filter before = ui::withTeam({}, "vision");
        Filter filter = before;
        std::vector<FilterChip> chips;
        for (const char *value : {"", "a", "b&c=d"}) {
            for (const Dimension dimension : {Dimension::Team, Dimension::Region, Dimension::Device})
                chips.push_back({dimension, value, dimension != Dimension::Region});
        }
        for (const FilterChip &chip : chips)
            filter = ui::withChip(filter, chip);
        const auto shown = ui::chipsOf(filter);
        QCOMPARE(shown.size(), chips.size());
        for (const FilterChip &chip : chips)
            QVERIFY(std::find(shown.begin(), shown.end(), chip) != shown.end());
        // A link contains all of it.
        ui::Scope scope;
        scope.filter = filter;
        const auto back = ui::Scope::fromQuery(scope.toQuery());
        QVERIFY(back && back->filter == filter);
        for (const FilterChip &chip : shown)
            filter = ui::withoutChip(filter, chip);
        QVERIFY(filter == before);
    }

    void theSameChipTwiceIsOne()
    {
        const FilterChip chip{Dimension::Cluster, "prod", false};
        const Filter once = ui::withChip({}, chip);
        QVERIFY(ui::withChip(once, chip) == once);
    }

    void theLastWordCounts()
    {
        const Filter only = ui::withChip({}, {Dimension::Cluster, "prod", false});
        const Filter no = ui::withChip(only, {Dimension::Cluster, "prod", true});
        QVERIFY(no.include.empty());
        QVERIFY(!no.matches(Dimension::Cluster, "prod"));
        QVERIFY(no.matches(Dimension::Cluster, "dev"));
        const Filter again = ui::withChip(no, {Dimension::Cluster, "prod", false});
        QVERIFY(again == only);
        QVERIFY(ui::withTeam(ui::withChip({}, {Dimension::Team, "a", true}), "a").matches(Dimension::Team, "a"));
    }

    void oneTeamIsAChoiceAndSeveralAreChips()
    {
        Filter filter = ui::withTeam({}, "vision");
        QCOMPARE(ui::teamChoice(filter).value(), std::string("vision"));
        QVERIFY(ui::chipsOf(filter).empty());
        filter = ui::withChip(filter, {Dimension::Team, "speech", false});
        QVERIFY(!ui::teamChoice(filter));
        QCOMPARE(ui::chipsOf(filter).size(), std::size_t{2});
        QVERIFY(ui::withTeam(filter, std::nullopt).empty());
        QVERIFY(ui::teamChoice(ui::withTeam({}, "")).has_value()); // those without a team
    }

    void keysTellChipsApart()
    {
        QSet<QString> keys;
        for (const bool exclude : {false, true}) {
            for (int d = 0; d < 10; ++d) {
                for (const char *value : {"", "=", "-", "team"})
                    keys.insert(FilterChip{static_cast<Dimension::Kind>(d), value, exclude}.key());
            }
        }
        QCOMPARE(keys.size(), 80);
    }
};

GPULEDGER_PLAIN_SUITE(FilterChipsTest)

} // namespace tst_filterchips

#include "tst_filterchips.moc"
