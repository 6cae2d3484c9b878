// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "tests/bench/parts/syncbench.h"

#include "app/base/memory.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/http/curlhttpclient.h"
#include "connectors/prometheus/prometheussource.h"
#include "connectors/secrets/secretstore.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>

namespace gpuledger::bench {

namespace {

// Writes each request as a transfer into curl's configuration file, and sends it.
class RecordingClient final : public http::HttpClient {
public:
    explicit RecordingClient(const std::string &file)
        : m_file(file)
    {
    }
    void submit(http::Request request, std::stop_token stop, Completion done) override
    {
        {
            const std::lock_guard lock(m_mutex);
            if (m_any)
                m_file << "next\n";
            m_any = true;
            m_file << "url = \"" << request.url
                   << "\"\noutput = \"/dev/null\"\nfail\nwrite-out = \"%{size_download}\\n\"\n";
            if (request.method == "POST")
                m_file << "data-binary = \"" << request.body << "\"\n"; // form encoding leaves nothing to escape
            m_file.flush();
        }
        m_client.submit(std::move(request), std::move(stop), std::move(done));
    }

private:
    http::CurlHttpClient m_client;
    std::mutex m_mutex;
    std::ofstream m_file;
    bool m_any = false;
};

class RecordingCatalog final : public ports::SourceCatalog {
public:
    explicit RecordingCatalog(std::string file)
        : m_file(std::move(file))
    {
    }
    ports::SourceKinds kinds() const override { return {}; }
    base::Result<std::unique_ptr<ports::TelemetrySource>>
    create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
           ports::SecretStore &secrets, const base::Clock &clock) const override
    {
        auto mappings = prometheus::loadMappings(exporters);
        GPULEDGER_TRY(mappings);
        return std::make_unique<prometheus::PrometheusSource>(settings, std::move(*mappings), secrets, clock,
                                                              std::make_shared<RecordingClient>(m_file));
    }

private:
    std::string m_file;
};

int failed(const base::Error &error)
{
    std::fprintf(stderr, "bench: %s\n", error.text.c_str());
    return 1;
}

} // namespace

int syncChild(const std::vector<std::string> &arguments)
{
    if (arguments.size() < 4)
        return 2;
    base::returnFreedMemory(); // as the programs do
    const base::UtcTime from = base::fromUnix(std::atoll(arguments[2].c_str()));
    const base::UtcTime to = base::fromUnix(std::atoll(arguments[3].c_str()));
    model::SourceSettings source;
    source.name = "bench";
    source.kind = "prometheus";
    source.url = arguments[0];
    source.clusterLabel = "cluster";
    source.firstSync = to - from;
    model::Settings settings;
    settings.sources.push_back(source);
    const base::FrozenClock clock(to);
    const auto secrets = connectors::makeSecretStore();
    std::unique_ptr<ports::SourceCatalog> catalog = connectors::makeSourceCatalog();
    if (arguments.size() > 4)
        catalog = std::make_unique<RecordingCatalog>(arguments[4]);
    auto workspace = services::Workspace::open(settings, {arguments[1], "UTC", false}, *catalog, *secrets, clock);
    if (!workspace)
        return failed(workspace.error());
    resetPeak();
    const double idle = residentMb();
    base::Result<std::vector<services::SyncReport>> reports;
    double ms = 0;
    const double cpu = cpuMillisecondsOf(
        [&] { ms = millisecondsOf([&] { reports = (*workspace)->sources().sync(std::nullopt, {}, {}); }); });
    if (!reports)
        return failed(reports.error());
    const services::SyncReport &report = reports->front();
    if (report.error)
        return failed(*report.error);
    std::printf("%s\n",
                nlohmann::json{{"ms", ms},
                               {"cpu_ms", cpu},
                               {"idle_mb", idle},
                               {"peak_mb", peakResidentMb()},
                               {"bytes", report.bytes},
                               {"buckets", report.accepted}}
                    .dump()
                    .c_str());
    return 0;
}

} // namespace gpuledger::bench
