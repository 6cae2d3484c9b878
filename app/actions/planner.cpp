// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/planner.h"

#include "app/actions/protection.h"
#include "app/actions/sidebyside.h"
#include "app/base/log.h"
#include "app/base/remedy.h"
#include "app/model/kindname.h"

#include <algorithm>
#include <array>
#include <cmath>
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

constexpr std::chrono::seconds kActivityAge{2}; // older activity data is queried again before a call
constexpr double kWritingBytes = 1 << 20; // per second; more is a checkpoint or real work

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

Check failedCheck(CheckName name, Why why, const std::string &subject = {})
{
    return {name, Outcome::Failed, why, base::log::redacted(subject)}; // a server's message may echo what it was sent
}

Check passed(CheckName name)
{
    return {name, Outcome::Passed, Why::None, {}};
}

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
    return failedCheck(CheckName::StillIdle, Why::NotInList, id);
}

Check unreachable(CheckName name, const base::Error &error)
{
    const bool gone = error.code == ErrorCode::NotFound;
    return failedCheck(name, gone ? Why::Gone : Why::Unreachable, error.text);
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
    return passed(CheckName::SameOwner);
}

// Other controllers of the object that were not named in the request.
std::string unnamed(const TargetState &target, const std::vector<std::string> &despite)
{
    std::string names;
    for (const std::string &manager : target.managers) {
        if (std::find(despite.begin(), despite.end(), manager) == despite.end())
            names += (names.empty() ? "" : ", ") + manager;
    }
    return names;
}

Check stoppable(const TargetState &target, const std::vector<std::string> &despite)
{
    if (target.obstacle)
        return failedCheck(CheckName::Stoppable, Why::Obstacle, target.obstacle->text);
    if (target.verb == model::StopVerb::None)
        return failedCheck(CheckName::Stoppable, Why::Obstacle, {});
    if (const std::string others = unnamed(target, despite); !others.empty())
        return failedCheck(CheckName::Stoppable, Why::Managed, others);
    return passed(CheckName::Stoppable);
}

using Steady = std::chrono::steady_clock;

// What the current samples show.
struct Quiet {
    Check check;
    base::UtcTime newest{}; // newest sample seen
    Steady::time_point askedAt{};
};

Quiet quiet(const PlannedStop &planned, ActionEnvironment &environment, Steady::time_point notBefore,
            const std::stop_token &stop)
{
    const Steady::time_point asking = Steady::now();
    const auto now = environment.liveness(planned.items, {planned.listedAt, notBefore}, stop);
    if (!now)
        return {failedCheck(CheckName::StillIdle, Why::Unreachable, now.error().text), {}, asking};
    Quiet out{passed(CheckName::StillIdle), now->newest, now->askedAt.value_or(Steady::now())};
    const auto refuse = [&](Why why, const IdleItem &item, const Liveness::Seen &seen) {
        out.check = failedCheck(CheckName::StillIdle, why, model::shownName(item.kind, item.name));
        if (seen.at != base::UtcTime{})
            out.check.sampleAt = seen.at;
        if (why == Why::Active)
            out.check.share = seen.share;
        return out;
    };
    for (const IdleItem &item : planned.items) {
        const auto it = now->holders.find(item.id);
        const Liveness::Seen seen = it == now->holders.end() ? Liveness::Seen{} : it->second;
        if (seen.kind == Liveness::Kind::Active)
            return refuse(Why::Active, item, seen);
        if (seen.kind == Liveness::Kind::Unseen)
            return refuse(Why::Stale, item, seen);
        out.check.sampleAt = std::min(out.check.sampleAt.value_or(seen.at), seen.at);
    }
    return out;
}

Check notWriting(const PlannedStop &planned, ActionEnvironment &environment, const std::stop_token &stop)
{
    bool told = false;
    for (const IdleItem &item : planned.items) {
        const auto bytes = environment.writesOf(item, stop);
        told = told || bytes;
        if (bytes && *bytes > kWritingBytes)
            return failedCheck(CheckName::NoWrites, Why::Writing, std::to_string(std::llround(*bytes)));
    }
    return told ? passed(CheckName::NoWrites) : Check{CheckName::NoWrites, Outcome::NotAsked, Why::NoSignal, {}};
}

