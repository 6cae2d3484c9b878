// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "connectors/nebius/nebiusapi.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::nebius {

namespace wire {
class Instance;
class Instances;
class Platform;
} // namespace wire

inline constexpr Method kListInstances{"compute", "nebius.compute.v1.InstanceService", "List"};
inline constexpr Method kGetInstance{"compute", "nebius.compute.v1.InstanceService", "Get"};
inline constexpr Method kStopInstance{"compute", "nebius.compute.v1.InstanceService", "Stop"};
inline constexpr Method kStartInstance{"compute", "nebius.compute.v1.InstanceService", "Start"};
inline constexpr Method kListPlatforms{"compute", "nebius.compute.v1.PlatformService", "List"};
inline constexpr Method kGetProject{"cpl.iam", "nebius.iam.v2.ProjectService", "Get"};
inline constexpr Method kEstimatePrice{"api.calculator.billing-data-plane", "nebius.billing.v1.CalculatorService",
                                       "EstimateBatch"};

// What is asked about one project, and done to its instances. Threads: as NebiusApi. All questions fail with the errors
// of NebiusApi::ask, and with Parse.
class ProjectCalls {
public:
    // As the constructor of NebiusApi.
    ProjectCalls(const model::SourceSettings &settings, std::string project, std::string address,
                 ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
                 const Tuning &tuning);

    const std::string &project() const { return m_project; }
    const http::Parameters &answerDate() const { return m_api.answerDate(); }
    // Each page of the instances. Also fails with TooMuch, and as `take` does.
    using TakePage = std::function<base::Result<void>(const wire::Instances &)>;
    [[nodiscard]] base::Result<void> eachPage(const TakePage &take, const std::stop_token &stop);
    // Whether instances may be listed.
    [[nodiscard]] base::Result<void> askList(const std::stop_token &stop);
    // That very instance of the project.
    [[nodiscard]] base::Result<wire::Instance> instance(const std::string &id, const std::stop_token &stop);
    // All platforms. Also fails with TooMuch.
    [[nodiscard]] base::Result<std::vector<wire::Platform>> platforms(const std::stop_token &stop);
    // In which the project is; empty if the account may not know it.
    [[nodiscard]] base::Result<std::string> region(const std::stop_token &stop);
    // The list price of an hour of such an instance without its disks, in USD. Also fails with Unsupported: it is told
    // in another form.
    [[nodiscard]] base::Result<base::Money> perHour(const std::string &platform, const std::string &preset,
                                                    bool isPreemptible, const std::stop_token &stop);
    // Stops or starts it, sent once.
    [[nodiscard]] base::Result<http::Response> change(const std::string &id, bool starts, const std::stop_token &stop);
    std::string changeUrl(bool starts) const { return m_api.urlOf(starts ? kStartInstance : kStopInstance); }

private:
    std::string m_project;
    NebiusApi m_api;
};

// Whether this error of perHour() means that the calculator has no price of such an instance, which says nothing about
// others.
bool isWithoutPrice(const base::Error &error);

// Of the settings of the kind `nebius`. Fails with InvalidConfig (no project, a wrong url, no token).
[[nodiscard]] base::Result<std::unique_ptr<ProjectCalls>>
makeProjectCalls(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client, const Tuning &tuning = {});

} // namespace gpuledger::nebius
