// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/cli/idle/blockedprint.h"
#include "ui/cli/idle/idlecsv.h"
#include "ui/cli/idle/idlename.h"
#include "ui/cli/idle/idleprint.h"

#include <QTest>

#include <map>

namespace tst_idleprint {

using namespace gpuledger;
using insight::IdleItem;
using insight::IdleList;
using model::ActionState;

namespace {

base::Money usd(std::int64_t cents)
{
    return base::Money(cents * (base::Money::kNanosPerUnit / 100), base::Currency::usd());
}

IdleItem pod(const std::string &id, const std::string &space, const std::string &name)
{
    IdleItem item;
    item.id = id;
    item.nameSpace = space;
    item.name = name;
    item.gpus = 1;
    return item;
}

model::ActionRecord stopOf(const std::string &ids, ActionState state, base::UtcTime at)
{
    model::ActionRecord record;
    record.intent.holders = ids;
    record.intent.at = record.changedAt = at;
    record.state = state;
    return record;
}

// Two free GPUs of a node, for which two pods of four GPUs waited.
insight::BlockedList blockedList()
{
    insight::BlockedList list;
    list.at = base::fromUnix(1'790'000'100);
    insight::BlockedItem item;
    item.id = "eu/n1/scattered";
    item.cluster = "eu";
    item.node = "n1";
    item.owner = "shared";
    item.gpuModel = "A100";
    item.gpus = 2;
    item.ratePerHour = usd(600);
    item.perMonth = usd(438'000);
    const base::TimeRange range{base::fromUnix(1'789'999'200), base::fromUnix(1'790'002'800)};
    item.waits = {{"eu", "ml", "train-0", "u0", "nvidia_com_gpu", 4, "", range},
                  {"eu", "ml", "train-1", "u1", "nvidia_com_gpu", 4, "", range}};
    list.items = {item};
    list.known = {"eu"};
    list.sum.items = 1;
    list.sum.gpus = 2;
    list.sum.perMonth = list.sum.undecided = usd(438'000).nanos();
    return list;
}

// The cells of a sheet; none has a quote or a line end in it.
QList<QStringList> sheetOf(const std::string &csv)
{
    QList<QStringList> rows;
    for (const QString &line : QString::fromStdString(csv).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts)) {
        QStringList cells{QString()};
        bool isQuoted = false;
        for (const QChar c : line) {
            if (c == QLatin1Char('"'))
                isQuoted = !isQuoted;
            else if (c == QLatin1Char(',') && !isQuoted)
                cells << QString();
            else
                cells.back() += c;
        }
        rows << cells;
    }
    return rows;
}

} // namespace

class TestIdlePrint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What the first column shows means this workload and no other one.
    void anIdIsShortUnlessItIsAmbiguous()
    {
        IdleList list;
        list.items = {pod("eu/ml/train/1", "ml", "train"), pod("us/ml/train/2", "ml", "train"),
                      pod("eu/ml/eval/3", "ml", "eval"), pod("eu/cv/eval/4", "cv", "eval"),
                      pod("eu/ml/esc\x1b[0m/5", "ml", "esc\x1b[0m")};
        insight::UnknownItem unknown;
        unknown.id = "us/cv/eval/6";
        unknown.nameSpace = "cv";
        unknown.name = "eval";
        list.unknown = {unknown};
        QCOMPARE(cli::shortIdOf(list, list.items[0]), list.items[0].id); // two clusters have it
        QCOMPARE(cli::shortIdOf(list, list.items[2]), std::string("ml/eval"));
        QCOMPARE(cli::shortIdOf(list, list.items[3]), list.items[3].id); // `act` looks among the unknown ones, too
        QCOMPARE(cli::shortIdOf(list, list.items[4]), list.items[4].id);
        for (const IdleItem &item : list.items)
            QCOMPARE(cli::idsCalled(list, cli::shortIdOf(list, item)), std::vector<std::string>{item.id});
    }

    // Beside the sums, not in them.
    void partlyIdleIsAListOfItsOwn()
    {
        IdleList list;
        list.at = base::fromUnix(1'790'000'100);
        IdleItem part = pod("eu/ml/train/1", "ml", "train");
        part.gpus = 3;
        part.heldGpus = 8;
        part.heldDevices = 8;
        part.since = list.at - std::chrono::hours(2);
        part.perMonth = usd(300'000);
        list.partly = {part};
        const cli::Json rows = cli::partlyJson(list);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0]["id"].get<std::string>(), part.id);
        QCOMPARE(rows[0]["held_devices"].get<int>(), 8);
        QCOMPARE(rows[0]["reason"].get<std::string>(), std::string("works on its other GPUs; 3 of 8 are idle"));
        const std::string text = cli::partlyText(list, base::TimeZone(), base::Currency::usd(), false);
        for (const char *said : {"Partly idle (right-size candidates)", "ml/train", "3 of 8", "3000.00 USD a month"})
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
        cli::Json json;
        cli::addSums(json, list, {}, base::Currency::usd());
        QCOMPARE(json["totals"]["items"].get<int>(), 0);
        QVERIFY(cli::partlyText({}, base::TimeZone(), base::Currency::usd(), false).empty());
        QCOMPARE(cli::idsCalled(list, "ml/train"), std::vector<std::string>{part.id}); // so that `act` says why not
    }

    void whatWasDoneIsAsOfThen()
    {
        const base::UtcTime at = base::fromUnix(1'790'000'100);
        const auto hour = std::chrono::hours(1);
        IdleList list;
        list.at = at;
        const std::vector<model::ActionRecord> log{
            stopOf("stopped\nalso\n", ActionState::Verified, at), stopOf("running\n", ActionState::Verified, at - hour),
            stopOf("under way\n", ActionState::Executing, at),    stopOf("failed\n", ActionState::Failed, at),
            stopOf("undone\n", ActionState::Undone, at),          stopOf("later\n", ActionState::Verified, at + hour)};
        model::Lease mark;
        mark.kind = model::Lease::Kind::StopAfter;
        mark.holder = "marked";
        mark.until = at + hour;
        const cli::IdleStates expected{
            {"stopped", "stopped"}, {"also", "stopped"}, {"under way", "stopping"}, {"marked", "marked"}};
        QVERIFY(cli::idleStatesOf(list, at, log, {mark}) == expected);
    }

    // To the last nano-unit, with unpriced and undecided ones, and without what was stopped.
    void theCausesAddUp()
    {
        IdleList list;
        const insight::IdleCause causes[] = {insight::IdleCause::Unknown, insight::IdleCause::Empty,
                                             insight::IdleCause::Loaded, insight::IdleCause::Oversized,
                                             insight::IdleCause::Starved};
        for (int i = 0; i < 12; ++i) {
            IdleItem item = pod("id" + std::to_string(i), "ml", "pod" + std::to_string(i));
            item.cause = causes[i % insight::kIdleCauses];
            if (i != 5)
                item.perMonth = usd(33'333 + i);
            if (item.perMonth && i % 3 != 0) {
                item.avoidablePerMonth = usd(i % 2 == 0 ? 33'333 + i : 0);
                item.sunkPerMonth = usd(i % 2 == 0 ? 0 : 33'333 + i);
            }
            list.items.push_back(item);
        }
        const cli::IdleStates states{{"id4", "stopped"}, {"id6", "stopping"}};
        cli::Json json;
        cli::addSums(json, list, states, base::Currency::usd());
        QCOMPARE(json["totals"]["items"].get<int>(), 11);
        QCOMPARE(json["totals"]["unpriced"].get<int>(), 1);
        QCOMPARE(json["stopped"]["items"].get<int>(), 1);
        QCOMPARE(json["by_cause"].size(), insight::kIdleCauses);
        const auto cents = [](const cli::Json &sum, const char *key) {
            QString text = QString::fromStdString(sum[key]["amount"].get<std::string>());
            return qRound64(text.toDouble() * 100);
        };
        qint64 parts = 0;
        for (const char *key : {"per_month", "avoidable_per_month", "sunk_per_month", "undecided_per_month"}) {
            qint64 all = 0;
            for (const cli::Json &cause : json["by_cause"])
                all += cents(cause, key);
            QCOMPARE(all, cents(json["totals"], key));
            QVERIFY(all > 0);
            parts += key == std::string_view("per_month") ? -all : all;
        }
        QCOMPARE(parts, qint64{0}); // avoidable, sunk and undecided are the whole
        const std::string text = cli::sumsText(list, states, base::Currency::usd(), false);
        for (const char *part :
             {"11 with 11.0 GPUs", "1 without a price", "1 workload with 1.0 GPUs", "oversized", "\nall "})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        QVERIFY(cli::sumsText({}, {}, base::Currency::usd(), false).empty());
    }

    // A list of its own, whose sum and the totals are the whole.
    void blockedIsToldWithWhoWaited()
    {
        insight::BlockedList list = blockedList();
        const auto text = [&] { return cli::blockedText(list, base::TimeZone(), base::Currency::usd(), false); };
        for (const char *said :
             {"could not be given", "eu/n1", "too few free on the node", "ml/train-0 (4 x nvidia_com_gpu, from ",
              "and 1 more pod", "2.0 free GPUs cost 4380.00 USD a month"})
            QVERIFY2(text().find(said) != std::string::npos, text().c_str());
        QVERIFY(text().find("not recorded") == std::string::npos);
        list.unknown = {"us"};
        list.undecidedGpus = 1;
        list.unexplainedGpus = 3;
        for (const char *said :
             {"What waited in us was not recorded", "1.0 more free GPUs may be blocked: which model",
              "3.0 more free GPUs may be blocked: there were enough", "CPU, memory, taints and quota"})
            QVERIFY2(text().find(said) != std::string::npos, text().c_str());
        const cli::Json json = cli::blockedJson(list, base::Currency::usd(), true);
        QCOMPARE(json["undecided_gpus"].get<double>(), 1.0);
        QCOMPARE(json["unexplained_gpus"].get<double>(), 3.0);
        QCOMPARE(json["items"][0]["reason"].get<std::string>(), std::string("scattered"));
        QCOMPARE(json["items"][0]["waits"].size(), std::size_t{2});
        QVERIFY(json["items"][0]["figures"].contains("rate_per_hour")
                && json["totals"]["figures"].contains("per_month"));
        QVERIFY(!cli::blockedJson(list, base::Currency::usd(), false)["totals"].contains("figures"));
        IdleList idle;
        idle.items = {pod("eu/ml/x/1", "ml", "x")};
        idle.items[0].perMonth = usd(100);
        cli::Json sums;
        cli::addSums(sums, idle, {}, base::Currency::usd(), list.sum);
        QCOMPARE(sums["totals"]["items"].get<int>(), 1);
        QCOMPARE(sums["with_blocked"]["items"].get<int>(), 2);
        QCOMPARE(QString::fromStdString(sums["with_blocked"]["per_month"]["amount"].get<std::string>()).toDouble(),
                 4381.0);
        QVERIFY(cli::blockedText({}, base::TimeZone(), base::Currency::usd(), false).empty());
    }

    // A sheet has what is blocked in the columns of the others; what only a workload has is empty.
    void aSheetHasEveryState()
    {
        IdleList list;
        list.items = {pod("eu/ml/x/1", "ml", "x")};
        list.items[0].cause = insight::IdleCause::Loaded;
        list.items[0].chance.hour = 0.5;
        list.partly = {pod("eu/ml/y/2", "ml", "y")};
        list.partly[0].heldGpus = 8;
        insight::UnknownItem unknown;
        unknown.id = "eu/ml/z/3";
        list.unknown = {unknown};
        const QList<QStringList> sheet = sheetOf(cli::idleCsv(list, blockedList()));
        QCOMPARE(sheet.size(), qsizetype{5});
        QCOMPARE(sheet[0].size(), qsizetype{32});
        const auto cell = [&](int row, const char *column) {
            return sheet[row].value(sheet[0].indexOf(QString::fromLatin1(column)));
        };
        const QList<const char *> states{"idle", "partly", "unknown", "blocked"};
        for (int row = 1; row < 5; ++row) {
            QCOMPARE(sheet[row].size(), sheet[0].size());
            QCOMPARE(cell(row, "state"), QLatin1String(states[row - 1]));
        }
        QCOMPARE(cell(1, "cause"), QLatin1String("loaded"));
        QCOMPARE(cell(1, "confidence"), QLatin1String("0.500000000"));
        QVERIFY(!cell(1, "avoidable_why").isEmpty() && cell(1, "reason").isEmpty());
        QCOMPARE(cell(2, "reason"), QLatin1String("works on its other GPUs; 1 of 8 are idle"));
        QVERIFY(cell(2, "confidence").isEmpty() && cell(2, "avoidable_why").isEmpty());
        QVERIFY(!cell(3, "observed").isEmpty() && cell(3, "gpus").isEmpty());
        const std::map<std::string, const char *> blocked{
            {"state", "blocked"},
            {"id", "eu/n1/scattered"},
            {"owner", "shared"},
            {"cluster", "eu"},
            {"node", "n1"},
            {"gpu_model", "A100"},
            {"gpus", "2.000000000"},
            {"rate_per_hour", "6.000000000"},
            {"per_month", "4380.000000000"},
            {"currency", "USD"},
            {"reason", "too few free on the node: ml/train-0 and 1 more pod waited"},
            {"cause", "blocked"},
            {"held_gpus", "0.000000000"}};
        for (const QString &column : sheet[0]) {
            const auto told = blocked.find(column.toStdString());
            QCOMPARE(cell(4, qPrintable(column)), QLatin1String(told == blocked.end() ? "" : told->second));
        }
        insight::BlockedList more = blockedList();
        more.items[0].blocker = insight::Blocker::MigLeftovers;
        more.items[0].ratePerHour = more.items[0].perMonth = std::nullopt;
        more.items[0].waits[0].name = "\x1b[0mesc";
        more.items[0].waits.pop_back();
        const std::string csv = cli::idleCsv({}, more);
        QVERIFY2(csv.find("slices of another size: ml/") != std::string::npos, csv.c_str());
        QVERIFY2(csv.find('\x1b') == std::string::npos && csv.find("USD") == std::string::npos, csv.c_str());
    }
};

GPULEDGER_SUITE(TestIdlePrint)

} // namespace tst_idleprint

#include "tst_idleprint.moc"
