// SPDX-License-Identifier: GPL-3.0-or-later
// The id of a figure: exactly one text per figure, whatever names it contains, and no other text is accepted as one.
#include "app/insight/proof/figure.h"
#include "tests/support/suite.h"

#include <QTest>

#include <random>

namespace tst_figure {

using namespace gpuledger;
using insight::Dimension;
using insight::Figure;
using insight::FigureKind;
using insight::LedgerDimension;

namespace {

using Random = std::mt19937_64;

std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

// Names that would break a format without escaping, and arbitrary bytes.
std::string hostileName(Random &random)
{
    static const std::vector<std::string> kNames{
        "",       "vision",   "a&b=c",    "x?y#z",    "100%",      "%41",          "a+b c",    "\"; rm -rf /",
        "\n\r\t", "\x1b[31m", "\xff\xfe", "équipe/ü", "../../etc", "team=vision&", "not-team", std::string("\0a", 2)};
    if (pick(random, 0, 3) > 0)
        return kNames[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(kNames.size())))];
    std::string any;
    for (std::int64_t n = pick(random, 0, 20); n > 0; --n)
        any += static_cast<char>(pick(random, 0, 256));
    return any;
}

std::vector<std::string> hostileNames(Random &random)
{
    std::vector<std::string> names;
    for (std::int64_t n = pick(random, 1, 4); n > 0; --n)
        names.push_back(hostileName(random));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Dimension anyDimension(Random &random)
{
    const auto kind = static_cast<Dimension::Kind>(pick(random, 0, Dimension::NodeLabel + 1));
    return kind >= Dimension::WorkloadLabel ? Dimension(kind, 'k' + hostileName(random)) : Dimension(kind);
}

void fillParts(Random &random, Figure &figure)
{
    const std::string_view measure = figure.measure;
    const bool ofLine = measure.starts_with("line.");
    if (figure.kind == FigureKind::Reconcile && ofLine) {
        figure.line = hostileName(random);
        figure.detail = hostileName(random);
    }
    if (figure.kind != FigureKind::Showback)
        return;
    if (measure.starts_with("team.") || (ofLine && pick(random, 0, 2) == 0)) // a line may cover all teams
        figure.team = hostileName(random);
    if (ofLine) {
        figure.category = hostileName(random);
        figure.state = hostileName(random);
    }
}

void fillReplay(Random &random, Figure &figure)
{
    insight::ReplayedRule &rule = figure.rule;
    rule.threshold = std::uniform_real_distribution<double>(0, 1)(random);
    rule.observed = static_cast<double>(pick(random, 0, 11)) / 10;
    for (std::int64_t n = pick(random, 0, 6); n > 0; --n)
        rule.grace[static_cast<model::WorkloadKind>(pick(random, 0, 6))] = base::Seconds{pick(random, 0, 9'000'000)};
    rule.resumeWithin = base::Seconds{pick(random, 0, 100'000)};
    rule.cost = static_cast<model::CostView>(pick(random, 0, 3));
    if (std::string_view(figure.measure).starts_with(insight::kStopMeasure)) {
        figure.at = base::fromUnix(pick(random, 0, 4'000'000'000));
        figure.item = hostileName(random);
    } else if (pick(random, 0, 2) == 0) {
        figure.row = {static_cast<model::WorkloadKind>(pick(random, 0, 6)), hostileName(random)};
    }
}

void fillSavings(Random &random, Figure &figure)
{
    figure.basis.cost = static_cast<model::CostView>(pick(random, 0, 3));
    figure.currency = base::Currency::parse(pick(random, 0, 2) ? "EUR" : "USD").value();
    const bool isSum = std::string_view(figure.measure).starts_with(insight::kSavingsSum);
    if (isSum && pick(random, 0, 2) == 0)
        figure.basis.kind = hostileName(random);
    if (!isSum && !std::string_view(figure.measure).starts_with(insight::kRealizedSum))
        figure.item = hostileName(random);
    figure.range.start = base::fromUnix(pick(random, 0, 4'000'000'000));
    figure.range.end = figure.range.start + base::Seconds{pick(random, 0, 100'000'000)};
    for (std::int64_t n = pick(random, 0, 3); n > 0; --n)
        figure.basis.assumed[hostileName(random)] = hostileName(random);
}

Figure anyFigure(Random &random)
{
    Figure figure;
    figure.kind = static_cast<FigureKind>(pick(random, 0, static_cast<int>(insight::kLastFigureKind) + 1));
    const auto &measures = insight::figureMeasures(figure.kind);
    figure.measure = measures[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(measures.size())))];
    const bool change = figure.kind == FigureKind::Change || figure.kind == FigureKind::SpendChange;
    const bool usage = figure.kind == FigureKind::Summary || figure.kind == FigureKind::Heatmap
        || figure.kind == FigureKind::Change || figure.kind == FigureKind::Replay;
    const bool money = figure.kind >= FigureKind::Ledger && figure.kind <= FigureKind::SpendChange
        && figure.kind != FigureKind::Change;
    if (change) {
        figure.before.start = base::fromUnix(pick(random, 0, 4'000'000'000));
        figure.before.end = figure.before.start + base::Seconds{pick(random, 0, 100'000'000)};
    }
    if (usage || change || figure.kind == FigureKind::Ledger) {
        figure.range.start = base::fromUnix(pick(random, 0, 4'000'000'000));
        figure.range.end = figure.range.start + base::Seconds{pick(random, 0, 100'000'000)};
        if (pick(random, 0, 2) == 0)
            figure.range = {base::floorTo(figure.range.start, base::kDay), base::ceilTo(figure.range.end, base::kDay)};
    }
    for (std::int64_t n = usage ? pick(random, 0, 4) : 0; n > 0; --n)
        (pick(random, 0, 2) ? figure.filter.include : figure.filter.exclude)[anyDimension(random)] =
            hostileNames(random);
    if (figure.kind == FigureKind::Heatmap) {
        figure.bins = static_cast<insight::Bins>(pick(random, 0, 4));
        figure.zone = hostileName(random);
        if (pick(random, 0, 2) == 0)
            figure.bin = hostileName(random);
    }
    if (figure.kind == FigureKind::Idle) {
        figure.at = base::fromUnix(pick(random, 0, 4'000'000'000));
        figure.item = hostileName(random);
    }
    if (figure.kind == FigureKind::Replay)
        fillReplay(random, figure);
    if (figure.kind == FigureKind::Savings)
        fillSavings(random, figure);
    if (figure.kind == FigureKind::Action) {
        figure.action = pick(random, 0, 1'000'000'000'000);
        figure.item = hostileName(random);
    }
    if (money) {
        figure.view = change ? insight::MoneyView::Effective : static_cast<insight::MoneyView>(pick(random, 0, 2));
        figure.currency = base::Currency::parse(pick(random, 0, 2) ? "EUR" : "USD").value();
    }
    if (figure.kind == FigureKind::Ledger && pick(random, 0, 2) == 0)
        figure.split = static_cast<model::SplitPolicy>(pick(random, 0, 4));
    for (std::int64_t n = figure.kind == FigureKind::Ledger ? pick(random, 0, 4) : 0; n > 0; --n)
        figure.include[static_cast<LedgerDimension>(pick(random, 0, 19))] = hostileNames(random);
    if (figure.kind == FigureKind::Showback || figure.kind == FigureKind::Reconcile)
        figure.month = {static_cast<int>(pick(random, 1990, 2200)), static_cast<unsigned>(pick(random, 1, 13))};
    fillParts(random, figure);
    return figure;
}

} // namespace

class TestFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksAsDocumented();
    void looksAsDocumentedWhereItIsAChange();
    void looksAsDocumentedWhereItIsOfStops();
    void looksAsDocumentedWhereItIsOfSavings();
    void everyFigureComesBack();
    void orderOfKeysDoesNotMatter();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void noBytesBreakTheReader();
};

void TestFigure::looksAsDocumented()
{
    insight::Query query;
    query.range = {base::parseTime("2026-10-01").value(), base::parseTime("2026-11-01T06:30:00Z").value()};
    query.filter.include[Dimension::Cluster] = {"b", "a b"};
    QCOMPARE(toString(summaryFigure(query, Dimension::Team, std::string("vision"), "gpu-hours.idle")),
             std::string("summary/gpu-hours.idle?from=2026-10-01&to=2026-11-01T06:30:00Z&team=vision&cluster=a%20b"
                         "&cluster=b"));
    insight::LedgerQuery money;
    money.by = {LedgerDimension::Team, LedgerDimension::State};
    insight::LedgerRow row;
    row.keys = {"vision", ""};
    row.currency = base::Currency::usd();
    const base::TimeRange october{query.range.start, base::parseTime("2026-11-01").value()};
    QCOMPARE(toString(ledgerFigure(money, october, row, insight::MoneyView::Effective, "cost")),
             std::string("ledger/cost?from=2026-10-01&to=2026-11-01&view=effective&in=USD&team=vision&state="));
    money.split = model::SplitPolicy::Fixed;
    QCOMPARE(
        toString(ledgerFigure(money, october, row, insight::MoneyView::Effective, "cost")),
        std::string("ledger/cost?from=2026-10-01&to=2026-11-01&view=effective&in=USD&split=fixed&team=vision&state="));
}

void TestFigure::looksAsDocumentedWhereItIsAChange()
{
    const auto day = [](const char *text) { return base::parseTime(text).value(); };
    Figure figure;
    figure.kind = FigureKind::Change;
    figure.measure = "efficiency";
    figure.range = {day("2026-10-01"), day("2026-11-01")};
    figure.before = {day("2026-09-01"), day("2026-10-01")};
    figure.filter.include[Dimension::Team] = {"vision"};
    QCOMPARE(toString(figure),
             std::string("change/efficiency?from=2026-10-01&to=2026-11-01&before-from=2026-09-01"
                         "&before-to=2026-10-01&team=vision"));
    figure.filter = {};
    figure.kind = FigureKind::SpendChange;
    figure.measure = "other";
    figure.currency = base::Currency::usd();
    QCOMPARE(toString(figure),
             std::string("spend-change/other?from=2026-10-01&to=2026-11-01&before-from=2026-09-01"
                         "&before-to=2026-10-01&in=USD"));
}

void TestFigure::looksAsDocumentedWhereItIsOfStops()
{
    insight::IdleReplay replay;
    replay.range = {base::parseTime("2026-10-01").value(), base::parseTime("2026-11-01").value()};
    insight::ReplayQuery query;
    query.rule.threshold = 0.05;
    query.rule.grace = {{model::WorkloadKind::Notebook, base::Seconds{3600}}};
    query.filter.include[Dimension::Cluster] = {"b"};
    Figure figure = replayFigure(replay, query, "money-back");
    const std::string rule = "&threshold=0.05&observed=0.9&grace-notebook=3600&resume-within=3600&cost=effective";
    QCOMPARE(toString(figure), "replay/money-back?from=2026-10-01&to=2026-11-01" + rule + "&cluster=b");
    figure.row = {model::WorkloadKind::Notebook, "ml research"};
    QCOMPARE(toString(figure),
             "replay/money-back?from=2026-10-01&to=2026-11-01" + rule
                 + "&row-type=notebook&row-owner=ml%20research&cluster=b");
    figure = replayFigure(replay, query, "stop.back-gpu-hours");
    figure.at = base::parseTime("2026-10-02T08:00:00Z").value();
    figure.item = "c/n/pod";
    QCOMPARE(toString(figure),
             "replay/stop.back-gpu-hours?from=2026-10-01&to=2026-11-01" + rule
                 + "&at=2026-10-02T08:00:00Z&id=c/n/pod&cluster=b");
    QCOMPARE(toString(insight::actionFigure(17, {}, "per-month")), std::string("action/per-month?number=17"));
    QCOMPARE(toString(insight::actionFigure(17, "c/n/pod", "per-month")),
             std::string("action/per-month?number=17&id=c/n/pod"));
}

void TestFigure::looksAsDocumentedWhereItIsOfSavings()
{
    Figure figure;
    figure.kind = FigureKind::Savings;
    figure.measure = "p50";
    figure.range = {base::parseTime("2026-10-01").value(), base::parseTime("2026-10-29").value()};
    figure.currency = base::Currency::usd();
    figure.basis.assumed = {{"scale-down-delay", "2h"}};
    figure.item = "capacity:a/b";
    QCOMPARE(toString(figure),
             std::string("savings/p50?from=2026-10-01&to=2026-10-29&cost=effective&in=USD"
                         "&assume-scale-down-delay=2h&id=capacity:a/b"));
    figure.measure = "sum.p90";
    figure.basis.kind = "spot";
    QCOMPARE(toString(figure),
             std::string("savings/sum.p90?from=2026-10-01&to=2026-10-29&cost=effective&in=USD"
                         "&assume-scale-down-delay=2h&kind=spot"));
}

void TestFigure::everyFigureComesBack()
{
    Random random(20261101);
    for (int i = 0; i < 20'000; ++i) {
        const Figure figure = anyFigure(random);
        const std::string text = toString(figure);
        const bool isPlain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
        QVERIFY2(isPlain && text.find_first_of("\"'\\<>`$") == std::string::npos, text.c_str());
        const auto back = insight::figureFromString(text);
        QVERIFY2(back, back ? "" : (text + ": " + back.error().text).c_str());
        QVERIFY2(*back == figure, text.c_str());
        QCOMPARE(toString(*back), text);
    }
}

void TestFigure::orderOfKeysDoesNotMatter()
{
    const auto a = insight::figureFromString("summary/cost.idle?team=b&to=2026-11-01&team=a&from=2026-10-01");
    const auto b = insight::figureFromString("summary/cost.idle?from=2026-10-01&to=2026-11-01&team=a&team=b");
    QVERIFY(a && b);
    QCOMPARE(toString(*a), toString(*b));
    QVERIFY(*a == *b);
}

void TestFigure::refusesWhatIsNone_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const char *text, const char *says) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(says);
    };
    row("empty", "", "does not start with");
    row("no measure", "summary", "does not start with");
    row("kind", "sum/cost.idle?from=2026-10-01&to=2026-11-01", "unknown kind \"sum\"");
    row("measure", "summary/cost?from=2026-10-01&to=2026-11-01", "no measure \"cost\"");
    row("key", "summary/cost.idle?from=2026-10-01&to=2026-11-01&colour=red", "unknown key \"colour\"");
    row("key of another kind", "ledger/cost?from=2026-10-01&to=2026-11-01&view=billed&in=USD&node=n",
        "unknown key \"node\"");
    row("missing", "summary/cost.idle?to=2026-11-01", "\"from\" is missing");
    row("twice", "summary/cost.idle?from=2026-10-01&from=2026-10-02&to=2026-11-01", "\"from\" is given more than once");
    row("time", "summary/cost.idle?from=today&to=2026-11-01", "\"from\" is not a time: \"today\"");
    row("backwards", "summary/cost.idle?from=2026-11-01&to=2026-10-01", "\"from\" is after \"to\"");
    row("no value", "summary/cost.idle?from", "has no value");
    row("half a byte", "summary/cost.idle?from=2026-10-01&to=2026-11-01&team=%4", "% that is not followed by two");
    row("no byte", "summary/cost.idle?from=2026-10-01&to=2026-11-01&team=%zz", "% that is not followed by two");
    row("view", "ledger/cost?from=2026-10-01&to=2026-11-01&view=best&in=USD", "billed or effective");
    row("split", "ledger/cost?from=2026-10-01&to=2026-11-01&view=billed&in=USD&split=half",
        "invalid \"split\": \"half\"");
    row("split of another kind", "summary/cost.idle?from=2026-10-01&to=2026-11-01&split=aws", "unknown key \"split\"");
    row("currency", "ledger/cost?from=2026-10-01&to=2026-11-01&view=billed&in=dollar", "not a currency");
    row("month", "reconcile/bill?month=2026-13&view=billed&in=USD", "must be a month");
    row("too much", "showback/cost?month=2026-10&view=billed&in=USD&team=a", "has no key \"team\"");
    row("too little", "showback/line.cost?month=2026-10&view=billed&in=USD&team=a", "\"category\" is missing");
    const std::string replay = "replay/stops?from=2026-10-01&to=2026-11-01&resume-within=1&cost=list&observed=1";
    row("share", (replay + "&threshold=1.5").c_str(), "from 0 to 1");
    row("no share", (replay + "&threshold=nan").c_str(), "from 0 to 1");
    row("no number", (replay + "&threshold=0.1x").c_str(), "\"threshold\" is not a number: \"0.1x\"");
    row("grace of no kind", (replay + "&threshold=0.1&grace-cat=60").c_str(), "unknown key \"grace-cat\"");
    row("half a row", (replay + "&threshold=0.1&row-type=batch").c_str(), "belong together");
    row("a stop of a sum", (replay + "&threshold=0.1&at=2026-10-02").c_str(), "unknown key \"at\"");
    row("action", "action/per-month?number=one", "is not a number");
    row("five minutes", "heatmap/cost?from=2026-10-01&to=2026-11-01&bins=5-minutes&tz=UTC", "invalid \"bins\"");
}

void TestFigure::refusesWhatIsNone()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto figure = insight::figureFromString(text.toStdString());
    QVERIFY(!figure);
    QVERIFY(figure.error().code == base::ErrorCode::InvalidArgument);
    QVERIFY2(figure.error().text.find(says.toStdString()) != std::string::npos, figure.error().text.c_str());
    QVERIFY(!figure.error().hint.empty());
}

void TestFigure::noBytesBreakTheReader()
{
    Random random(7);
    int read = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = toString(anyFigure(random));
        for (std::int64_t n = pick(random, 1, 4); n > 0 && !text.empty(); --n) {
            const auto at = static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(text.size())));
            if (pick(random, 0, 2) == 0)
                text.erase(at, static_cast<std::size_t>(pick(random, 1, 9)));
            else
                text[at] = static_cast<char>(pick(random, 0, 256));
        }
        const auto figure = insight::figureFromString(text);
        if (!figure)
            continue;
        ++read;
        const auto again = insight::figureFromString(toString(*figure));
        QVERIFY2(again && *again == *figure, text.c_str());
    }
    QVERIFY(read > 100);
    QVERIFY(!insight::figureFromString("summary/cost.idle?" + std::string(insight::kLongestFigure, 'a')));
}

GPULEDGER_SUITE(TestFigure)

} // namespace tst_figure

#include "tst_figure.moc"
