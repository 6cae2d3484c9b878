// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, as a process, on a small demo fleet.
#include "tests/support/suite.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tst_clidemo {

namespace {

struct Answer {
    int status = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

// A local port without a listener.
quint16 closedPort()
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool known = bind(fd, reinterpret_cast<sockaddr *>(&address), length) == 0
        && getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length) == 0;
    close(fd);
    return known ? ntohs(address.sin_port) : 0;
}

} // namespace

class TestCliDemo : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;

    QString program() const { return qEnvironmentVariable("GPULEDGER_BIN_DIR") + QLatin1String("/gpuledger-cli"); }
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }

    Answer run(const QStringList &arguments, const QString &outFile = {}) const
    {
        QProcess process;
        if (!outFile.isEmpty())
            process.setStandardOutputFile(outFile);
        process.start(program(), arguments);
        Answer answer;
        if (!process.waitForFinished(120'000)) {
            process.kill();
            process.waitForFinished();
            return answer;
        }
        answer.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        answer.out = process.readAllStandardOutput();
        answer.err = process.readAllStandardError();
        return answer;
    }
    Answer demo(const char *arguments, const QString &outFile = {}) const
    {
        return run(QStringList{QStringLiteral("--demo"), QStringLiteral("--data"), path("data"),
                               QStringLiteral("--now"), QStringLiteral("2026-11-10T12:00:00Z")}
                       + QString::fromLatin1(arguments).split(QLatin1Char(' ')),
                   outFile);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Answer filled = demo("demo --days 3 --gpus 48 --json");
        QVERIFY2(filled.status == 0, filled.err.constData());
        QVERIFY(filled.json()[QLatin1String("sources")].toArray().at(0).toObject()[QLatin1String("accepted")].toInt()
                > 1000);
    }

    void partsOfTheSummaryAddUp()
    {
        const Answer answer = demo("summary --by team --json");
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonArray rows = answer.json()[QLatin1String("rows")].toArray();
        QVERIFY(rows.size() > 2);
        double paid = 0;
        for (const QJsonValue &row : rows) {
            const QJsonObject hours = row.toObject()[QLatin1String("gpu_hours")].toObject();
            const auto at = [&](const char *key) { return hours[QLatin1String(key)].toDouble(); };
            QVERIFY(std::abs(at("paid") - at("active") - at("idle") - at("unallocated") - at("unobserved")) < 1e-6);
            paid += at("paid");
        }
        const QJsonObject total = answer.json()[QLatin1String("total")].toObject();
        QVERIFY(std::abs(paid - total[QLatin1String("gpu_hours")].toObject()[QLatin1String("paid")].toDouble()) < 1e-6);
    }

    void aLabelThatNothingHasIsNamed()
    {
        const Answer none = demo("summary --by label:nothing --json");
        QCOMPARE(none.status, 0);
        QCOMPARE(none.json()[QLatin1String("rows")].toArray().size(), 1);
        static constexpr const char *kStart = "note: nothing has label:nothing; there are ";
        const auto start = none.err.indexOf(kStart);
        QVERIFY2(start >= 0, none.err.constData());
        QByteArray known = none.err.mid(start + static_cast<qsizetype>(qstrlen(kStart))).split(' ').front().trimmed();
        known.replace(",", "");
        QVERIFY2(known.startsWith("label:"), known.constData());
        known.prepend("summary --json --by ");
        const Answer some = demo(known.constData());
        QCOMPARE(some.status, 0);
        QVERIFY2(!some.err.contains("nothing has"), some.err.constData());
        QVERIFY(some.json()[QLatin1String("rows")].toArray().size() > 1);
        QVERIFY(!demo("summary --by team").err.contains("nothing has"));
    }

    void everyQuestionHasAnAnswer()
    {
        for (const char *command :
             {"summary", "summary --by node --csv", "heatmap --json", "heatmap --bins day --metric cost", "idle",
              "idle --json", "sources list", "sources test demo", "rules test --json", "verify"}) {
            const Answer answer = demo(command);
            QVERIFY2(answer.status == 0, QByteArray(QByteArray(command) + ": " + answer.err).constData());
            QVERIFY2(!answer.out.isEmpty(), command);
        }
    }

    void repeatingASyncChangesNothing()
    {
        const QByteArray before = demo("summary --by device --json").out;
        QCOMPARE(demo("demo --days 3 --gpus 48 --quiet").status, 0);
        QCOMPARE(demo("summary --by device --json").out, before);
    }

    // Otherwise a sync, or the window, would mix the default fleet into the requested one.
    void theFolderKeepsItsFleet()
    {
        const QByteArray before = demo("summary --by device --json").out;
        QCOMPARE(demo("sync --quiet").status, 0);
        QCOMPARE(demo("summary --by device --json").out, before);
        QCOMPARE(demo("demo --quiet").status, 0);
        QCOMPARE(demo("summary --by device --json").out, before);
        const Answer other = demo("demo --gpus 50");
        QVERIFY(other.status != 0);
        QVERIFY2(other.err.contains("another demo fleet") && other.err.contains("--data"), other.err.constData());
        QCOMPARE(demo("summary --by device --json").out, before);
    }

    void nowFreezesTheClock()
    {
        const QJsonObject summary = demo("summary --json").json();
        QCOMPARE(summary[QLatin1String("to")].toString(), QStringLiteral("2026-11-10T12:00:00Z"));
    }

    void aFullOutputIsAnError()
    {
        if (!QFile::exists(QStringLiteral("/dev/full")))
            QSKIP("no /dev/full here");
        for (const char *command : {"summary --json", "heatmap", "idle", "--help", "completion bash"}) {
            const Answer answer = demo(command, QStringLiteral("/dev/full"));
            QVERIFY2(answer.status != 0, command);
            QVERIFY2(answer.err.contains("can't be written"), answer.err.constData());
        }
    }

    void wrongConfigurationIsToldWithItsPlaces()
    {
        QFile file(path("config.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("sources:\n  - name: a\n    kind: prometheus\n    url: https://p.example.org\n"
                   "    auth: { type: bearer, token: canary-77aa }\nzones: 1\n");
        file.close();
        const Answer answer =
            run({QStringLiteral("--config"), file.fileName(), QStringLiteral("summary"), QStringLiteral("--json")});
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.err.contains("config.yaml:5:34: sources[0].auth.token: "), answer.err.constData());
        QVERIFY2(answer.err.contains("config.yaml:6:1: zones: "), answer.err.constData());
        QVERIFY(!answer.err.contains("canary"));
        QVERIFY(answer.out.isEmpty());
    }

    // A credential is used but never revealed: not in results, errors, the log or the cache.
    void noOutputCarriesACredential()
    {
        const QByteArray canary = "canary-9f2b61c7d0";
        qputenv("GPULEDGER_TEST_CANARY", canary);
        const quint16 port = closedPort();
        QVERIFY(port > 0);
        QFile file(path("prometheus.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("sources:\n  - { name: prod, kind: prometheus, url: \"http://127.0.0.1:" + QByteArray::number(port)
                   + "\", first_sync: 1h, auth: { type: bearer, token: env:GPULEDGER_TEST_CANARY } }\n");
        file.close();
        for (const char *command : {"sync --verbose", "sync --json", "sources test prod", "sources list --json"}) {
            const Answer answer = run(
                QStringList{QStringLiteral("--config"), file.fileName(), QStringLiteral("--data"), path("prometheus")}
                + QString::fromLatin1(command).split(QLatin1Char(' ')));
            QCOMPARE(answer.status, QByteArray(command) == "sources list --json" ? 0 : 4);
            for (const QByteArray &form : {canary, canary.toBase64(), canary.toHex()})
                QVERIFY2(!answer.out.contains(form) && !answer.err.contains(form), command);
        }
        qunsetenv("GPULEDGER_TEST_CANARY");
        int files = 0;
        for (const QString &folder : {path("prometheus"), qEnvironmentVariable("XDG_STATE_HOME")}) {
            QDirIterator each(folder, QDir::Files, QDirIterator::Subdirectories);
            while (each.hasNext()) {
                QFile one(each.next());
                QVERIFY(one.open(QIODevice::ReadOnly));
                QVERIFY2(!one.readAll().contains(canary), qPrintable(one.fileName()));
                ++files;
            }
        }
        QVERIFY(files >= 2); // the log and the cache
    }

    void interruptEndsASyncWith130()
    {
        QProcess process;
        process.start(program(),
                      {QStringLiteral("--data"), path("cut"), QStringLiteral("demo"), QStringLiteral("--gpus"),
                       QStringLiteral("2000"), QStringLiteral("--days"), QStringLiteral("200")});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("cut/ledger.db")), 60'000);
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
    }

    void bashCompletesCommandsAndValues_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("verb") << "gpuledger-cli su" << QByteArray("summary");
        QTest::newRow("after options") << "gpuledger-cli --data x he" << QByteArray("heatmap");
        QTest::newRow("second verb") << "gpuledger-cli sources te" << QByteArray("test");
        QTest::newRow("value") << "gpuledger-cli heatmap --metric idle" << QByteArray("idle-cost");
        QTest::newRow("own option") << "gpuledger-cli sync --so" << QByteArray("--source");
        QTest::newRow("global option") << "gpuledger-cli idle --gpu" << QByteArray("--gpu-model");
        QTest::newRow("shell") << "gpuledger-cli completion fi" << QByteArray("fish");
    }
    void bashCompletesCommandsAndValues()
    {
        QFETCH(QString, words);
        QFETCH(QByteArray, expected);
        QFile script(path("completion.bash"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(demo("completion bash").out);
        script.close();
        QProcess bash;
        bash.start(QStringLiteral("bash"),
                   {QStringLiteral("--norc"), QStringLiteral("-c"),
                    QStringLiteral("source \"$1\"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                                   "_gpuledger_cli; printf '%s\\n' \"${COMPREPLY[@]}\""),
                    QStringLiteral("bash"), script.fileName(), words});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardError(), QByteArray());
        QCOMPARE(bash.readAllStandardOutput(), expected + '\n');
    }

    void otherShellsReadTheirScripts()
    {
        for (const char *shell : {"zsh", "fish"}) {
            const QByteArray script = demo(QByteArray(QByteArray("completion ") + shell).constData()).out;
            QVERIFY(script.contains("hour-of-week"));
            QProcess check;
            check.start(QLatin1String(shell), {QStringLiteral("-n")});
            if (!check.waitForStarted())
                continue; // not installed here
            check.write(script);
            check.closeWriteChannel();
            QVERIFY(check.waitForFinished());
            QCOMPARE(check.exitCode(), 0);
        }
    }
};

GPULEDGER_SUITE(TestCliDemo)

} // namespace tst_clidemo

#include "tst_clidemo.moc"
