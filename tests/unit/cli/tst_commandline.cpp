// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"
#include "ui/cli/commandline.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace tst_commandline {

using namespace gpuledger;

namespace {

constexpr const char *kNow = "2026-11-10T12:00:00Z";

struct Answer {
    int status = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

// Redirects a stream to a file for a while.
class Captured {
public:
    Captured(FILE *stream, const QString &path)
        : m_stream(stream)
        , m_path(path)
    {
        std::fflush(stream);
        m_saved = dup(fileno(stream));
        const int fd = open(path.toLocal8Bit().constData(), O_RDWR | O_CREAT | O_TRUNC, 0600);
        dup2(fd, fileno(stream));
        close(fd);
    }
    QByteArray take()
    {
        std::fflush(m_stream);
        dup2(m_saved, fileno(m_stream));
        close(m_saved);
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    FILE *m_stream;
    QString m_path;
    int m_saved = -1;
};

// No configuration in these tests names a program.
class NoCommands final : public ports::CommandConsent {
public:
    std::vector<std::string> usualEnvironment() const override { return {}; }
    base::Result<ports::CommandPlan> plan(const ports::CredentialCommand &) override
    {
        return base::fail(base::ErrorCode::NotFound, "no program");
    }
    base::Result<void> agree(const ports::CommandPlan &) override
    {
        return base::fail(base::ErrorCode::Forbidden, "nobody agrees here");
    }
};

class NoLogins final : public ports::LoginCommands {
public:
    base::Result<std::vector<ports::CredentialCommand>> of(const model::SourceSettings &) const override { return {}; }
};

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    tests::FakeCatalog m_catalog;
    tests::NoSecrets m_secrets;
    NoCommands m_commands;
    NoLogins m_logins;
    std::stop_source m_stop;

    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }

