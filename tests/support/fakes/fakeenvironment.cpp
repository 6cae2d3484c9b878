// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakes/fakeenvironment.h"

namespace gpuledger::tests {

using base::ErrorCode;
using base::Result;

FakeEnvironment::FakeEnvironment(FakePlatform &platform, std::string actor)
    : m_platform(platform)
    , m_actor(std::move(actor))
{
}

void FakeEnvironment::addIdle(const FakeObject &object, const std::string &owner)
{
    for (const model::HolderKey &holder : object.holders) {
        insight::IdleItem item;
        item.id = actions::idOf(holder);
        item.name = holder.name;
        item.owner = owner;
        item.cluster = holder.cluster;
        item.nameSpace = holder.nameSpace;
        item.node = holder.node;
        item.devices = {"GPU-" + holder.uid};
        item.gpus = 1;
        item.observed = 1;
        idle.items.push_back(std::move(item));
    }
}

void FakeEnvironment::pass(base::Seconds time)
{
    wall.time += time;
    monotonic += time;
}

bool FakeEnvironment::wait(std::chrono::milliseconds, std::stop_token stop) const
{
    return !isDead && !stop.stop_requested();
}

Result<insight::IdleList> FakeEnvironment::idleNow(std::stop_token)
{
    insight::IdleList list = idle;
    list.at = base::floorTo(wall.time, base::kBucket);
    return list;
}

Result<actions::Liveness> FakeEnvironment::liveness(const std::vector<insight::IdleItem> &items,
                                                    const actions::LiveQuestion &, std::stop_token)
{
    if (onLook)
        onLook();
    if (isBlind || isDead)
        return base::fail(ErrorCode::Network, "telemetry can't be reached");
    actions::Liveness answer;
    answer.newest = newestSample.value_or(wall.time);
    for (const insight::IdleItem &item : items) {
        const auto it = live.find(item.id);
        answer.holders[item.id] = {it == live.end() ? actions::Liveness::Kind::Quiet : it->second, answer.newest, {}};
    }
    return answer;
}

Result<std::vector<actions::Platform>> FakeEnvironment::platformsOf(const model::HolderKey &)
{
    std::vector<actions::Platform> all{{&m_platform, mayStop}};
    if (elsewhere)
        all.push_back({elsewhere, mayStop});
    return all;
}

Result<actions::Platform> FakeEnvironment::platformNamed(const std::string &source)
{
    for (FakePlatform *platform : {&m_platform, elsewhere}) {
        if (platform && platform->source() == source)
            return actions::Platform{platform, mayStop};
    }
    return base::fail(ErrorCode::Unsupported, "no such source");
}

} // namespace gpuledger::tests
