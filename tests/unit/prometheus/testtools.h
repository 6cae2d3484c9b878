// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/secretstore.h"
#include "app/ports/telemetrysource.h"
#include "connectors/format/seriesreader.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

// Resolves every reference to one text.
class OneSecret final : public ports::SecretStore {
public:
    explicit OneSecret(std::string value = "canary-credential")
        : m_value(std::move(value))
    {
    }
    base::Result<base::Secret> read(const model::SecretRef &) override
    {
        ++reads;
        return base::Secret(m_value);
    }
    void set(std::string value) { m_value = std::move(value); }
    int reads = 0;

private:
    std::string m_value;
};

class Sink final : public ports::FactSink {
public:
    base::Result<void> accept(ports::FactBatch batch) override
    {
        batches.push_back(std::move(batch));
        if (onAccept)
            onAccept();
        return {};
    }
    void progress(const ports::FetchProgress &p) override { last = p; }

    std::vector<ports::FactBatch> batches;
    ports::FetchProgress last;
    std::function<void()> onAccept;
};

// Answers at once with the result of a function.
class ScriptedClient final : public http::HttpClient {
public:
    using Script = std::function<base::Result<http::Response>(const http::Request &)>;
    explicit ScriptedClient(Script script)
        : m_script(std::move(script))
    {
    }
    void submit(http::Request request, std::stop_token stop, Completion done) override
    {
        ++requests;
        if (stop.stop_requested()) {
            done(base::fail(base::ErrorCode::Cancelled, "cancelled"));
            return;
        }
        done(m_script(request));
    }
    std::atomic<int> requests{0};

private:
    Script m_script;
};

// JSON or labels with ' in place of ".
inline std::string js(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

inline http::Response answer(std::string body, int status = 200, std::string type = "application/json")
{
    http::Response r;
    r.status = status;
    r.body = std::move(body);
    r.contentType = std::move(type);
    r.wireBytes = r.body.size();
    return r;
}

// Time that passes only by waiting.
class SimulatedPause final : public http::Pause {
public:
    http::Milliseconds steadyNow() const override { return m_now; }
    bool wait(http::Milliseconds time, std::stop_token stop) override
    {
        m_now += time;
        waits.push_back(time);
        return !stop.stop_requested();
    }
    void pass(http::Milliseconds time) { m_now += time; }
    std::vector<http::Milliseconds> waits;

private:
    http::Milliseconds m_now{1'000'000};
};

// tests/faults/faulty.py with arguments; the process ends with this object.
class FaultyServer {
public:
    bool start(const QStringList &arguments)
    {
        return start(QStringLiteral("tests/faults/faulty.py"), arguments + QStringList{QStringLiteral("--with-stdin")});
    }
    // Another script that prints its port and ends when its input is closed.
    bool start(const QString &path, const QStringList &arguments)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        const QString script = QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(path);
        m_process.start(QStringLiteral("/usr/bin/python3"), QStringList{script} + arguments);
        if (!m_process.waitForStarted(10000))
            return false;
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(15000))
                return false;
        }
        const QByteArray line = m_process.readLine().trimmed();
        m_port = line.mid(line.lastIndexOf(' ') + 1).toInt();
        return m_port > 0;
    }
    ~FaultyServer()
    {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(3000)) {
            m_process.kill();
            m_process.waitForFinished(3000);
        }
    }
    std::string url(const std::string &path = {}, const std::string &host = "127.0.0.1",
                    const std::string &scheme = "http") const
    {
        return scheme + "://" + host + ':' + std::to_string(m_port) + path;
    }
    int port() const { return m_port; }

private:
    QProcess m_process;
    int m_port = 0;
};

// A real server over given OpenMetrics text.
class RealServer {
public:
    bool start(const QString &backend, const QByteArray &openMetrics)
    {
        QFile file(m_folder.filePath(QStringLiteral("samples.om")));
        if (!file.open(QIODevice::WriteOnly) || file.write(openMetrics) != openMetrics.size())
            return false;
        file.close();
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QStringLiteral("/usr/bin/python3"),
                      {script(), QStringLiteral("start"), m_folder.path(), QStringLiteral("--backend"), backend,
                       QStringLiteral("--openmetrics"), file.fileName()});
        if (!process.waitForFinished(120000) || process.exitCode() != 0)
            return false;
        m_started = true;
        const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
        m_url = lines.last().trimmed().toStdString();
        return !m_url.empty();
    }
    ~RealServer()
    {
        if (m_started)
            QProcess::execute(QStringLiteral("/usr/bin/python3"), {script(), QStringLiteral("stop"), m_folder.path()});
    }
    const std::string &url() const { return m_url; }

private:
    static QString script()
    {
        return QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR"))
            .filePath(QStringLiteral("tests/support/promserver.py"));
    }
    QTemporaryDir m_folder;
    std::string m_url;
    bool m_started = false;
};

// Labels as a reader returns them: sorted, views into the given pairs.
class LabelSet {
public:
    LabelSet(std::initializer_list<std::pair<std::string, std::string>> pairs)
        : m_pairs(pairs.begin(), pairs.end())
    {
        std::sort(m_pairs.begin(), m_pairs.end());
        for (const auto &[name, value] : m_pairs)
            m_labels.push_back({name, value});
    }
    LabelSet(const LabelSet &) = delete;
    operator std::span<const format::Label>() const { return m_labels; }

private:
    std::vector<std::pair<std::string, std::string>> m_pairs;
    std::vector<format::Label> m_labels;
};

} // namespace gpuledger::tests