    Answer run(const QStringList &arguments, const QString &data = QStringLiteral("data"))
    {
        QList<QByteArray> words{"gpuledger-cli"};
        const QStringList all =
            QStringList{QStringLiteral("--config"), path("config.yaml"),     QStringLiteral("--data"),
                        m_folder.filePath(data),    QStringLiteral("--now"), QLatin1String(kNow),
                        QStringLiteral("--tz"),     QStringLiteral("UTC")}
            + arguments;
        for (const QString &word : all)
            words.append(word.toUtf8());
        std::vector<char *> argv;
        for (QByteArray &word : words)
            argv.push_back(word.data());
        Captured out(stdout, path("out")), err(stderr, path("err"));
        Answer answer;
        answer.status =
            cli::runCommandLine(static_cast<int>(argv.size()), argv.data(),
                                {m_catalog, m_secrets, m_commands, m_logins}, m_stop.get_token(), [](cli::Ending) {});
        answer.out = out.take();
        answer.err = err.take();
        return answer;
    }
    Answer run(const char *arguments, const QString &data = QStringLiteral("data"))
    {
        return run(QString::fromUtf8(arguments).split(QLatin1Char(' ')), data);
    }
    void configure(const QByteArray &text)
    {
        QFile file(path("config.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }
    void configureFake(const std::string &team)
    {
        m_catalog.plans = {tests::FakePlan{}};
        m_catalog.plans[0].team = team;
        configure("sources: [ { name: fake, kind: demo, first_sync: 2d } ]\n");
    }

private Q_SLOTS:
    void init() { m_stop = std::stop_source(); }

    void syncsAndAnswersInJson()
    {
        configureFake("vision");
        const Answer sync = run("sync --json");
        QCOMPARE(sync.status, 0);
        const QJsonObject source = sync.json()[QLatin1String("sources")].toArray().at(0).toObject();
        for (const char *key :
             {"name", "kind", "from", "to", "accepted", "rejected", "gaps", "bytes", "seconds", "error"})
            QVERIFY2(source.contains(QLatin1String(key)), key);
        QVERIFY(source[QLatin1String("error")].isNull());
        QCOMPARE(source[QLatin1String("from")].toString(), QStringLiteral("2026-11-08T12:00:00Z"));

        const QJsonObject summary = run("summary --json").json();
        QCOMPARE(summary[QLatin1String("from")].toString(), QStringLiteral("2026-10-11T12:00:00Z"));
        const QJsonObject total = summary[QLatin1String("total")].toObject();
        const QJsonObject hours = total[QLatin1String("gpu_hours")].toObject();
        // Two days of two devices; one of them held all the time, busy every other hour.
        QCOMPARE(hours[QLatin1String("paid")].toDouble(), 96.0);
        QCOMPARE(hours[QLatin1String("active")].toDouble(), 24.0);
        QCOMPARE(hours[QLatin1String("idle")].toDouble(), 24.0);
        QCOMPARE(hours[QLatin1String("unallocated")].toDouble(), 48.0);
        QCOMPARE(hours[QLatin1String("unobserved")].toDouble(), 0.0);
        QCOMPARE(total[QLatin1String("utilization")].toDouble(), 0.25);
        QCOMPARE(total[QLatin1String("allocation")].toDouble(), 0.5);
        const QJsonObject cost = total[QLatin1String("cost")].toObject()[QLatin1String("total")].toObject();
        QCOMPARE(cost[QLatin1String("currency")].toString(), QStringLiteral("USD"));
        QVERIFY(QRegularExpression(QStringLiteral("^\\d+\\.\\d{9}$"))
                    .match(cost[QLatin1String("amount")].toString())
                    .hasMatch());
        QCOMPARE(summary[QLatin1String("rows")].toArray().at(0).toObject()[QLatin1String("key")].toString(),
                 QStringLiteral("vision"));
    }

    void showsTheHeatmap()
    {
        const QJsonObject map = run("heatmap --by team --bins hour-of-day --json").json();
        QCOMPARE(map[QLatin1String("tz")].toString(), QStringLiteral("UTC"));
        QCOMPARE(map[QLatin1String("unit")].toString(), QStringLiteral("share"));
        QCOMPARE(map[QLatin1String("bins")].toArray().size(), 24);
        const QJsonObject row = map[QLatin1String("rows")].toArray().at(0).toObject();
        QCOMPARE(row[QLatin1String("cells")].toArray().size(), 24);
        QCOMPARE(row[QLatin1String("cells")].toArray().at(0).toObject()[QLatin1String("value")].toDouble(), 0.5);
        QCOMPARE(row[QLatin1String("cells")].toArray().at(1).toObject()[QLatin1String("value")].toDouble(), 0.0);
        QCOMPARE(row[QLatin1String("cells")].toArray().at(1).toObject()[QLatin1String("held_hours")].toDouble(), 2.0);
        const QJsonObject cost = run("heatmap --metric idle-cost --json").json();
        QCOMPARE(cost[QLatin1String("unit")].toString(), QStringLiteral("USD"));
        // Before the first data the figures are unknown: null, not 0.
        const QJsonObject before = run("heatmap --bins day --from 2026-11-01 --json").json();
        const QJsonArray cells =
            before[QLatin1String("rows")].toArray().at(0).toObject()[QLatin1String("cells")].toArray();
        QVERIFY(cells.at(0).toObject()[QLatin1String("value")].isNull());
    }

    void listsWhatIsIdle()
    {
        const QJsonObject list = run("idle --json").json();
        for (const char *key : {"at", "threshold", "items", "partly", "unknown"})
            QVERIFY2(list.contains(QLatin1String(key)), key);
        QCOMPARE(run("idle").status, 0);
        QCOMPARE(run("idle --csv").out.split('\n').at(0).left(8), QByteArray("state,id"));
        QCOMPARE(run("idle --at 2026-11-09T12:00:00Z --json").json()[QLatin1String("at")].toString(),
                 QStringLiteral("2026-11-09T12:00:00Z"));
    }

    void filtersAndNarrows()
    {
        for (const char *command : {"summary --team nobody", "heatmap --team nobody", "idle --team nobody"}) {
            const Answer unknown = run(command);
            QCOMPARE(unknown.status, 2);
            QVERIFY2(unknown.err.startsWith("gpuledger-cli: --team \"nobody\" has no GPU time in what was fetched"),
                     unknown.err.constData());
        }
        const Answer some = run("summary --team vision --team other --from -24h --json");
        QVERIFY2(some.err.contains("--team \"other\" has no GPU time"), some.err.constData());
        const QJsonObject one = some.json();
        QCOMPARE(one[QLatin1String("rows")].toArray().size(), 1);
        QCOMPARE(one[QLatin1String("total")]
                     .toObject()[QLatin1String("gpu_hours")]
                     .toObject()[QLatin1String("paid")]
                     .toDouble(),
                 24.0);
    }

    void startsBeforeItsEnd()
    {
        const QJsonObject one = run("summary --from -24h --to 2026-11-09T12:00:00Z --json").json();
        QCOMPARE(one[QLatin1String("from")].toString(), QStringLiteral("2026-11-08T12:00:00Z"));
        QCOMPARE(one[QLatin1String("to")].toString(), QStringLiteral("2026-11-09T12:00:00Z"));
    }

    // Where nothing was stored, the cost is not known.
    void whatWasNotStoredHasNoCost()
    {
        const Answer summary = run("summary --from 2026-01-01 --to 2026-01-02");
        QCOMPARE(summary.status, 0);
        const QByteArray total = summary.out.split('\n').at(2).simplified();
        QVERIFY2(total.startsWith("total ") && total.endsWith(" - -") && !total.contains("0.00"), total.constData());
        const QJsonObject answer =
            run("summary --from 2026-01-01 --to 2026-01-02 --json").json()[QLatin1String("total")].toObject();
        QVERIFY(answer[QLatin1String("figures")].toObject().isEmpty()); // nothing could prove them
        const QJsonObject cost = answer[QLatin1String("cost")].toObject();
        for (const char *key : {"total", "active", "idle", "unallocated", "unobserved"})
            QVERIFY2(cost[QLatin1String(key)].isNull(), key);
    }

    void namesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char *arguments, const char *sentence) {
            QTest::newRow(arguments) << QByteArray(arguments) << QByteArray(sentence);
        };
        row("fly", "there is no command \"fly\"");
        row("--bogus", "there is no option \"--bogus\"");
        row("--quiet", "no command was given");
        row("summary --bogus", "--bogus");
        row("completion bash --json", "completion can't go with --json");
        row("completion bash --csv", "completion can't go with --csv");
        row("idle --at 2030-01-01", "--at is in the future: 2030-01-01T00:00:00Z");
        row("idle --waiting --at 2030-01-01", "--at is in the future: 2030-01-01T00:00:00Z");
        row("summary --from 2030-01-01 --to 2030-02-01", "--from is in the future: 2030-01-01T00:00:00Z");
        row("summary --by shoe", "label:KEY");
        row("heatmap --by shoe", "node-label:KEY");
    }
    void namesWhatItDoesNotKnow()
    {
        QFETCH(QByteArray, arguments);
        QFETCH(QByteArray, sentence);
        const Answer answer = run(arguments.constData());
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.out.isEmpty() && answer.err.startsWith("gpuledger-cli: ") && answer.err.contains(sentence),
                 answer.err.constData());
    }

