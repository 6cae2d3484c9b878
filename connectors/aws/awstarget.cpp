// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/awstarget.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

template <typename T> Result<T> named(Result<T> result, const std::string &source)
{
    if (!result)
        return base::fail(std::move(result).error().withSource(source));
    return result;
}

// An endpoint, training job or app: the list of machines has them, and they may be idle.
bool isOtherSageMaker(const std::string &id)
{
    return id.starts_with("arn:") && id.find(":sagemaker:") != std::string::npos && !Notebooks::isArn(id);
}

bool isNotebook(const model::TargetRef &ref)
{
    return ref.kind == kNotebookKind;
}

Result<void> checkKind(const model::TargetRef &ref)
{
    if (ref.kind == kInstanceKind || isNotebook(ref))
        return {};
    return base::fail(ErrorCode::NotFound, "AWS has no resources of kind " + base::printable(ref.kind, 60));
}

} // namespace

Place placeOf(const model::SourceSettings &settings, const Tuning &tuning)
{
    Place place;
    place.region = settings.auth.region;
    place.url = settings.url;
    place.caFile = settings.caFile;
    place.headers.assign(settings.headers.begin(), settings.headers.end());
    place.timeouts = tuning.timeouts;
    return place;
}

Place billingPlaceOf(const model::SourceSettings &settings, const Tuning &tuning)
{
    Place place = placeOf(settings, tuning);
    const std::string partition = partitionOf(place.region);
    place.region = partition == "aws-cn" ? "cn-northwest-1" : partition == "aws-us-gov" ? "us-gov-west-1" : "us-east-1";
    return place;
}

Result<void> checkAwsSettings(const model::SourceSettings &settings)
{
    const auto wrong = [&](const std::string &what) {
        return base::fail(base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what,
                                            base::Remedy::AddSigV4Auth)
                              .withSource(settings.name));
    };
    if (settings.auth.kind != model::AuthSettings::Kind::SigV4)
        return wrong("connects to AWS, which accepts only signed requests");
    if (!isRegion(settings.auth.region))
        return wrong("has no AWS region");
    if (!settings.url.empty())
        GPULEDGER_TRY(http::parseUrl(settings.url));
    return {};
}

AwsTarget::AwsTarget(const model::SourceSettings &settings, const base::Clock &clock,
                     std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_source(settings.name)
    , m_cluster(settings.cluster)
    , m_region(settings.auth.region)
    , m_mayStop(settings.mayStop)
    , m_api(Wire(std::move(client), clock, placeOf(settings, tuning)), settings.auth.profile,
            std::move(tuning.surroundings), tuning.retries, tuning.pause)
    , m_instances(m_api, m_source, m_cluster)
    , m_notebooks(m_api, m_source, m_cluster)
{
}

// Queries an instance that cannot exist: the answer shows whether instances may be described.
Result<ports::ProbeReport> AwsTarget::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    model::HolderKey nobody;
    nobody.instanceId = "i-00000000000000000";
    const auto found = find(nobody, stop);
    if (!found && found.error().code != base::ErrorCode::NotFound)
        return base::fail(found.error());
    ports::ProbeReport report;
    report.product = "AWS " + m_region;
    report.usable = true;
    report.findings.push_back({Level::Good, ports::FindingText::PlatformAnswers, {report.product}, {}, {}});
    report.findings.push_back({Level::Good, ports::FindingText::RightsPerMachine, {}, {}, {}});
    if (!m_mayStop)
        report.findings.push_back(
            {Level::Missing, ports::FindingText::ReadsOnly, {}, ports::FindingRemedy::AllowStop, {}});
    return report;
}

Result<model::TargetState> AwsTarget::find(const model::HolderKey &holder, std::stop_token stop)
{
    if (isOtherSageMaker(holder.instanceId))
        return base::fail(base::ErrorCode::Refused,
                          "only notebook instances of SageMaker are stopped, no endpoints, training jobs or apps");
    return named(Notebooks::isArn(holder.instanceId) ? m_notebooks.find(holder, stop) : m_instances.find(holder, stop),
                 m_source);
}

Result<model::TargetState> AwsTarget::read(const model::TargetRef &target, std::stop_token stop)
{
    GPULEDGER_TRY(checkKind(target));
    return named(isNotebook(target) ? m_notebooks.read(target, stop) : m_instances.read(target, stop), m_source);
}

Result<ports::Permission> AwsTarget::permission(const model::TargetState &target, bool undo, std::stop_token stop)
{
    GPULEDGER_TRY(checkKind(target.ref));
    return named(isNotebook(target.ref) ? m_notebooks.permission() : m_instances.permission(target, undo, stop),
                 m_source);
}

Result<ports::Rehearsal> AwsTarget::rehearse(const model::TargetState &target, const model::StopMark &,
                                             std::stop_token stop)
{
    GPULEDGER_TRY(checkKind(target.ref));
    return named(isNotebook(target.ref) ? m_notebooks.rehearse(target, stop) : m_instances.rehearse(target, stop),
                 m_source);
}

ports::WriteOutcome AwsTarget::stop(const model::TargetState &target, const model::StopMark &mark, std::stop_token stop)
{
    if (auto known = checkKind(target.ref); !known)
        return notSent(known.error());
    return isNotebook(target.ref) ? m_notebooks.stop(target, mark, stop) : m_instances.stop(target, mark, stop);
}

ports::WriteOutcome AwsTarget::undo(const model::TargetState &target, const model::StopMark &mark, const std::string &,
                                    std::stop_token stop)
{
    if (auto known = checkKind(target.ref); !known)
        return notSent(known.error());
    return isNotebook(target.ref) ? m_notebooks.undo(target, mark, stop) : m_instances.undo(target, mark, stop);
}

Result<std::unique_ptr<ports::ActionTarget>>
makeAwsTarget(const model::SourceSettings &settings, const base::Clock &clock, std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkAwsSettings(settings));
    return std::make_unique<AwsTarget>(settings, clock, std::move(client));
}

} // namespace gpuledger::aws