// Whether the configuration forbids stopping such an object; std::nullopt if it does not.
std::optional<Check> forbidden(const TargetState &target, const ActionEnvironment &environment)
{
    if (target.isReversible || target.obstacle || environment.settings().actions.permitsIrreversible)
        return std::nullopt;
    return failedCheck(CheckName::Allowed, Why::Irreversible, model::fullNameOf(target.ref));
}

Check platformAllows(const PlannedStop &planned, const Platform &platform, const std::stop_token &stop)
{
    if (!platform.mayStop)
        return failedCheck(CheckName::Allowed, Why::NoRight, platform.target->source());
    const auto answer = platform.target->permission(planned.target, false, stop);
    if (!answer)
        return unreachable(CheckName::Allowed, answer.error());
    return answer->isAllowed ? passed(CheckName::Allowed)
                             : failedCheck(CheckName::Allowed, Why::Forbidden, answer->missing);
}

Check rehearsed(const PlannedStop &planned, const Platform &platform, const Ground &ground)
{
    if (!ground.rehearse)
        return {CheckName::DryRun, Outcome::NotAsked, Why::None, {}};
    const model::StopMark mark{
        "rehearsal", ground.environment.actor(), {}, ground.environment.clock().now(), planned.target.value};
    const auto answer = platform.target->rehearse(planned.target, mark, ground.stop);
    if (!answer)
        return unreachable(CheckName::DryRun, answer.error());
    if (answer->kind == ports::Rehearsal::Kind::Impossible)
        return {CheckName::DryRun, Outcome::NotAsked, Why::NoRehearsal, answer->text};
    return answer->kind == ports::Rehearsal::Kind::Accepted
        ? passed(CheckName::DryRun)
        : failedCheck(CheckName::DryRun, Why::Rejected, answer->text);
}

Check clockCheck(ClockWatch &clock, ActionEnvironment &environment, base::UtcTime newest)
{
    const auto by = clock.jumped(environment.clock().now(), environment.steady(), newest, base::kBucket);
    return by ? failedCheck(CheckName::Clock, Why::Jumped, std::to_string(by->count())) : passed(CheckName::Clock);
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
            against = unreachable(CheckName::SameObject, target.error());
        }
    }
    if (sources.find(", ") != std::string::npos)
        return failedCheck(CheckName::SameObject, Why::Ambiguous, sources);
    // An unreachable platform may have an object of this name, too.
    const bool isFound = !sources.empty() && (!against || against->why == Why::Gone);
    return isFound ? passed(CheckName::SameObject) : *against;
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
    planned.checks.push_back(passed(CheckName::SameObject));
    const Quiet now = others ? Quiet{*others, {}, {}} : quiet(planned, ground.environment, ground.began, ground.stop);
    planned.checks.push_back(now.check);
    planned.checks.push_back(sameOwner(planned));
    planned.checks.push_back(protection(planned, ground.leases, ground.environment.settings()));
    std::copy_if(ground.despite.begin(), ground.despite.end(), std::back_inserter(planned.despite),
                 [&](const auto &one) {
                     const auto &all = planned.target.managers;
                     return std::find(all.begin(), all.end(), one) != all.end();
                 });
    planned.checks.push_back(stoppable(planned.target, planned.despite));
    const auto forbids = forbidden(planned.target, ground.environment);
    const bool asksPlatform = allPassed(planned.checks) && !forbids;
    if (platform && asksPlatform) {
        planned.checks.push_back(platformAllows(planned, *platform, ground.stop));
        planned.checks.push_back(rehearsed(planned, *platform, ground));
        planned.checks.push_back(notWriting(planned, ground.environment, ground.stop));
    } else {
        planned.checks.push_back(forbids.value_or(Check{CheckName::Allowed, Outcome::NotAsked, Why::None, {}}));
        for (const CheckName name : {CheckName::DryRun, CheckName::NoWrites})
            planned.checks.push_back({name, Outcome::NotAsked, Why::None, {}});
    }
    planned.checks.push_back(clockCheck(ground.clock, ground.environment, now.newest));
    planned.checkedAt = ground.environment.clock().now();
}

