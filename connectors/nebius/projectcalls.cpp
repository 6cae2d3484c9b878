// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/projectcalls.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <nebius.pb.h>

#include <algorithm>
#include <random>
#include <set>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::int64_t kItemsOfPage = 100;
constexpr std::size_t kMostPages = 1000;
constexpr std::size_t kLongestProject = 100; // bytes
constexpr int kStopOnPreemption = 1, kHours = 2; // PreemptionPolicy, FilterAggregationUnitValue
constexpr const char *kCreateInstanceType = "type.googleapis.com/nebius.compute.v1.CreateInstanceRequest";

template <typename Reply>
Result<Reply> askFor(NebiusApi &api, const Method &method, const google::protobuf::MessageLite &request,
                     const std::stop_token &stop)
{
    const auto message = api.ask(method, request.SerializeAsString(), stop);
    GPULEDGER_TRY(message);
    Reply reply;
    if (!reply.ParseFromString(*message))
        return base::fail(ErrorCode::Parse, "the answer to " + method.right() + " can't be read",
                          base::Remedy::NextSyncTriesAgain);
    return reply;
}

// Asks for all pages: `ask` for the page with this token, which gives the token of the next one.
Result<void> turnPages(const Method &method, const std::function<Result<std::string>(const std::string &)> &ask)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        auto next = ask(token);
        GPULEDGER_TRY(next);
        if (next->empty())
            return {};
        token = std::move(*next);
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of " + method.right() + " go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostPages)
            return base::fail(ErrorCode::TooMuch,
                              method.right() + " has more than " + std::to_string(kMostPages) + " pages");
    }
}

wire::ListInstances listOf(const std::string &project, std::int64_t most)
{
    wire::ListInstances request;
    request.set_parent_id(project);
    request.set_page_size(most);
    return request;
}

// Version 4 of a UUID, by which Nebius knows a request that arrives twice.
std::string newRequestId()
{
    constexpr std::string_view kHex = "0123456789abcdef", kForm = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
    std::random_device device;
    std::string id(kForm);
    for (char &c : id) {
        if (c == 'x')
            c = kHex[device() % kHex.size()];
    }
    return id;
}

std::string lowerAscii(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

bool isProjectId(const std::string &text)
{
    return !text.empty() && text.size() <= kLongestProject && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
}

auto wrongSource(const model::SourceSettings &settings, const std::string &what, base::Hint hint)
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what, std::move(hint))
            .withSource(settings.name));
}

} // namespace

ProjectCalls::ProjectCalls(const model::SourceSettings &settings, std::string project, std::string address,
                           ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client,
                           const base::Clock &realClock, const Tuning &tuning)
    : m_project(std::move(project))
    , m_api(settings, std::move(address), secrets, std::move(client), realClock, tuning)
{
}

Result<void> ProjectCalls::eachPage(const TakePage &take, const std::stop_token &stop)
{
    return turnPages(kListInstances, [&](const std::string &token) -> Result<std::string> {
        wire::ListInstances request = listOf(m_project, kItemsOfPage);
        request.set_page_token(token);
        const auto page = askFor<wire::Instances>(m_api, kListInstances, request, stop);
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(take(*page));
        return page->next_page_token();
    });
}

Result<void> ProjectCalls::askList(const std::stop_token &stop)
{
    const auto page = askFor<wire::Instances>(m_api, kListInstances, listOf(m_project, 1), stop);
    GPULEDGER_TRY(page);
    return {};
}

Result<wire::Instance> ProjectCalls::instance(const std::string &id, const std::stop_token &stop)
{
    wire::ById request;
    request.set_id(id);
    auto one = askFor<wire::Instance>(m_api, kGetInstance, request, stop);
    GPULEDGER_TRY(one);
    if (one->metadata().id() != id || one->metadata().parent_id() != m_project)
        return base::fail(ErrorCode::Parse, "Nebius described another instance than the one that was asked");
    return one;
}

