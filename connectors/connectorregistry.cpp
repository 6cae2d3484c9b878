// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorregistry.h"

#include "app/base/text/text.h"
#include "connectors/auth/kubeconfig.h"
#include "connectors/aws/requestsigner.h"
#include "connectors/connectorlist.h"
#include "connectors/http/textfetch.h"
#include "connectors/notify/noticetargets.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::connectors {

namespace {

// The real time, because it is compared with the clocks of other systems.
const base::Clock &realClock()
{
    static const base::SystemClock kClock;
    return kClock;
}

// For connectors that read no metrics.
const std::vector<model::ExporterMappingText> kNoExporters;

std::vector<ConnectorDescriptor> allConnectors()
{
    std::vector<ConnectorDescriptor> all;
    const auto add = [&](std::vector<ConnectorDescriptor> some) {
        std::move(some.begin(), some.end(), std::back_inserter(all));
    };
#define GPULEDGER_CONNECTOR(folder) add(folder::connectors());
#include "connectors/connectors.def"
#undef GPULEDGER_CONNECTOR
    return all;
}

class Registry final : public ports::SourceCatalog {
public:
    ports::SourceKinds kinds() const override
    {
        ports::SourceKinds all;
        for (const ConnectorDescriptor &one : descriptors())
            all.push_back(one.kind);
        return all;
    }

    base::Result<std::unique_ptr<ports::TelemetrySource>>
    create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
           ports::SecretStore &secrets, const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->telemetry ? one->telemetry(settings, {secrets, clock, realClock(), m_client, exporters})
                                     : unknown(settings);
    }

    base::Result<std::unique_ptr<ports::CostSource>> createCost(const model::SourceSettings &settings,
                                                                ports::SecretStore &secrets,
                                                                const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->costs ? one->costs(settings, contextOf(secrets, clock))
                                 : SourceCatalog::createCost(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::AllocationSource>> createAllocation(const model::SourceSettings &settings,
                                                                            ports::SecretStore &secrets,
                                                                            const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->allocations ? one->allocations(settings, contextOf(secrets, clock))
                                       : SourceCatalog::createAllocation(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::ActionTarget>> createTarget(const model::SourceSettings &settings,
                                                                    ports::SecretStore &secrets,
                                                                    const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->actions ? one->actions(settings, contextOf(secrets, clock))
                                   : SourceCatalog::createTarget(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::WaitingSource>> createWaiting(const model::SourceSettings &settings,
                                                                      ports::SecretStore &secrets) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->queue ? one->queue(settings, contextOf(secrets, realClock()))
                                 : SourceCatalog::createWaiting(settings, secrets);
    }

    base::Result<std::unique_ptr<ports::PriceSource>> createPrices(const model::SourceSettings &settings,
                                                                   ports::SecretStore &secrets,
                                                                   const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->prices ? one->prices(settings, contextOf(secrets, clock))
                                  : SourceCatalog::createPrices(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::InventorySource>> createInventory(const model::SourceSettings &settings,
                                                                          ports::SecretStore &secrets,
                                                                          const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->inventory ? one->inventory(settings, contextOf(secrets, clock))
                                     : SourceCatalog::createInventory(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::ClaimSource>> createClaims(const model::SourceSettings &settings,
                                                                   ports::SecretStore &secrets,
                                                                   const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->claims ? one->claims(settings, contextOf(secrets, clock))
                                  : SourceCatalog::createClaims(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::PlanSource>> createPlans(const model::SourceSettings &settings,
                                                                 ports::SecretStore &secrets,
                                                                 const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->plans ? one->plans(settings, contextOf(secrets, clock))
                                 : SourceCatalog::createPlans(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::BudgetSource>> createBudgets(const model::SourceSettings &settings,
                                                                     ports::SecretStore &secrets,
                                                                     const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->budgets ? one->budgets(settings, contextOf(secrets, clock))
                                   : SourceCatalog::createBudgets(settings, secrets, clock);
    }

    base::Result<std::unique_ptr<ports::CommitmentSource>> createCommitments(const model::SourceSettings &settings,
                                                                             ports::SecretStore &secrets,
                                                                             const base::Clock &clock) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(settings.kind);
        return one && one->commitments ? one->commitments(settings, contextOf(secrets, clock))
                                       : SourceCatalog::createCommitments(settings, secrets, clock);
    }

    base::Result<ports::FetchedText> fetchText(const ports::TextRequest &request,
                                               const std::stop_token &stop) const override
    {
        const std::shared_ptr<http::HttpClient> client = m_client.get();
        return http::fetchText(*client, request, stop);
    }

private:
    ConnectorContext contextOf(ports::SecretStore &secrets, const base::Clock &clock) const
    {
        return {secrets, clock, realClock(), m_client, kNoExporters};
    }

    tl::unexpected<base::Error> unknown(const model::SourceSettings &settings) const
    {
        if (descriptorOf(settings.kind))
            return base::fail(base::ErrorCode::Unsupported,
                              "source kind \"" + settings.kind + "\" does not provide telemetry");
        std::string known;
        for (const ConnectorDescriptor &one : descriptors())
            known += (known.empty() ? "" : ", ") + one.kind.kind;
        return base::fail(base::ErrorCode::Unsupported,
                          "unknown source kind: \"" + base::printable(settings.kind, 64) + '"',
                          "this build supports: " + known);
    }

    mutable http::SharedClient m_client;
};

class Logins final : public ports::LoginCommands {
public:
    base::Result<std::vector<ports::CredentialCommand>> of(const model::SourceSettings &source) const override
    {
        const ConnectorDescriptor *const one = descriptorOf(source.kind);
        return one && one->logins ? one->logins(source) : std::vector<ports::CredentialCommand>();
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

const std::vector<ConnectorDescriptor> &descriptors()
{
    static const std::vector<ConnectorDescriptor> kAll = allConnectors();
    return kAll;
}

const ConnectorDescriptor *descriptorOf(std::string_view kind)
{
    const auto at = std::find_if(descriptors().begin(), descriptors().end(),
                                 [&](const ConnectorDescriptor &one) { return one.kind.kind == kind; });
    return at == descriptors().end() ? nullptr : &*at;
}

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

std::unique_ptr<ports::NoticeTargets> makeNoticeTargets(ports::SecretStore &secrets)
{
    const auto client = [shared = std::make_shared<http::SharedClient>()] { return shared->get(); };
    return notify::targets(client, secrets, realClock(), aws::signers(client, realClock()));
}

} // namespace gpuledger::connectors
