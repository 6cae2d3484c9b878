// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/commitmentsource.h"
#include "connectors/azure/managerlist.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::azure {

// The reservations and savings plans that the account may see in its tenant. Threads: see ports::CommitmentSource.
class AzureCommitments final : public ports::CommitmentSource {
public:
    // `clock` tells a connection test which ones are over. It and `secrets` must outlive it.
    AzureCommitments(const model::SourceSettings &settings, const ResourceManager &manager, ports::SecretStore &secrets,
                     const base::Clock &clock, const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning);

    const std::string &name() const override { return m_name; }
    // Also fails with the errors of ManagerList::eachPage. Forbidden: both lists are refused.
    [[nodiscard]] base::Result<ports::CommitmentReport> read(base::UtcTime now, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    std::string m_name;
    const base::Clock &m_clock;
    ManagerList m_list;
};

// With the login of the bill. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::CommitmentSource>>
makeAzureCommitmentSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                          const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
