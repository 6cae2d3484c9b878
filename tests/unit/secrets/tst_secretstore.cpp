// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/log.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_secretstore {

using namespace gpuledger;
using base::ErrorCode;
using Kind = model::SecretRef::Kind;

namespace {

base::Result<base::Secret> readRef(Kind kind, const std::string &value)
{
    return connectors::makeSecretStore()->read({kind, value, {}});
}

ErrorCode failureOf(Kind kind, const std::string &value)
{
    const auto secret = readRef(kind, value);
    return secret ? ErrorCode::Internal : secret.error().code;
}

} // namespace

class TestSecretStore : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;

    std::string file(const char *name, const QByteArray &content, mode_t mode) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        QFile f(path);
        if (!f.open(QIODevice::WriteOnly) || f.write(content) != content.size())
            qFatal("can't write %s", qPrintable(path));
        f.close();
        chmod(path.toLocal8Bit().constData(), mode);
        return path.toStdString();
    }

private Q_SLOTS:
    void readsTheEnvironment()
    {
        qputenv("GPULEDGER_TEST_TOKEN", "canary-env-51c2");
        const auto secret = readRef(Kind::Environment, "GPULEDGER_TEST_TOKEN");
        QVERIFY(secret.has_value());
        QVERIFY(secret->reveal() == "canary-env-51c2");
        qunsetenv("GPULEDGER_TEST_TOKEN");
        QVERIFY(failureOf(Kind::Environment, "GPULEDGER_TEST_TOKEN") == ErrorCode::NotFound);
    }

    void makesWhatItReadUnprintable()
    {
        QVERIFY(readRef(Kind::File, file("log", "canary-file-93aa\n", 0600)).has_value());
        QVERIFY(base::log::redacted("server said canary-file-93aa").find("canary") == std::string::npos);
    }

    void refusesFilesThatOthersCanReach_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("owner") << 0600 << true;
        QTest::newRow("owner reads") << 0400 << true;
        QTest::newRow("group reads") << 0640 << false;
        QTest::newRow("world reads") << 0604 << false;
        QTest::newRow("group writes") << 0620 << false;
        QTest::newRow("runs") << 0700 << false;
        QTest::newRow("setuid") << 04600 << false;
    }
    void refusesFilesThatOthersCanReach()
    {
        QFETCH(int, mode);
        QFETCH(bool, allowed);
        const auto secret = readRef(Kind::File, file("mode", "value-1234", static_cast<mode_t>(mode)));
        QCOMPARE(secret.has_value(), allowed);
        if (!allowed) {
            QVERIFY(secret.error().code == ErrorCode::Forbidden);
            QVERIFY(secret.error().text.find("value") == std::string::npos);
        }
        QFile::remove(m_folder.filePath(QStringLiteral("mode")));
    }

    void refusesFilesOfOthers()
    {
        if (geteuid() != 0)
            QSKIP("giving a file away needs root");
        const std::string path = file("other", "value-1234", 0600);
        QCOMPARE(chown(path.c_str(), 65534, 65534), 0);
        QVERIFY(failureOf(Kind::File, path) == ErrorCode::Forbidden);
    }

    void neverHangsOnAPipe()
    {
        const std::string path = m_folder.filePath(QStringLiteral("pipe")).toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        QVERIFY(failureOf(Kind::File, path) == ErrorCode::Forbidden);
        QVERIFY(failureOf(Kind::File, m_folder.path().toStdString()) == ErrorCode::Forbidden);
        QVERIFY(failureOf(Kind::File, path + ".missing") == ErrorCode::NotFound);
    }

    void dropsTheLineEndOfAnEditor()
    {
        QVERIFY(readRef(Kind::File, file("crlf", "value-1234\r\n", 0600))->reveal() == "value-1234");
        QVERIFY(failureOf(Kind::File, file("empty", "\n", 0600)) == ErrorCode::NotFound);
        QVERIFY(failureOf(Kind::File, file("large", QByteArray((1 << 20) + 1, 'x'), 0600)) == ErrorCode::TooMuch);
    }

    void runsNoCommand()
    {
        const QString mark = m_folder.filePath(QStringLiteral("ran"));
        const auto secret =
            connectors::makeSecretStore()->read({Kind::Command, {}, {"/bin/touch", mark.toStdString()}});
        QVERIFY(!secret && secret.error().code == ErrorCode::Forbidden);
        QVERIFY(!QFile::exists(mark));
    }

    void saysThatThereIsNoKeychain()
    {
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        QVERIFY(failureOf(Kind::Keychain, "prom-prod") == ErrorCode::Unsupported);
    }
};

GPULEDGER_SUITE(TestSecretStore)

} // namespace tst_secretstore

#include "tst_secretstore.moc"
