// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/usagetypes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::cur {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// The prefixes of usage types. Those of us-east-1 often have none.
constexpr std::array<Pair, 36> kRegions{
    {{"USE1", "us-east-1"},      {"USE2", "us-east-2"},      {"USW1", "us-west-1"},      {"USW2", "us-west-2"},
     {"CAN1", "ca-central-1"},   {"CAW1", "ca-west-1"},      {"MXC1", "mx-central-1"},   {"SAE1", "sa-east-1"},
     {"EU", "eu-west-1"},        {"EUW1", "eu-west-1"},      {"EUW2", "eu-west-2"},      {"EUW3", "eu-west-3"},
     {"EUC1", "eu-central-1"},   {"EUC2", "eu-central-2"},   {"EUN1", "eu-north-1"},     {"EUS1", "eu-south-1"},
     {"EUS2", "eu-south-2"},     {"MES1", "me-south-1"},     {"MEC1", "me-central-1"},   {"ILC1", "il-central-1"},
     {"AFS1", "af-south-1"},     {"APE1", "ap-east-1"},      {"APS1", "ap-southeast-1"}, {"APS2", "ap-southeast-2"},
     {"APS3", "ap-south-1"},     {"APS4", "ap-southeast-3"}, {"APS5", "ap-south-2"},     {"APS6", "ap-southeast-4"},
     {"APS7", "ap-southeast-5"}, {"APN1", "ap-northeast-1"}, {"APN2", "ap-northeast-2"}, {"APN3", "ap-northeast-3"},
     {"CNN1", "cn-north-1"},     {"CNW1", "cn-northwest-1"}, {"UGW1", "us-gov-west-1"},  {"UGE1", "us-gov-east-1"}}};

// Of EC2, which us-east-1 writes without a prefix.
constexpr std::array<std::string_view, 9> kMachineWords{"BoxUsage",     "SpotUsage", "DedicatedUsage",
                                                        "DedicatedRes", "HostUsage", "HostBoxUsage",
                                                        "Reservation",  "UnusedBox", "UnusedDed"};

constexpr std::array<Pair, 23> kServices{{
    {"Amazon Elastic Compute Cloud - Compute", "Compute"},
    {"Amazon Elastic Compute Cloud", "Compute"},
    {"Elastic Load Balancing", "Networking"},
    {"AWS Lambda", "Compute"},
    {"Amazon Elastic Container Service", "Compute"},
    {"Amazon Elastic Container Service for Kubernetes", "Compute"},
    {"Amazon SageMaker", "AI and Machine Learning"},
    {"Amazon Bedrock", "AI and Machine Learning"},
    {"Amazon Simple Storage Service", "Storage"},
    {"Amazon Elastic File System", "Storage"},
    {"Amazon FSx", "Storage"},
    {"AWS Backup", "Storage"},
    {"Amazon Elastic Block Store", "Storage"},
    {"Amazon Relational Database Service", "Databases"},
    {"Amazon DynamoDB", "Databases"},
    {"Amazon ElastiCache", "Databases"},
    {"Amazon Redshift", "Databases"},
    {"Amazon Virtual Private Cloud", "Networking"},
    {"Amazon Elastic Load Balancing", "Networking"},
    {"Amazon CloudFront", "Networking"},
    {"Amazon Route 53", "Networking"},
    {"AWS Direct Connect", "Networking"},
    {"AWS Data Transfer", "Networking"},
}};

