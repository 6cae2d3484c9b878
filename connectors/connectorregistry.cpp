// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorregistry.h"

#include "app/base/text.h"
#include "connectors/auth/kubeconfig.h"
#include "connectors/aws/awstarget.h"
#include "connectors/demo/demobills.h"
#include "connectors/demo/demoplatform.h"
#include "connectors/demo/demosource.h"
#include "connectors/focus/focussource.h"
#include "connectors/http/curlhttpclient.h"
#include "connectors/kubernetes/kubequeue.h"
#include "connectors/kubernetes/kubetarget.h"
#include "connectors/opencost/opencostsource.h"
#include "connectors/prometheus/prometheussource.h"

#include <mutex>

namespace gpuledger::connectors {

namespace {

using Created = base::Result<std::unique_ptr<ports::TelemetrySource>>;
using Client = std::shared_ptr<http::HttpClient>;

// The network thread of all sources; it begins with the first that needs it, and ends with the last.
class SharedClient {
public:
    Client get()
    {
        const std::lock_guard lock(m_mutex);
        Client client = m_client.lock();
        if (!client) {
            client = std::make_shared<http::CurlHttpClient>();
            m_client = client;
        }
        return client;
    }

private:
    std::mutex m_mutex;
    std::weak_ptr<http::HttpClient> m_client;
};

using Factory = Created (*)(const model::SourceSettings &, const std::vector<model::ExporterMappingText> &,
                            ports::SecretStore &, const base::Clock &, SharedClient &);

struct Entry {
    ports::SourceKind kind;
    Factory create;
};

using CreatedCost = base::Result<std::unique_ptr<ports::CostSource>>;
using CostFactory = CreatedCost (*)(const model::SourceSettings &, ports::SecretStore &, const base::Clock &);

struct CostEntry {
    ports::SourceKind kind;
    CostFactory create;
};

using CreatedAllocation = base::Result<std::unique_ptr<ports::AllocationSource>>;
using AllocationFactory = CreatedAllocation (*)(const model::SourceSettings &, ports::SecretStore &,
                                                const base::Clock &, SharedClient &);

struct AllocationEntry {
    ports::SourceKind kind;
    AllocationFactory create;
};

using CreatedTarget = base::Result<std::unique_ptr<ports::ActionTarget>>;
using TargetFactory = CreatedTarget (*)(const model::SourceSettings &, ports::SecretStore &, const base::Clock &,
                                        SharedClient &);

struct TargetEntry {
    ports::SourceKind kind;
    TargetFactory create;
};

// The real time: it is compared with the times of files.
const base::Clock &realClock()
{
    static const base::SystemClock kClock;
    return kClock;
}

// One line a connector that tells bills.
const std::vector<CostEntry> &costEntries()
{
    static const std::vector<CostEntry> kEntries{
        {{"focus", "FOCUS bills", "path", false, true},
         [](const auto &settings, auto &, const auto &) -> CreatedCost {
             return std::make_unique<focus::FocusSource>(settings.name, settings.path, realClock());
         }},
        {{"demo-bill", "Demo bill", "", false, true},
         [](const auto &settings, auto &, const auto &clock) { return demo::DemoBills::create(settings, clock); }},
    };
    return kEntries;
}

// One line a connector that tells allocations.
const std::vector<AllocationEntry> &allocationEntries()
{
    static const std::vector<AllocationEntry> kEntries{
        {{"opencost", "OpenCost, Kubecost", "url", false, false, true},
         [](const auto &settings, auto &secrets, const auto &clock, SharedClient &client) {
             return opencost::makeOpenCostSource(settings, secrets, clock, client.get());
         }},
    };
    return kEntries;
}

// One line a connector that stops things; kinds that tell something as well are in another table, too.
const std::vector<TargetEntry> &targetEntries()
{
    static const std::vector<TargetEntry> kEntries{
        {{"demo", "Demo fleet", ""},
         [](const auto &settings, auto &, const auto &clock, SharedClient &) {
             return demo::DemoPlatform::create(settings, clock);
         }},
        {{.kind = "aws",
          .title = "Amazon Web Services",
          .needs = "",
          .stops = true,
          .onlyStops = true,
          .stopsMachines = true},
         [](const auto &settings, auto &, const auto &, SharedClient &client) {
             return aws::makeAwsTarget(settings, realClock(), client.get()); // signatures tell the real time
         }},
        {{.kind = "kubernetes",
          .title = "Kubernetes",
          .needs = "",
          .stops = true,
          .onlyStops = true,
          .tellsWaiting = true},
         [](const auto &settings, auto &secrets, const auto &clock, SharedClient &client) {
             return kubernetes::makeKubeTarget(settings, secrets, clock, client.get());
         }},
    };
    return kEntries;
}

// One line a connector.
const std::vector<Entry> &entries()
{
    static const std::vector<Entry> kEntries{
        {{"demo", "Demo fleet", "", false, false, false, true},
         [](const auto &settings, const auto &, auto &, const auto &clock, SharedClient &) {
             return demo::DemoSource::create(settings, clock);
         }},
        {{"prometheus", "Prometheus", "url", true},
         [](const auto &settings, const auto &exporters, auto &secrets, const auto &clock, SharedClient &client) {
             return prometheus::makePrometheusSource(settings, exporters, secrets, clock, client.get());
         }},
    };
    return kEntries;
}

class Registry final : public ports::SourceCatalog {
public:
    std::vector<ports::SourceKind> kinds() const override
    {
        std::vector<ports::SourceKind> all;
        for (const Entry &entry : entries())
            all.push_back(entry.kind);
        for (const CostEntry &entry : costEntries())
            all.push_back(entry.kind);
        for (const AllocationEntry &entry : allocationEntries())
            all.push_back(entry.kind);
        for (const TargetEntry &entry : targetEntries()) {
            if (entry.kind.onlyStops)
                all.push_back(entry.kind);
        }
        return all;
    }

