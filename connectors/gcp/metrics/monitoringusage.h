// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/gcp/googleapi.h"
#include "connectors/gcp/metrics/answermeter.h"
#include "connectors/gcp/metrics/instancenumbers.h"
#include "connectors/http/url.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// What Cloud Monitoring has of the GPUs of a project's instances, from the Ops Agent. Threads and errors: see
// ports::UsageSource; calls also fail with the errors of GoogleToken::get. `address` has no slash at its end.
class MonitoringUsage final : public ports::UsageSource {
public:
    // `secrets` and `realClock` must outlive it.
    MonitoringUsage(const model::SourceSettings &settings, const std::string &project, const std::string &address,
                    ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
                    const Tuning &tuning);

    // The numbers of the machines that will be asked about, in place of those before.
    void know(InstanceNumbers numbers) { m_numbers = std::move(numbers); }
    base::Seconds kept() const override;
    [[nodiscard]] base::Result<ports::MeasuredUsage> usage(const std::vector<ports::ListedMachine> &machines,
                                                           base::TimeRange range, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::MeasuredActivity> activity(const std::vector<ports::ListedMachine> &machines,
                                                                 const ports::ActivityQuestion &question,
                                                                 std::stop_token stop) override;
    // Whether it may be read, and whether anything reported in the last hour. Fails like usage(), but not with
    // Forbidden.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    // Takes each page of the answer; returns what the service said is missing in it.
    using Page = std::function<base::Result<void>(const nlohmann::json &)>;
    base::Result<std::vector<std::string>> ask(const http::Parameters &question, const Page &take,
                                               const std::stop_token &stop);

    std::shared_ptr<AnswerMeter> m_meter;
    std::string m_url;
    const base::Clock &m_realClock;
    GoogleApi m_api;
    InstanceNumbers m_numbers;
};

// Of the settings of the kind `gcp`; null: they don't ask for it. Fails with InvalidConfig (another word for usage, no
// project, a wrong url).
[[nodiscard]] base::Result<std::unique_ptr<MonitoringUsage>>
makeMonitoringUsage(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                    std::shared_ptr<http::HttpClient> client, const Tuning &tuning = {});

} // namespace gpuledger::gcp
