// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/sagemaker/sagemakermachines.h"

#include "connectors/aws/sagemaker/endpointvariants.h"
#include "connectors/aws/sagemaker/sagemakerlisting.h"
#include "connectors/aws/sagemaker/trainingrun.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr char kUnreachableSageMaker[] = "SageMaker can't be reached";
constexpr char kFailedSageMaker[] = "machines of SageMaker are left out";
constexpr base::Seconds kTrainingTold{6 * 3600}; // after its end
// A job changes when it ends, so this reaches further back than any end that is told.
constexpr base::Seconds kTrainingChanged{2 * 86400};
// SageMaker ends a job after 30 days, it may wait for its machines for 28, and a training plan may begin 8 weeks after
// it was bought. Without a limit every job that there ever was would be paged through.
constexpr base::Seconds kLongestTraining{120 * 86400};

using Things = std::vector<Json>;
using Types = std::set<std::string>;

std::string unreadableThing(std::string_view thing)
{
    return std::string(thing) + " that can't be read";
}

// The ARN of a thing that is told for the first time; empty: it is known, or can't be read, which is counted.
std::string newArnIn(const Json &told, const char *key, std::string_view thing, SageMakerListing &listing)
{
    std::string arn = format::textOf(told, key);
    if (!isSageMakerArn(arn)) {
        listing.leaveOut(unreadableThing(thing));
        return {};
    }
    return listing.isNew(arn) ? arn : std::string();
}

Result<void> addNotebooks(const Things &told, SageMakerListing &listing)
{
    std::vector<SageMakerMachine> notebooks;
    Types types;
    for (const Json &one : told) {
        const std::string status = format::textOf(one, "NotebookInstanceStatus");
        // One that is being stopped is still billed.
        if (!status.empty() && status != "InService" && status != "Stopping")
            continue;
        SageMakerMachine machine{kNotebookThing, {}, {}, format::textOf(one, "InstanceType")};
        if (status.empty() || machine.type.empty()) {
            listing.leaveOut(unreadableThing(kNotebookThing));
            continue;
        }
        machine.id = machine.arn = newArnIn(one, "NotebookInstanceArn", kNotebookThing, listing);
        machine.since = instantIn(one, "LastModifiedTime"); // a start modifies it
        types.insert(machine.type);
        if (!machine.arn.empty())
            notebooks.push_back(std::move(machine));
    }
    GPULEDGER_TRY(listing.learn(types));
    for (const SageMakerMachine &machine : notebooks)
        GPULEDGER_TRY(listing.add(machine));
    return {};
}

struct TypedEndpoint {
    std::string name, arn;
    EndpointVariants told;
};

// Null if it was deleted, as it may be while endpoints have it, or may not be described.
Result<Json> configOf(const std::string &name, SageMakerListing &listing)
{
    auto config = listing.api().describe("DescribeEndpointConfig", {{"EndpointConfigName", name}}, listing.stop());
    if (config || config.error().code != ErrorCode::Forbidden)
        return config;
    listing.warn("some endpoints of SageMaker are left out", config.error());
    return Json();
}

// Of an endpoint that runs; empty if nothing can be told of it, which is counted.
Result<EndpointVariants> variantsOf(const std::string &name, std::map<std::string, Json> &configs,
                                    SageMakerListing &listing)
{
    const auto endpoint = listing.describe(kEndpointThing, "DescribeEndpoint", {{"EndpointName", name}});
    GPULEDGER_TRY(endpoint);
    EndpointVariants none;
    if (endpoint->is_null())
        return none;
    const std::string configName = format::textOf(*endpoint, "EndpointConfigName");
    if (configName.empty()) {
        listing.leaveOut(kUnreadableEndpoint);
        return none;
    }
    if (!configs.contains(configName)) {
        auto config = configOf(configName, listing);
        GPULEDGER_TRY(config);
        configs[configName] = std::move(*config);
    }
    EndpointVariants told = variantsIn(*endpoint, configs.at(configName));
    for (const std::string_view reason : told.leftOut)
        listing.leaveOut(reason);
    return told;
}