    Created create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
                   ports::SecretStore &secrets, const base::Clock &clock) const override
    {
        for (const Entry &entry : entries()) {
            if (entry.kind.kind == settings.kind)
                return entry.create(settings, exporters, secrets, clock, m_client);
        }
        return unknown(settings);
    }

    CreatedCost createCost(const model::SourceSettings &settings, ports::SecretStore &secrets,
                           const base::Clock &clock) const override
    {
        for (const CostEntry &entry : costEntries()) {
            if (entry.kind.kind == settings.kind)
                return entry.create(settings, secrets, clock);
        }
        return unknown(settings);
    }

    CreatedAllocation createAllocation(const model::SourceSettings &settings, ports::SecretStore &secrets,
                                       const base::Clock &clock) const override
    {
        for (const AllocationEntry &entry : allocationEntries()) {
            if (entry.kind.kind == settings.kind)
                return entry.create(settings, secrets, clock, m_client);
        }
        return unknown(settings);
    }

    CreatedTarget createTarget(const model::SourceSettings &settings, ports::SecretStore &secrets,
                               const base::Clock &clock) const override
    {
        for (const TargetEntry &entry : targetEntries()) {
            if (entry.kind.kind == settings.kind)
                return entry.create(settings, secrets, clock, m_client);
        }
        return SourceCatalog::createTarget(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::WaitingSource>> createWaiting(const model::SourceSettings &settings,
                                                                      ports::SecretStore &secrets) const override
    {
        if (settings.kind == "kubernetes")
            return kubernetes::makeKubeQueue(settings, secrets, realClock(), m_client.get());
        return SourceCatalog::createWaiting(settings, secrets);
    }

private:
    tl::unexpected<base::Error> unknown(const model::SourceSettings &settings) const
    {
        std::string known;
        for (const ports::SourceKind &kind : kinds())
            known += (known.empty() ? "" : ", ") + kind.kind;
        return base::fail(base::ErrorCode::Unsupported,
                          "no such kind of source: \"" + base::printable(settings.kind, 64) + '"',
                          "this build knows: " + known);
    }

    mutable SharedClient m_client;
};

class Logins final : public ports::LoginCommands {
public:
    base::Result<std::vector<ports::CredentialCommand>> of(const model::SourceSettings &source) const override
    {
        std::vector<ports::CredentialCommand> all;
        if (source.kind != "kubernetes")
            return all;
        auto command = kubernetes::kubeLoginCommand(source);
        GPULEDGER_TRY(command);
        if (*command)
            all.push_back(std::move(**command));
        return all;
    }
};

class Contexts final : public ports::KubeContexts {
public:
    base::Result<ports::KubeContextNames> of(const std::string &kubeconfig) const override
    {
        return auth::listKubeContexts(auth::kubeconfigFiles(kubeconfig));
    }
};

} // namespace

std::unique_ptr<ports::SourceCatalog> makeSourceCatalog()
{
    return std::make_unique<Registry>();
}

std::unique_ptr<ports::LoginCommands> makeLoginCommands()
{
    return std::make_unique<Logins>();
}

std::unique_ptr<ports::KubeContexts> makeKubeContexts()
{
    return std::make_unique<Contexts>();
}

} // namespace gpuledger::connectors
