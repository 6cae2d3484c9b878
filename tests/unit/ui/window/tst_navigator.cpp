// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/shell/navigator.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

namespace tst_navigator {

using namespace gpuledger;
using insight::Dimension;
using ui::Navigator;
using ui::Place;
using ui::Scope;
using ui::Span;

namespace {

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

base::TimeRange range(const char *from, const char *to)
{
    return {at(from), at(to)};
}

QString hostile(QRandomGenerator &random)
{
    static const QString kParts[] = {
        QStringLiteral("&"), QStringLiteral("="),   QStringLiteral("%"),  QStringLiteral("%41"), QStringLiteral("+"),
        QStringLiteral(" "), QStringLiteral("#"),   QStringLiteral("?"),  QStringLiteral("/"),   QStringLiteral("ä"),
        QStringLiteral("ع"), QStringLiteral("<b>"), QStringLiteral("\n"), QStringLiteral("a;b"), QStringLiteral("😀")};
    QString text;
    for (int i = random.bounded(6); i >= 0; --i)
        text += kParts[random.bounded(int(std::size(kParts)))];
    return text;
}

insight::Dimension dimension(QRandomGenerator &random)
{
    const auto kind = static_cast<insight::Dimension::Kind>(random.bounded(insight::Dimension::NodeLabel + 1));
    insight::Dimension dimension(kind);
    if (dimension.isLabel())
        dimension.label = hostile(random).toStdString();
    return dimension;
}

} // namespace

class NavigatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void relativeRangesEndWithTheData()
    {
        const auto covered = range("2026-09-01", "2026-11-21T10:00:00Z");
        const base::TimeZone utc;
        const auto resolve = [&](Span span) { return ui::TimeChoice{span, {}}.resolve(covered, utc); };
        QVERIFY(resolve(Span::Day) == range("2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"));
        QVERIFY(resolve(Span::Week) == range("2026-11-14T10:00:00Z", "2026-11-21T10:00:00Z"));
        QVERIFY(resolve(Span::Quarter) == covered); // there is no more
        QVERIFY(resolve(Span::ThisMonth) == range("2026-11-01", "2026-11-21T10:00:00Z"));
        QVERIFY(resolve(Span::LastMonth) == range("2026-10-01", "2026-11-01"));
        QVERIFY(resolve(Span::All) == covered);
        QVERIFY((ui::TimeChoice{Span::Custom, range("2026-08-01", "2026-09-02")}.resolve(covered, utc)
                 == range("2026-09-01", "2026-09-02")));
    }

    void monthsAreThoseOfTheZone()
    {
        const auto berlin = base::TimeZone::find("Europe/Berlin").value();
        const auto covered = range("2026-03-01", "2026-10-31T23:30:00Z"); // already 1 November in Berlin
        QVERIFY((ui::TimeChoice{Span::ThisMonth, {}}.resolve(covered, berlin)
                 == range("2026-10-31T23:00:00Z", "2026-10-31T23:30:00Z")));
        QVERIFY((ui::TimeChoice{Span::LastMonth, {}}.resolve(covered, berlin)
                 == range("2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z")));
        // Data that end at midnight belong to the previous month.
        const auto whole = range("2026-03-01", "2026-09-30T22:00:00Z");
        QVERIFY((ui::TimeChoice{Span::ThisMonth, {}}.resolve(whole, berlin)
                 == range("2026-08-31T22:00:00Z", "2026-09-30T22:00:00Z")));
    }

    void nothingCoveredGivesNothing()
    {
        for (const Span span : {Span::Day, Span::ThisMonth, Span::LastMonth, Span::All, Span::Custom})
            QVERIFY((ui::TimeChoice{span, range("2026-01-01", "2026-02-01")}.resolve({}, {}).empty()));
    }