Result<void> addVariants(const TypedEndpoint &endpoint, SageMakerListing &listing)
{
    const auto hasGpus = [&](const EndpointVariant &one) { return listing.hasGpus(one.type); };
    const std::vector<EndpointVariant> &variants = endpoint.told.variants;
    const bool isOne = std::count_if(variants.begin(), variants.end(), hasGpus) == 1;
    for (const EndpointVariant &variant : variants) {
        SageMakerMachine machine{kEndpointThing, endpoint.arn, endpoint.arn, variant.type, variant.instances};
        if (!isOne)
            machine.id += '/' + variant.name;
        SageMakerMeter &meter = machine.meter.emplace();
        meter.endpoint = endpoint.name;
        meter.variant = variant.name;
        meter.from = endpoint.told.since;
        GPULEDGER_TRY(listing.add(machine));
    }
    return {};
}

bool isEndpointOn(const std::string &status)
{
    return status == "InService" || status == "Updating" || status == "SystemUpdating" || status == "RollingBack";
}

Result<void> addEndpoints(const Things &things, SageMakerListing &listing)
{
    std::vector<TypedEndpoint> endpoints;
    std::map<std::string, Json> configs; // by name
    Types types;
    for (const Json &one : things) {
        const std::string status = format::textOf(one, "EndpointStatus"), name = format::textOf(one, "EndpointName");
        if (status == "UpdateRollbackFailed") // it serves with a part of each
            listing.leaveOut("endpoint between two configurations");
        else if (status.empty() || (isEndpointOn(status) && name.empty()))
            listing.leaveOut(kUnreadableEndpoint);
        if (!isEndpointOn(status) || name.empty())
            continue;
        TypedEndpoint endpoint{name, newArnIn(one, "EndpointArn", kEndpointThing, listing), {}};
        if (endpoint.arn.empty())
            continue;
        auto told = variantsOf(name, configs, listing);
        GPULEDGER_TRY(told);
        endpoint.told = std::move(*told);
        for (const EndpointVariant &variant : endpoint.told.variants)
            types.insert(variant.type);
        endpoints.push_back(std::move(endpoint));
    }
    GPULEDGER_TRY(listing.learn(types));
    for (const TypedEndpoint &endpoint : endpoints)
        GPULEDGER_TRY(addVariants(endpoint, listing));
    return {};
}

struct ToldTraining {
    std::string name, arn;
    TrainingRun run;
};

// The runs that go on or ended a short time ago.
Result<std::vector<ToldTraining>> trainingsIn(const Things &told, SageMakerListing &listing)
{
    const base::UtcTime earliest = listing.api().now() - kTrainingTold;
    std::vector<ToldTraining> out;
    for (const Json &one : told) {
        const TrainingAnswer may = mayRun(one, earliest);
        const std::string name = format::textOf(one, "TrainingJobName");
        if (may == TrainingAnswer::Unreadable || (may == TrainingAnswer::Run && name.empty()))
            listing.leaveOut(unreadableThing(kTrainingThing));
        if (may != TrainingAnswer::Run || name.empty())
            continue;
        ToldTraining training{name, newArnIn(one, "TrainingJobArn", kTrainingThing, listing), {}};
        if (training.arn.empty())
            continue;
        const auto job = listing.describe(kTrainingThing, "DescribeTrainingJob", {{"TrainingJobName", name}});
        GPULEDGER_TRY(job);
        const TrainingAnswer answer =
            job->is_null() ? TrainingAnswer::NoRun : readTraining(*job, earliest, training.run);
        if (answer == TrainingAnswer::Unreadable)
            listing.leaveOut(unreadableThing(kTrainingThing));
        else if (answer == TrainingAnswer::Run)
            out.push_back(std::move(training));
    }
    return out;
}

Result<void> addTraining(const ToldTraining &training, SageMakerListing &listing)
{
    SageMakerMachine machine{kTrainingThing, training.arn, training.arn, {}, 0};
    machine.since = training.run.since;
    machine.until = training.run.until;
    machine.isSpot = training.run.isSpot;
    machine.meter.emplace().trainingJob = training.name;
    for (const TrainingMachines &some : training.run.machines) {
        if (!listing.hasGpus(some.type)) {
            machine.meter.reset(); // nobody says which of its hosts have the GPUs
            continue;
        }
        if (!machine.type.empty() && machine.type != some.type) {
            listing.leaveOut("training job with several types of machines");
            return {};
        }
        machine.type = some.type;
        machine.instances += some.instances;
    }
    return listing.add(machine);
}