Result<std::vector<wire::Platform>> ProjectCalls::platforms(const std::stop_token &stop)
{
    std::vector<wire::Platform> all;
    GPULEDGER_TRY(turnPages(kListPlatforms, [&](const std::string &token) -> Result<std::string> {
        wire::ListPlatforms request;
        request.set_parent_id(m_project);
        request.set_page_size(kItemsOfPage);
        request.set_page_token(token);
        auto page = askFor<wire::Platforms>(m_api, kListPlatforms, request, stop);
        GPULEDGER_TRY(page);
        for (wire::Platform &one : *page->mutable_items())
            all.push_back(std::move(one));
        return page->next_page_token();
    }));
    return all;
}

Result<std::string> ProjectCalls::region(const std::stop_token &stop)
{
    wire::ById request;
    request.set_id(m_project);
    const auto project = askFor<wire::Project>(m_api, kGetProject, request, stop);
    if (!project && (project.error().code == ErrorCode::Forbidden || project.error().code == ErrorCode::NotFound))
        return std::string();
    GPULEDGER_TRY(project);
    return base::printable(project->spec().region(), kLongestProject);
}

Result<base::Money> ProjectCalls::perHour(const std::string &platform, const std::string &preset, bool isPreemptible,
                                          const std::stop_token &stop)
{
    wire::CreateInstance planned;
    planned.mutable_metadata()->set_parent_id(m_project);
    planned.mutable_spec()->mutable_resources()->set_platform(platform);
    planned.mutable_spec()->mutable_resources()->set_preset(preset);
    if (isPreemptible)
        planned.mutable_spec()->mutable_preemptible()->set_on_preemption(kStopOnPreemption);
    const base::Currency usd = base::Currency::usd();
    wire::Estimate request;
    wire::Any &spec = *request.add_resource_specs()->mutable_spec();
    spec.set_type_url(kCreateInstanceType);
    spec.set_value(planned.SerializeAsString());
    request.set_currency(lowerAscii(std::string(usd.code())));
    request.mutable_filter_aggregation_unit()->add_units(kHours);
    const auto told = askFor<wire::Estimated>(m_api, kEstimatePrice, request, stop);
    GPULEDGER_TRY(told);
    const auto unsupported = [](const char *what) {
        return base::fail(ErrorCode::Unsupported, std::string("the calculator's prices can't be used: ") + what);
    };
    if (lowerAscii(told->currency()) != request.currency())
        return unsupported("they are in another currency than the one asked for");
    for (const wire::TotalCost &cost : told->total_costs()) {
        const std::string unit = lowerAscii(cost.aggregation_unit().unit());
        if (unit.starts_with("hour") && cost.has_general())
            return base::Money::parse(cost.general().total().cost(), usd);
    }
    return unsupported("they are not told for an hour");
}

bool isWithoutPrice(const base::Error &error)
{
    return error.code == ErrorCode::NotFound || (error.code == ErrorCode::Server && !error.retryable);
}

Result<http::Response> ProjectCalls::change(const std::string &id, bool starts, const std::stop_token &stop)
{
    wire::ById request;
    request.set_id(id);
    return m_api.change(starts ? kStartInstance : kStopInstance, request.SerializeAsString(), newRequestId(), stop);
}

Result<std::unique_ptr<ProjectCalls>> makeProjectCalls(const model::SourceSettings &settings,
                                                       ports::SecretStore &secrets, const base::Clock &realClock,
                                                       std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
{
    const auto project = settings.options.find("project");
    if (project == settings.options.end() || !isProjectId(project->second))
        return wrongSource(settings, "has a project that is not the id of one",
                           "set project of " + settings.name + " to its id, as nebius iam project list shows it");
    if (settings.auth.kind != model::AuthSettings::Kind::Bearer || !settings.auth.header.empty())
        return wrongSource(settings, "has no access that Nebius accepts", base::Remedy::UseNebiusCredential);
    std::string address = settings.url;
    if (!address.empty())
        GPULEDGER_TRY(http::parseUrl(address));
    while (address.ends_with('/'))
        address.pop_back();
    return std::make_unique<ProjectCalls>(settings, project->second, std::move(address), secrets, std::move(client),
                                          realClock, tuning);
}

} // namespace gpuledger::nebius
