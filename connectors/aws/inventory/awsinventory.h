// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/aws/awstarget.h"
#include "connectors/aws/instancefacts.h"
#include "connectors/aws/inventory/gpusizes.h"
#include "connectors/aws/metrics/cloudwatchusage.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// The machines with GPUs in one region of an AWS account: EC2 instances that run, and the last run of those that
// stopped and are still in the list; and those of SageMaker. Threads and errors: see ports::InventorySource; calls also
// fail with the errors of CredentialChain::get.
class AwsInventory final : public ports::InventorySource {
public:
    // `settings.auth.region` must be a region. `clock` must return the real time: signatures depend on it.
    AwsInventory(const model::SourceSettings &settings, const base::Clock &clock,
                 const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning = {});

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "aws"; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;
    // Null unless the settings ask for it, because it costs.
    ports::UsageSource *usage() override { return m_usage.get(); }

private:
    [[nodiscard]] base::Result<std::string> addPage(const std::string &page, GpuSizes &sizes, ports::Inventory &out,
                                                    const std::stop_token &stop) const;

    std::string m_name, m_region;
    AwsApi m_api;
    std::unique_ptr<CloudWatchUsage> m_usage;
};

// When a run ended, as EC2 writes it in the reason of the last change: "User initiated (2026-11-29 07:00:00 GMT)".
std::optional<base::UtcTime> endIn(std::string_view reason);
// The instance as a listed machine; std::nullopt: it does not run, and when it did is not known.
std::optional<ports::ListedMachine> machineOf(const InstanceFacts &facts, const GpuSize &size,
                                              const std::string &region);

// For the catalogue. Fails with InvalidConfig (no sigv4, no region, a wrong url, or a word for machines or usage that
// is none).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeAwsInventory(const model::SourceSettings &settings, const base::Clock &clock,
                 const std::shared_ptr<http::HttpClient> &client);

} // namespace gpuledger::aws
