// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/commitments/awscommitments.h"
#include "tests/unit/aws/fakeaws.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

// What Cost Explorer says of commitments, in the same process, as its API's model has it.
namespace gpuledger::tests {

inline constexpr const char *kPlans = "GetSavingsPlansUtilizationDetails", *kPlanCoverage = "GetSavingsPlansCoverage",
                            *kReservations = "GetReservationUtilization",
                            *kReservationCoverage = "GetReservationCoverage";

inline http::Response commitmentError(const std::string &code, const std::string &text = "said so", int status = 400)
{
    return answer("{\"__type\":\"com.amazonaws.ce#" + code + "\",\"Message\":\"" + text + "\"}", status);
}

// With more members, which may replace its own; written with ' in place of ".
inline std::string withMore(const std::string &own, const std::string &more)
{
    nlohmann::json one = nlohmann::json::parse(js(own));
    if (!more.empty())
        one.merge_patch(nlohmann::json::parse(js('{' + more + '}')));
    return one.dump();
}

// An EC2 Instance Savings Plan.
inline std::string plan(const std::string &more = {})
{
    return withMore("{'SavingsPlanArn':'arn:aws:savingsplans::111111111111:savingsplan/one','Attributes':{"
                    "'AccountId':'222222222222','SavingsPlansType':'EC2Instance','InstanceFamily':'p5',"
                    "'Region':'us-east-1','HourlyCommitment':'98.32','PurchaseTerm':'3yr','PaymentOption':'No Upfront',"
                    "'StartDateTime':'2025-01-01T00:00:00.000Z','EndDateTime':'2027-12-31T23:59:59.000Z'},"
                    "'Utilization':{'TotalCommitment':'70790.40','UsedCommitment':'53092.8',"
                    "'UnusedCommitment':'17697.6','UtilizationPercentage':'75'}}",
                    more);
}

// The group of a reservation, as the pages of AWS write it: keys that begin large, and numbers that are not texts.
inline std::string reserved(const std::string &more = {})
{
    return withMore("{'Key':'SUBSCRIPTION_ID','Value':'359809062','Attributes':{'AccountId':'111111111111',"
                    "'AccountName':null,'InstanceType':'p5.48xlarge','NumberOfInstances':'2','OfferingType':'Standard',"
                    "'Platform':'Linux/UNIX','Region':'us-east-1','SubscriptionId':'359809062',"
                    "'SubscriptionType':'All Upfront','LeaseId':'two','StartDateTime':'2026-01-01T00:00:00.000Z',"
                    "'EndDateTime':'2027-01-01T00:00:00.000Z'},'Utilization':{'PurchasedHours':1440,"
                    "'TotalActualHours':1080,'UtilizationPercentage':75,'RICostForUnusedHours':'9999.5'}}",
                    more);
}

inline std::string planShare(const std::string &more = {})
{
    return withMore("{'Attributes':{'INSTANCE_FAMILY':'p5'},'Coverage':{'SpendCoveredBySavingsPlans':'62',"
                    "'OnDemandCost':'38.5','TotalCost':'100.5','CoveragePercentage':'61.7'},"
                    "'TimePeriod':{'Start':'2026-10-23','End':'2026-11-22'}}",
                    more);
}

inline std::string reservedShare(const std::string &more = {})
{
    return withMore("{'Attributes':{'instanceType':'p5.48xlarge'},'Coverage':{'CoverageHours':{'OnDemandHours':'720',"
                    "'ReservedHours':'720','TotalRunningHours':'1440','CoverageHoursPercentage':'50'},"
                    "'CoverageCost':{'OnDemandCost':'70790.4'}}}",
                    more);
}

// The answer to an operation with these entries, separated by commas.
inline std::string commitmentPage(const std::string &operation, const std::string &entries,
                                  const std::string &next = {})
{
    const bool isOfPlans = operation == kPlans || operation == kPlanCoverage;
    const std::string period = "\"TimePeriod\":{\"Start\":\"2026-10-23\",\"End\":\"2026-11-22\"}";
    const std::string token = next.empty()
        ? std::string()
        : ",\"" + std::string(isOfPlans ? "NextToken" : "NextPageToken") + "\":\"" + next + '"';
    if (operation == kPlans)
        return "{\"SavingsPlansUtilizationDetails\":[" + entries + "]," + period + token + '}';
    if (operation == kPlanCoverage)
        return "{\"SavingsPlansCoverages\":[" + entries + ']' + token + '}';
    return "{\"" + std::string(operation == kReservations ? "UtilizationsByTime" : "CoveragesByTime") + "\":[{" + period
        + ",\"Groups\":[" + entries + "],\"Total\":{}}]" + token + '}';
}

// Cost Explorer. An operation is answered by `answers`, else without entries; those in `denied` may not be asked.
class FakeCommitments {
public:
    using Reply = std::function<base::Result<http::Response>(const std::string &token)>;
    std::map<std::string, Reply> answers;
    std::set<std::string> denied;
    std::vector<std::string> asked; // operations, in order of arrival
    std::vector<http::Request> requests;

