// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/planner.h"

#include "app/actions/environment/sidebyside.h"
#include "app/actions/plan/livechecks.h"
#include "app/actions/plan/protection.h"
#include "app/base/remedy.h"
#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using insight::IdleItem;
using insight::IdleList;
using model::TargetState;

namespace {

// The facts against which every stop of a plan is checked.
struct Ground {
    const IdleList &idle;
    const std::vector<model::Lease> &leases;
    ActionEnvironment &environment;
    ClockWatch &clock;
    bool rehearse = true;
    const std::vector<std::string> &despite;
    std::stop_token stop;
    std::chrono::steady_clock::time_point began{}; // older activity data does not count
};

const IdleItem *itemOf(const IdleList &idle, const std::string &id)
{
    const auto it = std::find_if(idle.items.begin(), idle.items.end(), [&](const IdleItem &i) { return i.id == id; });
    return it == idle.items.end() ? nullptr : &*it;
}

// An older list does not describe the present.
constexpr base::Seconds kOldestPlanList = 3 * base::kBucket;

// Whether the list is too old for this holder: as a whole, or because the data of the holder's cluster are.
bool isOld(const IdleList &idle, const std::string &id, base::UtcTime now)
{
    return now - idle.at > kOldestPlanList || idle.reach.isStale(id.substr(0, id.find('/')));
}

// Why this id is missing from the idle list.
Check notIdle(const IdleList &idle, const std::string &id)
{
    for (const insight::UnknownItem &item : idle.unknown) {
        if (item.id == id)
            return failedCheck(CheckName::StillIdle, Why::TooLittleSeen, model::shownName(item.kind, item.name));
    }
    for (const IdleItem &item : idle.partly) {
        if (item.id == id)
            return failedCheck(CheckName::StillIdle, Why::PartlyIdle, model::shownName(item.kind, item.name));
    }
    return failedCheck(CheckName::StillIdle, Why::NotInList, id);
}

// Collects everything that holds GPUs through the object, not only what was chosen: all of it must be idle.
void collectItems(PlannedStop &planned, const IdleList &idle, std::optional<Check> &against)
{
    std::set<std::string> known;
    for (const IdleItem &item : planned.items)
        known.insert(item.id);
    for (const model::HolderKey &holder : planned.target.holders) {
        const std::string id = idOf(holder);
        if (!known.insert(id).second)
            continue;
        if (const IdleItem *item = itemOf(idle, id))
            planned.items.push_back(*item);
        else if (!against)
            against = notIdle(idle, id);
    }
}

void addUp(PlannedStop &planned)
{
    planned.gpus = 0;
    std::int64_t rate = 0, month = 0;
    bool priced = !planned.items.empty();
    for (const IdleItem &item : planned.items) {
        planned.gpus += item.gpus;
        priced = priced && item.ratePerHour && item.perMonth
            && !__builtin_add_overflow(rate, item.ratePerHour->nanos(), &rate)
            && !__builtin_add_overflow(month, item.perMonth->nanos(), &month);
    }
    planned.ratePerHour.reset();
    planned.perMonth.reset();
    if (!priced)
        return;
    planned.ratePerHour = base::Money(rate, planned.items.front().ratePerHour->currency());
    planned.perMonth = base::Money(month, planned.items.front().perMonth->currency());
}

Check sameOwner(const PlannedStop &planned)
{
    for (const IdleItem &item : planned.items) {
        if (item.owner != planned.owner)
            return failedCheck(CheckName::SameOwner, Why::OwnerChanged, item.owner);
    }
    return passedCheck(CheckName::SameOwner);
}

// Asks all platforms, because the same name may exist on several of them.
Check lookUp(PlannedStop &planned, const std::vector<Platform> &platforms, const std::stop_token &stop)
{
    std::string sources;
    std::optional<Check> against;
    for (const Platform &platform : platforms) {
        planned.isSimulated = platform.target->isSimulated();
        auto target = platform.target->find(keyOf(planned.items.front()), stop);
        if (target) {
            sources += (sources.empty() ? "" : ", ") + platform.target->source();
            planned.target = std::move(*target);
        } else if (!against || target.error().code != ErrorCode::NotFound) {
            against = unreachableCheck(CheckName::SameObject, target.error());
        }
    }
    if (sources.find(", ") != std::string::npos)
        return failedCheck(CheckName::SameObject, Why::Ambiguous, sources);
    // An unreachable platform may have an object of this name, too.
    const bool isFound = !sources.empty() && (!against || against->why == Why::Gone);
    return isFound ? passedCheck(CheckName::SameObject) : *against;
}

// The object of one chosen item, or the reason why there is none.
PlannedStop found(const IdleItem &item, ActionEnvironment &environment, const std::stop_token &stop)
{
    PlannedStop planned;
    planned.items = {item};
    planned.owner = item.owner;
    planned.checkedAt = environment.clock().now();
    addUp(planned);
    const auto platforms = environment.platformsOf(keyOf(item));
    Check found;
    if (platforms)
        found = lookUp(planned, *platforms, stop);
    else
        found = platforms.error().code == ErrorCode::NotFound
            ? failedCheck(CheckName::SameObject, Why::NoPlatform, item.cluster)
            : failedCheck(CheckName::SameObject, Why::Unreachable, platforms.error().text);
    if (found.outcome == Outcome::Passed)
        return planned;
    planned.target = {};
    planned.checks = {std::move(found)};
    return planned;
}

void checkAll(PlannedStop &planned, const Ground &ground)
{
    if (!planned.checks.empty())
        return; // no object
    const auto platform = ground.environment.platformNamed(planned.target.ref.source);
    std::optional<Check> others;
    collectItems(planned, ground.idle, others);
    addUp(planned);
    const IdleItem &first = planned.items.front();
    if (!others && isOld(ground.idle, first.id, ground.environment.clock().now()))
        others = failedCheck(CheckName::StillIdle, Why::Stale, first.name);
    planned.listedAt = ground.idle.at;
    planned.checks.push_back(passedCheck(CheckName::SameObject));
    const QuietCheck now =
        others ? QuietCheck{*others, {}, {}} : quietCheck(planned, ground.environment, ground.began, ground.stop);
    planned.checks.push_back(now.check);
    planned.checks.push_back(sameOwner(planned));
    planned.checks.push_back(
        protection(planned, ground.leases, ground.environment.settings(), ground.environment.clock().now()));
    std::copy_if(ground.despite.begin(), ground.despite.end(), std::back_inserter(planned.despite),
                 [&](const auto &one) {
                     const auto &all = planned.target.managers;
                     return std::find(all.begin(), all.end(), one) != all.end();
                 });
    planned.checks.push_back(stoppableCheck(planned.target, planned.despite));
    const auto forbids = reversibleCheck(planned.target, ground.environment);
    const bool asksPlatform = allPassed(planned.checks) && !forbids;
    if (platform && asksPlatform) {
        planned.checks.push_back(permissionCheck(planned, *platform, ground.stop));
        planned.checks.push_back(ground.rehearse ? rehearsalCheck(planned, *platform, ground.environment, ground.stop)
                                                 : Check{CheckName::DryRun, Outcome::NotAsked, Why::None, {}});
        planned.checks.push_back(writesCheck(planned, ground.environment, ground.stop));
    } else {
        planned.checks.push_back(forbids.value_or(Check{CheckName::Allowed, Outcome::NotAsked, Why::None, {}}));
        for (const CheckName name : {CheckName::DryRun, CheckName::NoWrites})
            planned.checks.push_back({name, Outcome::NotAsked, Why::None, {}});
    }
    planned.checks.push_back(clockCheck(ground.clock, ground.environment, now.newest));
    planned.checkedAt = ground.environment.clock().now();
}

// Merges the pods of one object into one stop.
std::vector<PlannedStop> merged(std::vector<PlannedStop> all)
{
    std::vector<PlannedStop> out;
    for (PlannedStop &planned : all) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const PlannedStop &other) {
            return !planned.target.ref.uid.empty() && other.target.ref == planned.target.ref;
        });
        if (same == out.end())
            out.push_back(std::move(planned));
        else
            same->items.push_back(planned.items.front());
    }
    return out;
}

