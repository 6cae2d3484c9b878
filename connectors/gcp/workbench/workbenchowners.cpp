// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/workbench/workbenchowners.h"

#include "app/base/remedy.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/refusal.h"
#include "connectors/gcp/serviceaddress.h"
#include "connectors/http/url.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

// The API accepts no narrower scope.
constexpr const char *kNotebooksScope = "https://www.googleapis.com/auth/cloud-platform";
constexpr int kWorkbenchesOfPage = 500;
constexpr std::size_t kMostWorkbenchPages = 1000;
constexpr std::size_t kShownLocations = 5;

// NotFound: the project, or an address of its own, does not have the service. Forbidden: a right or an access scope is
// missing.
std::optional<base::Error> workbenchRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error || error->retryable)
        return error;
    error->hint.clear(); // it is about BigQuery
    const auto names = [&](const char *words) { return error->text.find(words) != std::string::npos; };
    if (response.status == 403)
        error->code =
            names("SERVICE_DISABLED") || names("accessNotConfigured") ? ErrorCode::NotFound : ErrorCode::Forbidden;
    return error;
}

bool isWithheld(const base::Error &error)
{
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Forbidden;
}

// "us-east1-b, us-west1-a and 3 more"
std::string shownLocations(const std::set<std::string> &locations)
{
    std::string text;
    std::size_t shown = 0;
    for (const std::string &one : locations) {
        if (shown == kShownLocations)
            return text + " and " + std::to_string(locations.size() - shown) + " more";
        text += (text.empty() ? "" : ", ") + one;
        ++shown;
    }
    return text;
}

} // namespace

std::string KnownOwners::of(const std::string &machine) const
{
    const auto at = owners.find(workbenchKey(machine));
    return at == owners.end() ? std::string() : at->second;
}

WorkbenchOwners::WorkbenchOwners(const model::SourceSettings &settings, const std::string &project,
                                 const std::string &address, ports::SecretStore &secrets,
                                 std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
                                 const Tuning &tuning)
    : m_url(address + "/v2/projects/" + project + "/locations/-/instances?")
    , m_api(settings, {"Vertex AI Workbench", address, kNotebooksScope, workbenchRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

Result<nlohmann::json> WorkbenchOwners::ask(int most, const std::string &pageToken, const std::stop_token &stop)
{
    http::Parameters parameters{{"pageSize", std::to_string(most)}};
    if (!pageToken.empty())
        parameters.emplace_back("pageToken", pageToken);
    return m_api.ask(m_url + http::formEncode(parameters), {}, stop);
}

Result<void> WorkbenchOwners::readPages(WorkbenchPage &out, const std::stop_token &stop)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = ask(kWorkbenchesOfPage, token, stop);
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(addWorkbenchPage(*page, out));
        if (!out.next)
            return base::fail(ErrorCode::Parse, "a page of Vertex AI Workbench has a next one that can't be asked for",
                              base::Remedy::NextSyncTriesAgain);
        token = *out.next;
        if (token.empty())
            return {};
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Vertex AI Workbench's instances go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostWorkbenchPages)
            return base::fail(ErrorCode::TooMuch,
                              "Vertex AI Workbench has more than " + std::to_string(kMostWorkbenchPages)
                                  + " pages of instances");
    }
}

Result<KnownOwners> WorkbenchOwners::read(const std::stop_token &stop)
{
    WorkbenchPage all;
    const auto read = readPages(all, stop);
    if (!read && read.error().code == ErrorCode::Cancelled)
        return base::fail(read.error());
    KnownOwners out{std::move(all.owners), {}};
    const std::string unknown =
        std::string("owners of ") + (out.owners.empty() ? "" : "some ") + "Workbench instances are not known: ";
    if (!read && !isWithheld(read.error()))
        out.warnings.push_back(unknown + read.error().text);
    if (all.unreadable > 0)
        out.warnings.push_back(unknown + "entries of their list that can't be read: " + std::to_string(all.unreadable));
    if (!all.silent.empty())
        out.warnings.push_back(unknown + "locations that did not answer: " + shownLocations(all.silent));
    return out;
}

Result<std::vector<ports::Finding>> WorkbenchOwners::probe(const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    const auto page = ask(1, {}, stop);
    if (page)
        return std::vector{
            ports::Finding{Level::Good, ports::FindingText::RightGiven, {std::string(kWorkbenchRight)}, {}, {}}};
    if (page.error().code == ErrorCode::Cancelled)
        return base::fail(page.error());
    if (page.error().code == ErrorCode::NotFound)
        return std::vector<ports::Finding>();
    const std::string why = page.error().code == ErrorCode::Forbidden
        ? std::string("it needs the right ") + kWorkbenchRight
        : page.error().text;
    return std::vector{ports::Finding{
        Level::Missing, ports::FindingText::OwnersUnread, {std::string("Workbench machines"), why}, {}, {}}};
}

Result<std::unique_ptr<WorkbenchOwners>> makeWorkbenchOwners(const model::SourceSettings &settings,
                                                             ports::SecretStore &secrets, const base::Clock &realClock,
                                                             std::shared_ptr<http::HttpClient> client,
                                                             const Tuning &tuning)
{
    const auto project = projectOf(settings);
    GPULEDGER_TRY(project);
    GPULEDGER_TRY(checkGoogleAccess(settings));
    const auto address = serviceAddress(settings.url, "notebooks");
    GPULEDGER_TRY(address);
    return std::make_unique<WorkbenchOwners>(settings, *project, *address, secrets, std::move(client), realClock,
                                             tuning);
}

} // namespace gpuledger::gcp