    void printsTablesForPeople()
    {
        const Answer summary = run("summary");
        QCOMPARE(summary.status, 0);
        QVERIFY(summary.out.contains("GPU time from 2026-10-11 12:00 to 2026-11-10 12:00 (UTC)\n"));
        QVERIFY(summary.out.contains("vision"));
        QVERIFY(!summary.out.contains('\x1b')); // not a terminal
        const QList<QByteArray> lines = summary.out.split('\n');
        QCOMPARE(lines.at(1).size(), lines.at(2).size()); // right-aligned columns end together
        for (const char *command :
             {"heatmap", "idle", "savings", "sources list", "sources test fake", "rules test", "verify", "sync"})
            QVERIFY2(run(command).status == 0, command);
        for (const char *command : {"heatmap --csv", "sources list --csv", "sources test fake --csv",
                                    "rules test --csv", "verify --csv", "sync --csv", "summary --csv", "savings --csv"})
            QVERIFY2(run(command).status == 0 && run(command).out.contains(','), command);
    }

    void answersTheOtherVerbsInJson()
    {
        QCOMPARE(run("verify --json").json()[QLatin1String("holds")].toBool(), true);
        const QJsonArray sources = run("sources list --json").json()[QLatin1String("sources")].toArray();
        QCOMPARE(sources.at(0).toObject()[QLatin1String("name")].toString(), QStringLiteral("fake"));
        QVERIFY(sources.at(0).toObject()[QLatin1String("lag_seconds")].isDouble());
        QCOMPARE(run("sources test fake --json").json()[QLatin1String("usable")].toBool(), true);
        const QJsonArray rules = run("rules test --json").json()[QLatin1String("rules")].toArray();
        QVERIFY(!rules.isEmpty());
        QCOMPARE(rules.at(0).toObject()[QLatin1String("gpu_hours")].toDouble(), 48.0);
    }

