// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computetarget.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/format/json.h"
#include "connectors/gcp/compute/instancepage.h"
#include "connectors/gcp/compute/instancestate.h"

#include <algorithm>
#include <map>
#include <random>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::TargetState;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr const char *kStopRight = "compute.instances.stop", *kStartRight = "compute.instances.start";

// Version 4 of a UUID, by which Google knows a request that arrives twice.
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

std::string lowerName(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

// By zone and name, by name, or by its own host name with or without its domain.
bool bears(const Json &instance, const std::string &zone, const std::string &wanted)
{
    const std::string name = format::textOf(instance, "name"), host = lowerName(format::textOf(instance, "hostname"));
    return wanted == zone + '/' + name || wanted == name
        || (!host.empty() && (wanted == host || wanted == host.substr(0, host.find('.'))));
}

} // namespace

ComputeTarget::ComputeTarget(const model::SourceSettings &settings, std::unique_ptr<ComputeApi> api,
                             const base::Clock &clock, std::shared_ptr<http::Pause> pause)
    : MachineTarget(settings, "Google Cloud", clock, std::move(pause))
    , m_api(std::move(api))
{
}

Result<model::TargetRef> ComputeTarget::named(const std::string &name, const std::stop_token &stop)
{
    const std::string wanted = lowerName(name);
    std::map<std::string, model::TargetRef> found; // by zone and name
    bool isWhole = true;
    GPULEDGER_TRY(m_api->eachPage(
        [&](const Json &page) -> Result<void> {
            const Json &zones = format::memberOf(page, "items"), &silent = format::memberOf(page, "unreachables");
            isWhole = isWhole && (!silent.is_array() || silent.empty());
            if (!zones.is_object() && !zones.is_null())
                return base::fail(ErrorCode::Parse, "Compute Engine's answer is no list of zones");
            for (const auto &[key, zone] : zones.items()) {
                const Json &instances = format::memberOf(zone, "instances");
                for (std::size_t i = 0; instances.is_array() && i < instances.size(); ++i) {
                    if (!bears(instances[i], lastOf(key), wanted))
                        continue;
                    model::TargetRef ref;
                    ref.nameSpace = lastOf(key);
                    ref.name = format::textOf(instances[i], "name");
                    found[model::fullNameOf(ref)] = ref;
                }
            }
            return {};
        },
        stop));
    if (!isWhole)
        return base::fail(ErrorCode::Refused,
                          "not all zones answered: another machine may have the name " + base::printable(name, 100));
    if (found.size() == 1)
        return found.begin()->second;
    return auth::noneOrSeveral(found.size(), name);
}

Result<TargetState> ComputeTarget::describe(const model::TargetRef &target, Detail, const std::stop_token &stop)
{
    const auto instance = m_api->ask(target.nameSpace, target.name, {}, {}, stop);
    GPULEDGER_TRY(instance);
    const auto view = instanceIn(*instance);
    GPULEDGER_TRY(view);
    if (view->zone != target.nameSpace || view->name != target.name)
        return base::fail(ErrorCode::Parse, "Compute Engine described another machine than the one that was asked");
    return stateOf(*view, m_api->project());
}

Result<ports::Permission> ComputeTarget::permission(const TargetState &target, bool undo, std::stop_token stop)
{
    const std::string right = undo ? kStartRight : kStopRight;
    const auto answer = m_api->ask(target.ref.nameSpace, target.ref.name, "/testIamPermissions",
                                   Json{{"permissions", {right}}}.dump(), stop);
    GPULEDGER_TRY(answer);
    ports::Permission out;
    out.isAllowed = hasPermission(*answer, right);
    if (!out.isAllowed)
        out.missing = right + " on " + model::fullNameOf(target.ref);
    return out;
}

WriteOutcome ComputeTarget::change(const TargetState &target, bool starts, const std::stop_token &stop)
{
    std::string call = (starts ? "/start?requestId=" : "/stop?requestId=") + newRequestId();
    const auto &losses = target.losses;
    const bool hasLocalDisk = std::find(losses.begin(), losses.end(), model::Loss::LocalDisk) != losses.end();
    if (!starts && hasLocalDisk)
        call += "&discardLocalSsd=true"; // without it, Google refuses
    const auto response = m_api->change(target.ref.nameSpace, target.ref.name, call, stop);
    if (!response)
        return auth::unanswered(response.error());
    WriteOutcome out;
    out.retryAfter = response->retryAfter;
    if (const auto error = computeRefusalOf(*response, m_api->address())) {
        out.text = error->text;
        out.kind = error->code == ErrorCode::RateLimited ? Ended::TryLater : auth::endedBy(response->status);
        return out;
    }
    const auto operation = format::parseJson(response->body);
    if (!operation || format::textOf(*operation, "name").empty()) {
        out.text = "Compute Engine's answer names no operation";
        return out; // unknown
    }
    out.text = failureOf(*operation);
    out.kind = out.text.empty() ? Ended::Done : Ended::Refused;
    out.receipt = base::printable(format::textOf(*operation, "name"), 100);
    return out;
}

Result<std::unique_ptr<ports::ActionTarget>> makeComputeTarget(const model::SourceSettings &settings,
                                                               ports::SecretStore &secrets,
                                                               const base::Clock &realClock,
                                                               std::shared_ptr<http::HttpClient> client)
{
    Tuning tuning;
    tuning.failures = {.maxTries = 4,
                       .firstDelay = http::Milliseconds{500},
                       .maxDelay = http::Milliseconds{8'000},
                       .budget = http::Milliseconds{20'000}};
    auto api = makeComputeApi(settings, kChangeScope, secrets, realClock, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<ComputeTarget>(settings, std::move(*api), realClock, tuning.pause);
}

} // namespace gpuledger::gcp