// Whether the object is still as shown. Comparing its version is not enough, because other controllers influence how it
// is stopped.
bool isAsShown(const TargetState &now, const TargetState &shown)
{
    return now.version == shown.version && now.value == shown.value && now.verb == shown.verb
        && now.field == shown.field && now.stoppedValue == shown.stoppedValue
        && (now.isReversible || !shown.isReversible);
}

// Whether two keys mean the same machine: telemetry may name a machine differently from its platform.
bool isSameMachine(const model::HolderKey &holder, const std::vector<model::HolderKey> &known)
{
    return !holder.instanceId.empty() && std::any_of(known.begin(), known.end(), [&](const model::HolderKey &one) {
        return one.instanceId == holder.instanceId;
    });
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
    for (const insight::UnknownItem &item : idle.unknown) {
        if (item.id == id) {
            planned.items.front().kind = item.kind;
            planned.items.front().name = item.name;
            planned.owner = planned.items.front().owner = item.owner;
        }
    }
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
    const Ground ground{*idle, *leases, environment, clock, question.rehearse, question.despite, stop, Steady::now()};
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

PreflightResult revalidate(const PlannedStop &planned, ActionEnvironment &environment, store::ActionStore &store,
                           ClockWatch &clock, std::chrono::steady_clock::time_point notBefore,
                           const std::stop_token &stop)
{
    PreflightResult look;
    const auto platform = environment.platformNamed(planned.target.ref.source);
    if (!platform || !platform->mayStop) {
        look.against = failedCheck(CheckName::Allowed, Why::NoRight, planned.target.ref.source);
        return look;
    }
    // Check the activity first and the object last, so that the state to act on is the newest of all.
    PlannedStop again = planned;
    Quiet quietNow = quiet(planned, environment, notBefore, stop);
    auto fresh = platform->target->read(planned.target.ref, stop);
    if (!fresh) {
        look.against = unreachable(CheckName::SameObject, fresh.error());
        return look;
    }
    // A wish to keep it may have arrived while the other checks ran.
    const auto leases = store.leases(environment.clock().now());
    if (!leases) {
        look.against = failedCheck(CheckName::NotProtected, Why::Unreachable, leases.error().text);
        return look;
    }
    again.target = *fresh;
    // The platform rejects calls on a changed object, but nothing guards against new activity. Query it again if the
    // other checks took long.
    if (const auto now = Steady::now(); now - quietNow.askedAt > kActivityAge)
        quietNow = quiet(planned, environment, now, stop);
    const Check clockNow = clockCheck(clock, environment, quietNow.newest);
    if (fresh->ref.uid != planned.target.ref.uid)
        look.against = failedCheck(CheckName::SameObject, Why::AnotherObject, fresh->ref.uid);
    else if (!isAsShown(*fresh, planned.target))
        look.against = failedCheck(CheckName::SameObject, Why::Changed, fresh->value);
    else if (quietNow.check.outcome == Outcome::Failed)
        look.against = quietNow.check;
    else if (clockNow.outcome == Outcome::Failed)
        look.against = clockNow;
    else if (const Check kept = protection(again, *leases, environment.settings()); kept.outcome == Outcome::Failed)
        look.against = kept;
    else if (const Check can = stoppable(*fresh, planned.despite); can.outcome == Outcome::Failed)
        look.against = can;
    else if (const auto forbids = forbidden(*fresh, environment))
        look.against = *forbids;
    else if (fresh->labels != planned.target.labels || fresh->nameSpaceLabels != planned.target.nameSpaceLabels)
        look.against = failedCheck(CheckName::SameObject, Why::Changed, "labels"); // the owner may differ now
    else if (fresh->holders != planned.target.holders) {
        std::optional<Check> others;
        for (const model::HolderKey &holder : fresh->holders) {
            const std::string id = idOf(holder);
            const bool isListed = std::any_of(planned.items.begin(), planned.items.end(),
                                              [&](const IdleItem &item) { return item.id == id; });
            if (!isListed && !isSameMachine(holder, planned.target.holders))
                look.against = failedCheck(CheckName::StillIdle, Why::NotInList, id);
        }
    }
    look.fresh = std::move(*fresh);
    return look;
}

} // namespace gpuledger::actions