    void has(const std::string &operation, const std::string &entries)
    {
        answers[operation] = [=](const std::string &) { return answer(commitmentPage(operation, entries)); };
    }
    void fails(const std::string &operation, const std::string &code, int status = 400)
    {
        answers[operation] = [=](const std::string &) { return commitmentError(code, "said so", status); };
    }
    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        std::string operation;
        for (const auto &[key, value] : request.headers) {
            if (key == "X-Amz-Target" && value.starts_with("AWSInsightsIndexService."))
                operation = value.substr(value.find('.') + 1);
        }
        asked.push_back(operation);
        requests.push_back(request);
        if (denied.contains(operation))
            return commitmentError("AccessDeniedException",
                                   "User: arn:aws:iam::1:user/x is not authorized to perform: ce:" + operation);
        const auto body = nlohmann::json::parse(request.body);
        const std::string token = body.value("NextToken", body.value("NextPageToken", std::string()));
        const auto at = answers.find(operation);
        return at == answers.end() ? answer(commitmentPage(operation, "")) : at->second(token);
    }
};

// A source of this fake, as each sync makes one.
struct CommitmentSetup {
    CommitmentSetup()
    {
        settings.name = "bill";
        settings.kind = "aws-costs";
        settings.auth.kind = model::AuthSettings::Kind::SigV4;
        settings.auth.region = "eu-central-1";
    }
    std::unique_ptr<aws::AwsCommitments> source()
    {
        return std::make_unique<aws::AwsCommitments>(settings, *aws::CostOptions::of(settings), clock, server.client(),
                                                     tuning());
    }
    base::Result<ports::CommitmentReport> read(const std::stop_token &stop = {})
    {
        auto one = source();
        auto report = one->read(clock.now(), stop);
        paid = one->paid()->requests;
        return report;
    }
    // The only commitment of an answer.
    std::optional<model::CloudCommitment> only(const char *operation, const std::string &entry)
    {
        server.has(operation, entry);
        const auto report = read();
        return report && report->commitments.size() == 1 ? std::optional(report->commitments.front()) : std::nullopt;
    }
    std::optional<model::CommitmentCoverage> share(const char *operation, const std::string &entry)
    {
        server.has(operation, entry);
        const auto report = read();
        return report && report->coverage.size() == 1 ? std::optional(report->coverage.front()) : std::nullopt;
    }
    std::uint64_t rejected(const char *operation, const std::string &entries)
    {
        server.has(operation, entries);
        const auto report = read();
        return report ? report->rejected : 1000;
    }
    aws::Tuning tuning()
    {
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, "/nonexistent"};
        return tuning;
    }

    model::SourceSettings settings;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                                   {"AWS_SECRET_ACCESS_KEY", "canary-secret-key"}};
    base::FrozenClock clock{*base::parseTime("2026-11-22T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    FakeCommitments server;
    std::uint64_t paid = 0;
};

inline bool isNear(const std::optional<double> &share, double wanted)
{
    return share && std::abs(*share - wanted) < 1e-9;
}

inline std::string dayText(const std::optional<base::Day> &day)
{
    return day ? base::toRfc3339(day->start()).substr(0, 10) : "unknown";
}

inline std::string timeText(const std::optional<base::UtcTime> &time)
{
    return time ? base::toRfc3339(*time) : "unknown";
}

inline std::string amountText(const std::optional<base::Decimal> &amount)
{
    return amount ? amount->toText() : "unknown";
}

} // namespace gpuledger::tests
