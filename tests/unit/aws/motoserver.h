// SPDX-License-Identifier: GPL-3.0-or-later
// moto in a process of its own, and boto3 in it to make and observe what the product sees.
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <string>

namespace gpuledger::tests {

class MotoServer {
public:
    MotoServer() { m_process.setProcessChannelMode(QProcess::SeparateChannels); }
    ~MotoServer()
    {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(5000)) {
            m_process.kill();
            m_process.waitForFinished(3000);
        }
    }
    MotoServer(const MotoServer &) = delete;
    MotoServer &operator=(const MotoServer &) = delete;

    enum class Start { Running, NotInstalled, Failed };
    Start start()
    {
        m_process.start(QStringLiteral("/usr/bin/python3"),
                        {qEnvironmentVariable("GPULEDGER_SOURCE_DIR") + QStringLiteral("/tests/support/awsserver.py")});
        const QByteArray first = m_process.waitForStarted(10000) ? line() : QByteArray();
        if (first == "no moto")
            return Start::NotInstalled;
        if (!first.startsWith("port "))
            return Start::Failed;
        m_url = "http://127.0.0.1:" + first.mid(5).toStdString();
        return Start::Running;
    }
    const std::string &url() const { return m_url; }
    // What it wrote for people, such as why it did not start.
    QByteArray complaint() { return m_process.readAllStandardError(); }
    // What boto3 answers.
    QJsonObject ask(const QJsonObject &question)
    {
        m_process.write(QJsonDocument(question).toJson(QJsonDocument::Compact) + '\n');
        return QJsonDocument::fromJson(line()).object();
    }

private:
    QByteArray line()
    {
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(120000))
                return {};
        }
        return m_process.readLine().trimmed();
    }

    QProcess m_process;
    std::string m_url;
};

} // namespace gpuledger::tests

// In a test function: starts it, or skips the test where moto is not installed.
#define GPULEDGER_START_MOTO(server)                                                                                   \
    do {                                                                                                               \
        const auto started = (server).start();                                                                         \
        if (started == gpuledger::tests::MotoServer::Start::NotInstalled)                                              \
            QSKIP("skipped: no moto");                                                                                 \
        QVERIFY2(started == gpuledger::tests::MotoServer::Start::Running, (server).complaint().constData());           \
    } while (false)