Result<void> addTrainings(const Things &told, SageMakerListing &listing)
{
    const auto trainings = trainingsIn(told, listing);
    GPULEDGER_TRY(trainings);
    Types types;
    for (const ToldTraining &training : *trainings) {
        for (const TrainingMachines &some : training.run.machines)
            types.insert(some.type);
    }
    GPULEDGER_TRY(listing.learn(types));
    for (const ToldTraining &training : *trainings)
        GPULEDGER_TRY(addTraining(training, listing));
    return {};
}

std::string appType(const Json &app)
{
    return format::textOf(format::memberOf(app, "ResourceSpec"), "InstanceType");
}

// What names an app to DescribeApp; null: something is missing.
Json appKey(const Json &app)
{
    Json key = Json::object();
    for (const char *part : {"DomainId", "AppType", "AppName"})
        key[part] = format::textOf(app, part);
    const char *owner = format::textOf(app, "SpaceName").empty() ? "UserProfileName" : "SpaceName";
    key[owner] = format::textOf(app, owner);
    return std::any_of(key.begin(), key.end(), [](const Json &part) { return part == ""; }) ? Json() : key;
}

// As SageMaker writes it, with the type in lower case; empty: the account is not known.
std::string derivedArn(const Json &key, const SageMakerListing &listing)
{
    if (listing.account().empty())
        return {};
    std::string type = format::textOf(key, "AppType");
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const std::string owner = format::textOf(key, key.contains("SpaceName") ? "SpaceName" : "UserProfileName");
    std::string arn = "arn:" + partitionOf(listing.region()) + ":sagemaker:" + listing.region() + ':'
        + listing.account() + ":app/" + format::textOf(key, "DomainId") + '/' + owner + '/' + type + '/'
        + format::textOf(key, "AppName");
    return isSageMakerArn(arn) ? arn : std::string();
}

Result<void> addApp(const Json &app, SageMakerListing &listing)
{
    const Json key = appKey(app);
    if (key.is_null()) {
        listing.leaveOut(unreadableThing(kAppThing));
        return {};
    }
    const auto told = listing.api().describe("DescribeApp", key, listing.stop());
    if (!told && told.error().code != ErrorCode::Forbidden)
        return base::fail(told.error());
    if (!told)
        listing.warn("some Studio apps of SageMaker are listed without their tags", told.error());
    else if (told->is_null() || format::textOf(*told, "Status") == "Deleted")
        return {}; // since it was listed
    SageMakerMachine machine{kAppThing, {}, told ? format::textOf(*told, "AppArn") : std::string(), appType(app)};
    machine.hasKnownArn = isSageMakerArn(machine.arn);
    if (!machine.hasKnownArn)
        machine.arn = derivedArn(key, listing);
    machine.id = machine.arn;
    machine.since = instantIn(app, "CreationTime");
    if (!machine.arn.empty())
        return listing.add(machine);
    listing.leaveOut("Studio app whose ARN is not known");
    return {};
}

Result<void> addApps(const Things &told, SageMakerListing &listing)
{
    Types types;
    Things apps;
    for (const Json &one : told) {
        const std::string status = format::textOf(one, "Status");
        if (status.empty())
            listing.leaveOut(unreadableThing(kAppThing));
        if (status != "InService" || appType(one).empty()) // some have no machine
            continue;
        types.insert(appType(one));
        apps.push_back(one);
    }
    GPULEDGER_TRY(listing.learn(types));
    for (const Json &one : apps) {
        if (listing.hasGpus(appType(one)))
            GPULEDGER_TRY(addApp(one, listing));
    }
    return {};
}

// What SageMaker lists separately.
struct SageMakerPart {
    SageMakerList list;
    const char *name = nullptr; // of what is left out without the right
    Result<void> (*add)(const Things &told, SageMakerListing &listing) = nullptr;
};