PlannedStop unlisted(const IdleList &idle, const std::string &id, base::UtcTime now)
{
    PlannedStop planned;
    planned.items.emplace_back();
    planned.items.front().id = id;
    const auto [kind, name] = model::fromShownName(id);
    planned.items.front().kind = kind;
    planned.items.front().name = name.substr(name.rfind('/') + 1); // npos + 1 is 0
    const auto putName = [&](const auto &items) {
        for (const auto &item : items) {
            if (item.id == id) {
                planned.items.front().kind = item.kind;
                planned.items.front().name = item.name;
                planned.owner = planned.items.front().owner = item.owner;
            }
        }
    };
    putName(idle.unknown);
    putName(idle.partly);
    const bool old = isOld(idle, id, now);
    planned.checks = {old ? failedCheck(CheckName::StillIdle, Why::Stale,
                                        model::shownName(planned.items.front().kind, planned.items.front().name))
                          : notIdle(idle, id)};
    planned.checkedAt = idle.at;
    return planned;
}

std::vector<std::string> distinct(const std::vector<std::string> &ids)
{
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const std::string &id : ids) {
        if (seen.insert(id).second)
            out.push_back(id);
    }
    return out;
}

} // namespace

Result<Plan> makePlan(const PlanQuestion &question, ActionEnvironment &environment, store::ActionStore &store,
                      ClockWatch &clock, std::stop_token stop, const PlanProgress &progress)
{
    const std::vector<std::string> ids = distinct(question.holders);
    if (ids.empty())
        return base::fail(ErrorCode::Refused, "nothing was selected", base::Remedy::PassIdleIds);
    if (ids.size() > PlanQuestion::kMost)
        return base::fail(ErrorCode::Refused,
                          "more than " + std::to_string(PlanQuestion::kMost) + " workloads can't be stopped at once");
    const auto idle = environment.idleNow(stop);
    GPULEDGER_TRY(idle);
    const auto leases = store.leases(environment.clock().now());
    GPULEDGER_TRY(leases);
    const auto held = environment.heldGpus();
    GPULEDGER_TRY(held);
    std::vector<PlannedStop> all(ids.size());
    sideBySide(ids.size(), stop, [&](std::size_t i) {
        const IdleItem *item = itemOf(*idle, ids[i]);
        all[i] = item ? found(*item, environment, stop) : unlisted(*idle, ids[i], environment.clock().now());
    });
    Plan plan;
    plan.stops = merged(std::move(all));
    const Ground ground{*idle,
                        *leases,
                        environment,
                        clock,
                        question.rehearse,
                        question.despite,
                        stop,
                        std::chrono::steady_clock::now()};
    std::mutex telling;
    sideBySide(plan.stops.size(), stop, [&](std::size_t i) {
        checkAll(plan.stops[i], ground);
        const std::lock_guard lock(telling);
        if (progress)
            progress(i, plan.stops[i]);
    });
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    plan.at = environment.clock().now();
    plan.held = *held;
    plan.limits = environment.settings().actions;
    plan.blast = blastOf(plan.stops, plan.held, plan.limits);
    return plan;
}

} // namespace gpuledger::actions
