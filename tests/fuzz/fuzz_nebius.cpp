// SPDX-License-Identifier: GPL-3.0-or-later
// Frames, statuses, lists of instances and credentials files of Nebius.
#include "app/base/text/text.h"
#include "connectors/nebius/grpcanswer.h"
#include "connectors/nebius/instancelist.h"
#include "connectors/nebius/serviceaccount.h"
#include "tests/fuzz/fuzz.h"

#include <nebius.pb.h>

namespace gpuledger::fuzz {

namespace {

void readFrame(std::string_view bytes)
{
    if (const auto message = nebius::messageIn(bytes))
        check(nebius::framed(*message) == bytes, "a message is the whole frame");
}

// The status, the words and the body, each a piece.
void readAnswer(std::string_view bytes)
{
    const std::vector<std::string_view> parts = pieces(bytes, 3);
    http::Response response;
    response.status = 200;
    response.contentType = "application/grpc";
    response.headers.emplace_back("grpc-status", std::string(parts[0]));
    if (parts.size() > 1)
        response.headers.emplace_back("grpc-message", std::string(parts[1]));
    const auto refusal = nebius::refusalOf(response, "https://compute.api.nebius.cloud");
    check(refusal.has_value() == (nebius::statusOf(response) != nebius::GrpcCode::Ok), "only OK is no refusal");
    const std::string words = nebius::wordsOf(response);
    check(base::isUtf8(words) && words.size() < 1'000, "words can be shown");
}

void readInstances(std::string_view bytes)
{
    nebius::wire::Instances page;
    if (!page.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return;
    const std::map<std::string, ports::KnownMachine> known{
        {"gpu-h100-sxm_8gpu-128vcpu-1600gb", {"H100 SXM", 8'000'000}}};
    const nebius::InstanceTypes types(known);
    ports::Inventory out;
    for (const nebius::wire::Instance &one : page.items()) {
        const auto facts = nebius::factsOf(one);
        if (!facts)
            continue;
        check(!facts->id.empty() && base::printable(facts->id) == facts->id, "an id can be shown");
        for (const std::string *text : {&facts->name, &facts->hostName, &facts->platform, &facts->reservation})
            check(base::isUtf8(*text), "texts are UTF-8");
        for (const auto &[key, value] : facts->labels)
            check(base::isUtf8(key) && base::isUtf8(value), "labels are UTF-8");
        if (nebius::addInstance(*facts, types, "eu-north1", out))
            check(out.machines.back().gpus == 8, "only what is known is listed");
    }
}

void readCredentialsFile(std::string_view bytes)
{
    const auto credential = nebius::readCredential(base::Secret(std::string(bytes)));
    check(!credential || !credential->secret.empty(), "a credential has a secret");
}

} // namespace

void fuzz(std::string_view bytes)
{
    switch (choice(bytes, 4)) {
    case 0:
        readFrame(bytes);
        break;
    case 1:
        readAnswer(bytes);
        break;
    case 2:
        readInstances(bytes);
        break;
    default:
        readCredentialsFile(bytes);
    }
}

} // namespace gpuledger::fuzz