// Apps come last: their ARN may need the account in that of another thing.
constexpr std::array<SageMakerPart, 4> kSageMakerParts{
    {{{"ListNotebookInstances", "NotebookInstances"}, "notebooks", addNotebooks},
     {{"ListEndpoints", "Endpoints"}, "endpoints", addEndpoints},
     {{"ListTrainingJobs", "TrainingJobSummaries"}, "training jobs", addTrainings},
     {{"ListApps", "Apps"}, "Studio apps", addApps}}};

// The questions that a list is asked. SageMaker cuts the list into pages before it filters by status, so most pages of
// the second one about training are empty.
std::vector<Json> questionsFor(const SageMakerPart &part, base::UtcTime now)
{
    if (part.add != addTrainings)
        return {Json::object()};
    return {{{"LastModifiedTimeAfter", base::toUnix(now - kTrainingChanged)}},
            {{"StatusEquals", "InProgress"}, {"CreationTimeAfter", base::toUnix(now - kLongestTraining)}}};
}

Result<Things> thingsOf(const SageMakerPart &part, SageMakerApi &api, const std::stop_token &stop)
{
    Things out;
    for (const Json &question : questionsFor(part, api.now())) {
        auto some = api.list(part.list, question, stop);
        GPULEDGER_TRY(some);
        std::move(some->begin(), some->end(), std::back_inserter(out));
    }
    return out;
}

bool isUnreachable(const base::Error &error, const SageMakerApi &api)
{
    return error.code == ErrorCode::Network && !api.isReached();
}

// Private stacks lack the actions of Studio.
bool hasNoApps(const base::Error &error, const SageMakerPart &part)
{
    return part.add == addApps && isUnknownAction(error, part.list);
}

} // namespace

SageMakerMachines::SageMakerMachines(AwsApi &api, std::string region)
    : m_api(api)
    , m_region(std::move(region))
{
}

Result<void> SageMakerMachines::add(GpuSizes &sizes, ports::Inventory &out, const std::stop_token &stop)
{
    SageMakerApi api(m_api);
    SageMakerListing listing(api, m_region, sizes, {out, m_meters}, stop);
    for (const SageMakerPart &part : kSageMakerParts) {
        const auto told = thingsOf(part, api, stop);
        const Result<void> added = told ? part.add(*told, listing) : Result<void>(tl::unexpected(told.error()));
        if (added || (!told && hasNoApps(told.error(), part)))
            continue;
        if (isUnreachable(added.error(), api)) { // some regions have none
            listing.warn(kUnreachableSageMaker, added.error());
            return {};
        }
        if (!told && told.error().code == ErrorCode::Forbidden) {
            listing.warn(std::string(part.name) + " of SageMaker are left out", told.error());
        } else if (out.noteFailure(kFailedSageMaker, added.error())) {
            return {}; // the others would wait as long
        } else {
            return added;
        }
    }
    return {};
}

Result<std::vector<ports::Finding>> SageMakerMachines::probe(const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    SageMakerApi api(m_api);
    std::vector<ports::Finding> findings;
    for (const SageMakerPart &part : kSageMakerParts) {
        const auto done = api.tryList(part.list, stop);
        const std::string right = "sagemaker:" + std::string(part.list.action);
        if (done) {
            findings.push_back({Level::Good, ports::FindingText::RightGiven, {right}, {}, {}});
        } else if (isUnreachable(done.error(), api)) {
            const std::string why = std::string(kUnreachableSageMaker) + ": " + done.error().text;
            findings.push_back({Level::Missing, ports::FindingText::MachinesUnread, {why}, {}, {}});
            break;
        } else if (done.error().code == ErrorCode::Forbidden) {
            findings.push_back({Level::Missing, ports::FindingText::MachinesWithheld, {right}, {}, {}});
        } else if (!hasNoApps(done.error(), part)) {
            ports::Inventory list;
            if (!list.noteFailure(kFailedSageMaker, done.error()))
                return base::fail(done.error());
            findings.push_back({Level::Missing, ports::FindingText::MachinesUnread, {list.warnings.front()}, {}, {}});
            break;
        }
    }
    return findings;
}

} // namespace gpuledger::aws