    void placesComeBackFromTheirLinks()
    {
        QRandomGenerator random(7);
        for (int i = 0; i < 500; ++i) {
            Place place;
            place.page = QStringLiteral("heatmap");
            place.scope.time.span = static_cast<Span>(random.bounded(8));
            if (place.scope.time.span == Span::Custom)
                place.scope.time.custom = range("2026-01-01", "2026-02-01T01:02:03Z");
            for (int n = random.bounded(4); n > 0; --n) {
                auto &part = random.bounded(2) == 0 ? place.scope.filter.include : place.scope.filter.exclude;
                part[dimension(random)].push_back(hostile(random).toStdString());
            }
            place.inner.addQueryItem(QStringLiteral("team"),
                                     QString::fromLatin1(QUrl::toPercentEncoding(hostile(random))));
            place.scope.cost = static_cast<model::CostView>(random.bounded(3));
            const QByteArray link = place.toUrl().toEncoded();
            const auto back = Place::fromUrl(QUrl::fromEncoded(link, QUrl::StrictMode));
            QVERIFY2(back.has_value(), link.constData());
            QVERIFY2(back->scope == place.scope, link.constData());
            QCOMPARE(back->inner.queryItemValue(QStringLiteral("team"), QUrl::FullyDecoded),
                     place.inner.queryItemValue(QStringLiteral("team"), QUrl::FullyDecoded));
            QVERIFY(*back == *Place::fromUrl(back->toUrl()));
        }
    }

    void olderLinksToAStatementKeepTheirViewOfCost()
    {
        const auto place = Place::fromUrl(QUrl(QStringLiteral("gpuledger://showback?at.month=2026-09&at.cost=billed")));
        QVERIFY(place && place->scope.cost == model::CostView::Billed);
        QCOMPARE(place->inner.toString(), QStringLiteral("month=2026-09"));
    }

    void refusesLinksThatItCannotRead_data()
    {
        QTest::addColumn<QString>("link");
        for (const char *link :
             {"https://heatmap", "gpuledger:", "gpuledger:///x", "gpuledger://heatmap/etc/passwd",
              "gpuledger://heatmap?span=century", "gpuledger://heatmap?colour=red", "gpuledger://heatmap?span=custom",
              "gpuledger://heatmap?span=custom&from=2026-02-01&to=2026-01-01", "gpuledger://heatmap?span=week&span=day",
              "gpuledger://heatmap?cost=cheap", "gpuledger://heatmap?cost=list&cost=billed",
              "gpuledger://heatmap?span=custom&from=2026-01-01&to=2026-02-01&span=week"})
            QTest::newRow(link) << QString::fromLatin1(link);
    }

    void refusesLinksThatItCannotRead()
    {
        QFETCH(QString, link);
        QVERIFY(!Place::fromUrl(QUrl(link)));
    }

    void goesBackAndForthThroughPagesFiltersAndDrillDowns()
    {
        Navigator navigator({QStringLiteral("overview"), {}, {}});
        QSignalSpy moved(&navigator, &Navigator::moved);
        navigator.openPage(QStringLiteral("heatmap"));
        Scope week;
        week.time.span = Span::Week;
        navigator.setScope(week);
        QUrlQuery team;
        team.addQueryItem(QStringLiteral("team"), QStringLiteral("vision"));
        navigator.setInner(team);
        navigator.setInner(team); // not a navigation step
        QCOMPARE(moved.size(), 3);
        navigator.back();
        QVERIFY(navigator.current().inner.isEmpty());
        navigator.back();
        QVERIFY(navigator.scope().time.span == Span::Month);
        navigator.back();
        QCOMPARE(navigator.current().page, QStringLiteral("overview"));
        QVERIFY(!navigator.canGoBack());
        navigator.back(); // stays
        QCOMPARE(moved.size(), 6);
        navigator.forward();
        navigator.forward();
        QVERIFY(navigator.scope() == week);
        navigator.openPage(QStringLiteral("idle")); // the forward history is discarded
        QVERIFY(!navigator.canGoForward());
        QVERIFY(navigator.scope() == week); // the filter is kept
    }

    void forgetsTheOldestSteps()
    {
        Navigator navigator({QStringLiteral("overview"), {}, {}});
        for (std::size_t i = 0; i < 3 * Navigator::kSteps; ++i)
            navigator.openPage(QString::number(i));
        std::size_t steps = 0;
        for (; navigator.canGoBack(); ++steps)
            navigator.back();
        QCOMPARE(steps, Navigator::kSteps - 1);
    }
};

GPULEDGER_PLAIN_SUITE(NavigatorTest)

} // namespace tst_navigator

#include "tst_navigator.moc"