constexpr std::array<Pair, 22> kCodes{{
    {"AmazonEC2", "Amazon Elastic Compute Cloud"},
    {"AmazonSageMaker", "Amazon SageMaker"},
    {"AmazonEKS", "Amazon Elastic Container Service for Kubernetes"},
    {"AmazonECS", "Amazon Elastic Container Service"},
    {"AmazonECR", "Amazon EC2 Container Registry (ECR)"},
    {"AmazonS3", "Amazon Simple Storage Service"},
    {"AmazonEFS", "Amazon Elastic File System"},
    {"AmazonFSx", "Amazon FSx"},
    {"AWSBackup", "AWS Backup"},
    {"AmazonVPC", "Amazon Virtual Private Cloud"},
    {"AWSELB", "Elastic Load Balancing"},
    {"AmazonCloudFront", "Amazon CloudFront"},
    {"AmazonRoute53", "Amazon Route 53"},
    {"AWSDirectConnect", "AWS Direct Connect"},
    {"AWSDataTransfer", "AWS Data Transfer"},
    {"AWSLambda", "AWS Lambda"},
    {"AmazonBedrock", "Amazon Bedrock"},
    {"AmazonRDS", "Amazon Relational Database Service"},
    {"AmazonDynamoDB", "Amazon DynamoDB"},
    {"AmazonElastiCache", "Amazon ElastiCache"},
    {"AmazonRedshift", "Amazon Redshift"},
    {"ComputeSavingsPlans", "Savings Plans for AWS Compute usage"},
}};

template <std::size_t N> std::string_view pairedWith(const std::array<Pair, N> &pairs, std::string_view key)
{
    const auto at = std::find_if(pairs.begin(), pairs.end(), [&](const Pair &one) { return one.first == key; });
    return at == pairs.end() ? std::string_view() : at->second;
}

bool takeEnd(std::string_view &text, std::string_view end)
{
    const bool has = text.ends_with(end);
    if (has)
        text.remove_suffix(end.size());
    return has;
}

// "p4d.24xlarge" or "ml.p4d.24xlarge".
bool isInstanceType(std::string_view text)
{
    const auto isPart = [](std::string_view part) {
        return !part.empty()
            && part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
    };
    if (text.starts_with("ml."))
        text.remove_prefix(3);
    const std::size_t dot = text.find('.');
    return dot != std::string_view::npos && isPart(text.substr(0, dot)) && isPart(text.substr(dot + 1));
}

} // namespace

bool UsageType::isGpu() const
{
    std::string_view family = instanceType;
    for (const std::string_view begin : {"ml.", "gr", "g", "p"}) {
        if (!family.starts_with(begin))
            continue;
        family.remove_prefix(begin.size());
        if (begin != "ml.")
            return !family.empty() && family.front() >= '0' && family.front() <= '9';
    }
    return false;
}

UsageType usageTypeOf(std::string_view text)
{
    UsageType out;
    std::string_view rest = text;
    if (const std::size_t hyphen = text.find('-'); hyphen != std::string_view::npos) {
        out.region = std::string(pairedWith(kRegions, text.substr(0, hyphen)));
        if (!out.region.empty())
            rest.remove_prefix(hyphen + 1);
    }
    const std::size_t colon = rest.rfind(':');
    const std::string_view word = rest.substr(0, std::min(rest.size(), rest.find(':')));
    const bool isOfMachines = std::find(kMachineWords.begin(), kMachineWords.end(), word) != kMachineWords.end();
    if (out.region.empty() && isOfMachines)
        out.region = "us-east-1";
    out.isMachineTime = isOfMachines;
    out.isSpot = word == "SpotUsage";
    out.isUnusedReservation = word == "UnusedBox" || word == "UnusedDed";
    if (colon == std::string_view::npos)
        return out;
    std::string_view type = rest.substr(colon + 1);
    out.isSpot = takeEnd(type, "-Spot") || out.isSpot;
    if (!isInstanceType(type))
        return out;
    out.instanceType = std::string(type);
    out.isSageMaker = type.starts_with("ml.");
    out.isMachineTime = out.isMachineTime || out.isSageMaker;
    return out;
}

std::string_view categoryOfService(std::string_view service)
{
    return pairedWith(kServices, service);
}

std::string_view serviceOfCode(std::string_view code)
{
    return pairedWith(kCodes, code);
}

// As AWS's FOCUS exports have it: disks and snapshots are storage, traffic and addresses networking.
std::string_view categoryOfUsage(std::string_view code, std::string_view usageType)
{
    const auto says = [&](std::string_view word) { return usageType.find(word) != std::string_view::npos; };
    if (code != "AmazonEC2")
        return {};
    if (says("EBS:"))
        return "Storage";
    if (says("DataTransfer") || says("NatGateway") || says("ElasticIP") || usageType.ends_with("-Bytes"))
        return "Networking";
    return {};
}

} // namespace gpuledger::cur
