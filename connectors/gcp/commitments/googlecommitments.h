// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/commitmentsource.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/googleapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::gcp {

class CommittedUsePages;

// The committed use that projects bought, from Compute Engine: which there is and when it ends. Google tells neither
// how well it is used nor what it costs. Threads and errors: see ports::CommitmentSource; read() also fails with
// NotFound (there is no such project, or the address has no Compute Engine) and the errors of GoogleToken::get.
class GoogleCommitments final : public ports::CommitmentSource {
public:
    static constexpr std::size_t kMostPages = 1000; // of a project

    // `clock` tells the connection test what is over. It, `realClock` and `secrets` must outlive the source.
    GoogleCommitments(const model::SourceSettings &settings, const BillSettings &bill, ports::SecretStore &secrets,
                      const base::Clock &clock, const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
                      const Tuning &tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::CommitmentReport> read(base::UtcTime now, std::stop_token stop) override;
    // How many there are, and what can't be read, which leaves the bill as it is. Without projects: nothing.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    struct Refused {
        std::string project;
        base::Error error;
    };
    struct Answer {
        ports::CommitmentReport report; // of the other projects
        std::vector<Refused> refused; // that may not be read
    };
    std::string pageUrl(const std::string &project, const std::string &token) const;
    base::Result<void> readProject(const std::string &project, CommittedUsePages &pages, const std::stop_token &stop);
    base::Result<Answer> ask(base::UtcTime now, const std::stop_token &stop);

    std::string m_name, m_address;
    std::vector<std::string> m_projects;
    const base::Clock &m_clock;
    GoogleApi m_api;
};

// For the catalogue. Fails with the errors of BillSettings::of.
[[nodiscard]] base::Result<std::unique_ptr<ports::CommitmentSource>>
makeGoogleCommitments(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                      const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::gcp