    void endsWithTheDocumentedStatus_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("status");
        QTest::newRow("done") << "sources list" << 0;
        QTest::newRow("no verb") << "--json" << 2;
        QTest::newRow("unknown verb") << "fly" << 2;
        QTest::newRow("unknown option") << "summary --frm -3d" << 2;
        QTest::newRow("bad dimension") << "summary --by shoe" << 2;
        QTest::newRow("bad bins") << "heatmap --bins minute" << 2;
        QTest::newRow("bad metric") << "heatmap --metric speed" << 2;
        QTest::newRow("bad time") << "summary --from yesterday" << 2;
        QTest::newRow("backwards") << "summary --from 2026-11-02 --to 2026-11-01" << 2;
        QTest::newRow("bad now") << "--now soon summary" << 2;
        QTest::newRow("bad zone") << "--tz Mars/Olympus summary" << 2;
        QTest::newRow("json and csv") << "summary --json --csv" << 2;
        QTest::newRow("unknown source") << "sync --source nosuch" << 2;
        QTest::newRow("unknown source test") << "sources test nosuch" << 2;
        QTest::newRow("bad shell") << "completion cmd" << 2;
        QTest::newRow("no configuration") << "--config /nonexistent/config.yaml summary" << 3;
        QTest::newRow("help") << "--help" << 0;
        QTest::newRow("help of a verb") << "heatmap --help" << 0;
        QTest::newRow("version") << "--version" << 0;
    }
    void endsWithTheDocumentedStatus()
    {
        QFETCH(QString, arguments);
        QFETCH(int, status);
        const QStringList words = arguments.split(QLatin1Char(' '));
        const Answer answer = run(words);
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.err.isEmpty(), status == 0);
        if (status == 0)
            return;
        const Answer json = run(words + QStringList{QStringLiteral("--json")});
        if (!arguments.contains(QLatin1String("--csv")))
            QCOMPARE(json.status, status);
        const QJsonObject error =
            QJsonDocument::fromJson(json.err.trimmed().split('\n').last()).object()[QLatin1String("error")].toObject();
        for (const char *key : {"code", "message", "source", "hint"})
            QVERIFY2(error.contains(QLatin1String(key)), json.err.constData());
    }

    void showsAnExampleOnEveryVerb()
    {
        for (const char *verb :
             {"", "sync", "summary", "heatmap", "idle", "sources", "sources list", "sources test", "sources add",
              "rules", "rules test", "explain", "savings", "estimate", "compare", "verify", "demo", "completion"}) {
            QStringList words = QString::fromLatin1(verb).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            const Answer help = run(words + QStringList{QStringLiteral("--help")});
            QVERIFY2(help.out.contains("Example:\n  gpuledger-cli"), verb);
        }
    }

    void otherSourcesGoOnWhenOneFails()
    {
        tests::FakePlan good, bad;
        bad.name = "bad";
        bad.failure = [](base::UtcTime) {
            return base::Error::make(base::ErrorCode::Network, "refused \x1b[31m by http://h/?token=canary-5b1f");
        };
        m_catalog.plans = {good, bad};
        configure("sources: [ { name: bad, kind: demo }, { name: fake, kind: demo, first_sync: 1d } ]\n");
        const Answer sync = run("sync --json", QStringLiteral("two"));
        QCOMPARE(sync.status, 4);
        const QJsonArray sources = sync.json()[QLatin1String("sources")].toArray();
        QCOMPARE(sources.at(0).toObject()[QLatin1String("error")].toObject()[QLatin1String("code")].toString(),
                 QStringLiteral("network"));
        QVERIFY(sources.at(1).toObject()[QLatin1String("accepted")].toInt() > 0);
        QVERIFY(sync.err.contains("bad: The server can't be reached"));
        QVERIFY(!sync.err.contains('\x1b'));
        QVERIFY(!sync.err.contains("canary"));
        QVERIFY(!sync.out.contains("canary"));
        QVERIFY(!run("sources list --json", QStringLiteral("two")).out.contains("canary"));
    }

    void endsWith130WhenCancelled()
    {
        configureFake("vision");
        int chunks = 0;
        m_catalog.plans[0].failure = [&](base::UtcTime) -> std::optional<base::Error> {
            if (++chunks == 3)
                m_stop.request_stop();
            return std::nullopt;
        };
        QCOMPARE(run("sync", QStringLiteral("cut")).status, 130);
        m_stop = std::stop_source();
        // Stored data stay.
        const QJsonObject list = run("sources list --json", QStringLiteral("cut")).json();
        QCOMPARE(list[QLatin1String("sources")].toArray().at(0).toObject()[QLatin1String("to")].toString(),
                 QStringLiteral("2026-11-09T00:00:00Z"));
    }

    void keepsHostileNamesOffTheTerminal_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("ansi") << QByteArray("\x1b[31mred\x1b]0;owned\x07");
        QTest::newRow("newline") << QByteArray("a\nroot:x\r\n");
        QTest::newRow("bidi") << QByteArray("a\xE2\x80\xAEtxt.exe");
        QTest::newRow("zero width") << QByteArray("a\xE2\x80\x8B"
                                                  "b");
        QTest::newRow("c1") << QByteArray("a\xC2\x9B"
                                          "31m");
        QTest::newRow("formula") << QByteArray("=cmd|' /C calc'!A0");
        QTest::newRow("quotes") << QByteArray("a\",'b");
    }
    void keepsHostileNamesOffTheTerminal()
    {
        QFETCH(QByteArray, name);
        configureFake(name.toStdString());
        const QString data = QStringLiteral("hostile-") + QLatin1String(QTest::currentDataTag());
        QCOMPARE(run("sync", data).status, 0);
        for (const char *command :
             {"summary", "heatmap", "idle --at -90m", "rules test", "summary --json", "rules test --json"}) {
            const Answer answer = run(command, data);
            QCOMPARE(answer.status, 0);
            for (const QByteArray &bad :
                 {QByteArray("\x1b"), QByteArray("\x07"), QByteArray("\r"), QByteArray("\xE2\x80\xAE"),
                  QByteArray("\xE2\x80\x8B"), QByteArray("\xC2\x9B"), QByteArray("\nroot:x")})
                QVERIFY2(!answer.out.contains(bad), command);
        }
        // Machine-readable output contains the unmodified name.
        const QJsonArray rows = run("summary --json", data).json()[QLatin1String("rows")].toArray();
        QStringList keys;
        for (const QJsonValue &row : rows)
            keys.append(row.toObject()[QLatin1String("key")].toString());
        QVERIFY2(keys.contains(QString::fromUtf8(name)), qPrintable(keys.join(QLatin1Char('|'))));
        // Nothing that a terminal would obey, even as a table for spreadsheets.
        for (const char *command : {"summary --csv", "heatmap --csv", "idle --at -90m --csv", "rules test --csv"}) {
            const QByteArray csv = run(command, data).out;
            for (const QByteArray &bad : {QByteArray("\x1b"), QByteArray("\x07"), QByteArray("\xC2\x9B")})
                QVERIFY2(!csv.contains(bad), command);
        }
        if (name.startsWith('='))
            QVERIFY(run("summary --csv", data).out.contains("\"'=cmd"));
    }

    // What can't be read is said, and leaves the rest; the exit status asks to look.
    void showsBudgetsOfTheSourcesThatCanBeRead()
    {
        model::CloudBudget budget;
        budget.cloud = "AWS";
        budget.name = "=month \"a\"";
        budget.isWholeBill = true;
        budget.first = base::dayOf(base::parseTime("2026-11-01").value());
        budget.currency = base::Currency::usd();
        budget.limit = base::Decimal::parse("12.3456").value();
        m_catalog.budgets = {{"fake", ports::BudgetList{{budget}, 2, 1}}};
        configureFake("vision");
        const QString data = QStringLiteral("budgets");
        QCOMPARE(run("sync", data).status, 0);
        const Answer whole = run("budgets", data);
        QCOMPARE(whole.status, 0);
        QVERIFY2(whole.out.contains("2026-11-01 to ?") && whole.out.contains(" 12.35 "), whole.out.constData());
        for (const char *note : {"1 budget is not compared: the cloud does not say for which days",
                                 "2 budgets are left out: not about money", "1 budget is left out: not readable"})
            QVERIFY2(whole.err.contains(note), whole.err.constData());

        m_catalog.budgets.insert({"other", base::fail(base::ErrorCode::Forbidden, "the account may not see budgets")});
        configure("sources: [ { name: other, kind: demo }, { name: fake, kind: demo, first_sync: 2d } ]\n");
        const Answer json = run("budgets --json", data);
        QCOMPARE(json.status, 1);
        const QJsonObject row = json.json()[QLatin1String("budgets")].toArray().at(0).toObject();
        QCOMPARE(row[QLatin1String("limit")].toObject()[QLatin1String("amount")].toString(),
                 QStringLiteral("12.345600000"));
        for (const char *key : {"account", "scope", "to", "spent", "forecast", "billed", "billed_through"})
            QVERIFY2(row[QLatin1String(key)].isNull(), key);
        QCOMPARE(row[QLatin1String("not_compared")].toString(), QStringLiteral("no-period"));
        QCOMPARE(row[QLatin1String("period")].toString(), QStringLiteral("other"));
        const QJsonObject unread = json.json()[QLatin1String("unread")].toArray().at(0).toObject();
        QCOMPARE(unread[QLatin1String("source")].toString(), QStringLiteral("other"));
        QCOMPARE(unread[QLatin1String("error")].toObject()[QLatin1String("code")].toString(),
                 QStringLiteral("forbidden"));
        const QJsonObject left = json.json()[QLatin1String("left_out")].toObject();
        QCOMPARE(left[QLatin1String("without_money")].toInt() * 10 + left[QLatin1String("rejected")].toInt(), 21);
        const Answer csv = run("budgets --csv --quiet", data);
        QCOMPARE(csv.status, 1);
        QCOMPARE(csv.out.count('\n'), 2);
        QVERIFY2(csv.out.contains("\"'=month \"\"a\"\"\""), csv.out.constData());
        QVERIFY2(csv.err.contains("other") && csv.err.contains("may not see budgets"), csv.err.constData());

        m_catalog.budgets = {{"other", base::fail(base::ErrorCode::Timeout, "no answer")},
                             {"fake", base::fail(base::ErrorCode::Timeout, "no answer")}};
        const Answer none = run("budgets", data);
        QCOMPARE(none.status, 1);
        QVERIFY(!none.err.contains("no budget was found"));
        m_catalog.budgets.clear();
        QCOMPARE(run("budgets", data).status, 2);
    }

    void writesTheSampleOnceAndNeverOver()
    {
        const QString file = path("new/folder/config.yaml");
        const QStringList add{QStringLiteral("sources"), QStringLiteral("add"), QStringLiteral("--sample"),
                              QStringLiteral("--config"), file};
        QCOMPARE(run(add).status, 0);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadWrite));
        QVERIFY(written.readAll().contains("sources:"));
        QCOMPARE(written.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        written.resize(3);
        written.close();
        QCOMPARE(run(add).status, 5);
        QCOMPARE(QFile(file).size(), 3);
    }
};

GPULEDGER_SUITE(TestCommandLine)

} // namespace tst_commandline

#include "tst_commandline.moc"
