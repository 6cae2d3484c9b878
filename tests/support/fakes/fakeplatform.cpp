// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakes/fakeplatform.h"

#include <algorithm>
#include <numeric>

namespace gpuledger::tests {

using base::ErrorCode;
using base::fail;
using base::Result;
using model::StopVerb;
using model::TargetState;
using ports::WriteOutcome;

namespace {

WriteOutcome outcome(WriteOutcome::Kind kind, std::string text)
{
    WriteOutcome out;
    out.kind = kind;
    out.text = std::move(text);
    return out;
}

base::Error errorOf(ErrorCode code, const std::string &text)
{
    return fail(code, text).value();
}

// The error that an answer means for a read; std::nullopt: continue.
std::optional<base::Error> readError(FakeAnswer answer)
{
    switch (answer) {
    case FakeAnswer::Ok:
    case FakeAnswer::Silent:
        return std::nullopt;
    case FakeAnswer::Forbidden:
        return errorOf(ErrorCode::Forbidden, "403: can't get deployments");
    case FakeAnswer::NotFound:
    case FakeAnswer::Gone:
        return errorOf(ErrorCode::NotFound, "404: not found");
    case FakeAnswer::TooMany:
        return errorOf(ErrorCode::RateLimited, "429: too many requests");
    case FakeAnswer::TimedOut:
    case FakeAnswer::TimedOutDone:
        return errorOf(ErrorCode::Timeout, "no answer");
    case FakeAnswer::Conflict:
    case FakeAnswer::Invalid:
    case FakeAnswer::ServerError:
    case FakeAnswer::ServerErrorDone:
        return errorOf(ErrorCode::Server, "500: internal error");
    }
    return std::nullopt;
}

// The outcome that it means for a write, if nothing is done.
std::optional<WriteOutcome> refusal(FakeAnswer answer)
{
    switch (answer) {
    case FakeAnswer::Forbidden:
        return outcome(WriteOutcome::Kind::Refused, "403: forbidden");
    case FakeAnswer::NotFound:
    case FakeAnswer::Gone:
        return outcome(WriteOutcome::Kind::Gone, "404: not found");
    case FakeAnswer::Conflict:
        return outcome(WriteOutcome::Kind::Changed, "409: the object has been modified");
    case FakeAnswer::Invalid:
        return outcome(WriteOutcome::Kind::Changed, "422: a test failed");
    case FakeAnswer::TooMany:
        return outcome(WriteOutcome::Kind::TryLater, "429: too many requests");
    case FakeAnswer::ServerError:
        return outcome(WriteOutcome::Kind::Unknown, "500: internal error");
    case FakeAnswer::TimedOut:
        return outcome(WriteOutcome::Kind::Unknown, "no answer");
    case FakeAnswer::Ok:
    case FakeAnswer::Silent:
    case FakeAnswer::ServerErrorDone:
    case FakeAnswer::TimedOutDone:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

bool FakeObject::isDeleted() const
{
    return verb == StopVerb::Delete || verb == StopVerb::Evict;
}

class FakePlatform::Visit {
public:
    Visit(FakePlatform &platform, Call call, const std::string &name)
        : m_platform(platform)
        , m_call(call)
        , m_name(name)
    {
        tell(false);
        const auto lock = m_platform.lock();
        ++m_platform.m_calls;
        auto &queue = m_platform.script[call];
        if (!queue.empty()) {
            answer = queue.front();
            queue.pop_front();
        }
        if (m_platform.isDead)
            answer = FakeAnswer::TimedOut;
    }
    ~Visit() { tell(true); }
    Visit(const Visit &) = delete;
    Visit &operator=(const Visit &) = delete;

    FakeAnswer answer = FakeAnswer::Ok;

private:
    void tell(bool after)
    {
        if (m_platform.hook)
            m_platform.hook(m_call, m_name, after);
    }
    FakePlatform &m_platform;
    Call m_call;
    std::string m_name;
};

FakeObject &FakePlatform::add(const std::string &name, StopVerb verb)
{
    const auto guard = lock();
    FakeObject &object = m_objects.emplace_back();
    const std::string uid = "uid-" + std::to_string(++m_lastUid);
    object.ref = {m_source, "c1", "apps/v1", "Deployment", "ml", name, uid};
    object.verb = verb;
    object.version = 100 * m_lastUid;
    object.holders = {{"c1", "ml", name + "-pod", "pod-" + uid, "n1", {}}};
    if (verb == StopVerb::Suspend) {
        object.field = "spec.suspend";
        object.value = "false";
        object.stoppedValue = "true";
    } else if (verb == StopVerb::Annotate) {
        object.field = "metadata.annotations.stopped";
        object.value = "null";
        object.stoppedValue = "\"now\"";
    } else if (verb == StopVerb::StopInstance) {
        object.field = "state";
        object.value = "\"running\"";
        object.stoppedValue = "\"stopped\"";
    } else if (verb == StopVerb::Deactivate) {
        object.field = "spec.active";
        object.value = "true";
        object.stoppedValue = "false";
    } else if (object.isDeleted()) {
        object.field = "metadata.uid";
        object.value = '"' + uid + '"';
        object.stoppedValue = "null";
        object.isReversible = false;
        object.holders.front().name = name; // a bare pod is its own holder
    }
    return object;
}

FakeObject *FakePlatform::named(const std::string &name)
{
    const auto it = std::find_if(m_objects.rbegin(), m_objects.rend(),
                                 [&](const FakeObject &o) { return o.ref.name == name && !o.isGone; });
    return it == m_objects.rend() ? nullptr : &*it;
}

FakeObject *FakePlatform::withUid(const std::string &uid)
{
    const auto it =
        std::find_if(m_objects.begin(), m_objects.end(), [&](const FakeObject &o) { return o.ref.uid == uid; });
    return it == m_objects.end() ? nullptr : &*it;
}

FakeObject &FakePlatform::replace(const std::string &name)
{
    const auto guard = lock();
    StopVerb verb = StopVerb::ScaleToZero;
    if (FakeObject *old = named(name)) {
        old->isGone = true;
        verb = old->verb;
    }
    return add(name, verb);
}

int FakePlatform::stops(const std::string &key) const
{
    const std::lock_guard guard(m_mutex);
    const auto it = m_stops.find(key);
    return it == m_stops.end() ? 0 : it->second;
}

int FakePlatform::undos(const std::string &key) const
{
    const std::lock_guard guard(m_mutex);
    const auto it = m_undos.find(key);
    return it == m_undos.end() ? 0 : it->second;
}

int FakePlatform::effects() const
{
    const std::lock_guard guard(m_mutex);
    const auto sum = [](int so, const auto &pair) { return so + pair.second; };
    return std::accumulate(m_stops.begin(), m_stops.end(), 0, sum)
        + std::accumulate(m_undos.begin(), m_undos.end(), 0, sum);
}

std::vector<std::string> FakePlatform::violations() const
{
    const std::lock_guard guard(m_mutex);
    return m_violations;
}

void FakePlatform::violate(const std::string &what)
{
    const std::lock_guard guard(m_mutex);
    m_violations.push_back(what);
}

TargetState FakePlatform::stateOf(FakeObject &object)
{
    TargetState state;
    state.ref = object.ref;
    state.version = std::to_string(object.version);
    state.verb = object.verb;
    state.field = object.field;
    state.value = object.value;
    state.stoppedValue = object.stoppedValue;
    state.isStopped = object.isStopped();
    state.isChanging = object.value == "\"stopping\"";
    state.isReversible = object.isReversible;
    state.labels = object.labels;
    state.annotations = object.annotations;
    state.nameSpaceLabels = object.nameSpaceLabels;
    state.obstacle = object.obstacle;
    state.managers = object.managers;
    state.mark = object.mark;
    if (state.isStopped && !state.obstacle)
        state.obstacle = model::Obstacle{model::Obstacle::Kind::AlreadyStopped, {}};
    if (object.isDeleted())
        state.manifest = R"({"kind":"Pod","metadata":{"name":")" + object.ref.name + "\"}}";
    if (!state.isStopped)
        state.holders = object.holders;
    else if (object.leftToLinger != 0) {
        object.leftToLinger -= object.leftToLinger > 0 ? 1 : 0;
        state.holders = object.holders;
    }
    return state;
}

FakeObject *FakePlatform::target(const model::TargetRef &ref)
{
    FakeObject *object = named(ref.name);
    return object && object->ref.uid == ref.uid ? object : nullptr;
}

Result<ports::ProbeReport> FakePlatform::probe(std::stop_token)
{
    ports::ProbeReport report;
    report.product = "fake";
    report.usable = true;
    return report;
}

Result<TargetState> FakePlatform::find(const model::HolderKey &holder, std::stop_token)
{
    const Visit visit(*this, Call::Find, holder.name);
    const auto guard = lock();
    if (const auto error = readError(visit.answer))
        return fail(*error);
    for (FakeObject &object : m_objects) {
        const bool has = std::any_of(object.holders.begin(), object.holders.end(), [&](const model::HolderKey &h) {
            return h.name == holder.name && (holder.uid.empty() || h.uid == holder.uid);
        });
        if (has && !object.isGone)
            return stateOf(object);
    }
    return fail(ErrorCode::NotFound, "pod " + holder.name + " is not there");
}

Result<TargetState> FakePlatform::read(const model::TargetRef &ref, std::stop_token)
{
    const Visit visit(*this, Call::Read, ref.name);
    const auto guard = lock();
    if (const auto error = readError(visit.answer))
        return fail(*error);
    FakeObject *object = target(ref);
    if (!object) {
        if (FakeObject *gone = withUid(ref.uid))
            ++gone->readsSinceWrite;
        return fail(ErrorCode::NotFound, "404: " + ref.name + " is not there, or another one has its name");
    }
    ++object->readsSinceWrite;
    return stateOf(*object);
}

Result<ports::Permission> FakePlatform::permission(const TargetState &target, bool, std::stop_token)
{
    const Visit visit(*this, Call::Permission, target.ref.name);
    if (visit.answer == FakeAnswer::Forbidden)
        return ports::Permission{false, "patch deployments/scale in ml"};
    if (const auto error = readError(visit.answer))
        return fail(*error);
    return ports::Permission{true, {}};
}

Result<ports::Rehearsal> FakePlatform::rehearse(const TargetState &target, const model::StopMark &, std::stop_token)
{
    const Visit visit(*this, Call::Rehearse, target.ref.name);
    if (visit.answer == FakeAnswer::Invalid || visit.answer == FakeAnswer::Conflict)
        return ports::Rehearsal{ports::Rehearsal::Kind::Refused, "422: a test failed", {}};
    if (const auto error = readError(visit.answer))
        return fail(*error);
    return ports::Rehearsal{ports::Rehearsal::Kind::Accepted, {}, {}};
}

std::optional<WriteOutcome> FakePlatform::against(Call call, FakeObject *object, const TargetState &target,
                                                  const model::StopMark &mark) const
{
    if (!object)
        return outcome(WriteOutcome::Kind::Gone, "404: not found");
    if (!preconditions)
        return std::nullopt;
    if (object->ref.uid != target.ref.uid || std::to_string(object->version) != target.version
        || object->value != target.value)
        return outcome(WriteOutcome::Kind::Changed, "422: a test failed");
    if (call == Call::Undo && (!object->isStopped() || (object->mark && object->mark->key != mark.key)))
        return outcome(WriteOutcome::Kind::Changed, "422: a test failed");
    return std::nullopt;
}

std::string FakePlatform::change(Call call, FakeObject &object, const model::StopMark &mark)
{
    object.version += 1;
    object.readsSinceWrite = 0;
    if (call == Call::Undo) {
        ++m_undos[mark.key];
        if (object.isDeleted()) { // recreated: a different object
            FakeObject &again = add(object.ref.name, object.verb);
            object.isGone = true;
            return again.ref.uid;
        }
        object.value = mark.oldValue;
        object.mark.reset();
        return std::to_string(object.version);
    }
    ++m_stops[mark.key];
    if (object.isDeleted() && object.lingering == 0)
        object.isGone = true;
    object.valueBefore = object.value;
    if (!object.isDeleted())
        object.value = object.stoppedValue;
    object.leftToLinger = object.lingering;
    if (marks)
        object.mark = mark;
    return std::to_string(object.version);
}

WriteOutcome FakePlatform::write(Call call, const TargetState &target, const model::StopMark &mark)
{
    const Visit visit(*this, call, target.ref.name);
    if (judge && !isDead) {
        if (const std::string what = judge(call, target, mark); !what.empty())
            violate(what);
    }
    const auto guard = lock();
    ++m_writes;
    if (const auto refused = refusal(visit.answer))
        return *refused;
    FakeObject *object = named(target.ref.name);
    if (call == Call::Undo && !object) { // a deleted one is recreated
        FakeObject *gone = withUid(target.ref.uid);
        object = gone && gone->isDeleted() ? gone : nullptr;
    } else if (call == Call::Undo && object->isDeleted()) { // a create never overwrites
        return outcome(WriteOutcome::Kind::Changed, "409: it exists already");
    } else if (auto refused = against(call, object, target, mark))
        return *refused;
    if (!object)
        return outcome(WriteOutcome::Kind::Gone, "404: not found");
    if (visit.answer == FakeAnswer::Silent)
        return outcome(WriteOutcome::Kind::Done, {});
    const std::string version = change(call, *object, mark);
    if (visit.answer != FakeAnswer::Ok)
        return outcome(WriteOutcome::Kind::Unknown, "no answer");
    WriteOutcome done = outcome(WriteOutcome::Kind::Done, {});
    done.version = version;
    done.receipt = "audit-" + version;
    return done;
}

WriteOutcome FakePlatform::stop(const TargetState &target, const model::StopMark &mark, std::stop_token)
{
    return write(Call::Stop, target, mark);
}

WriteOutcome FakePlatform::undo(const TargetState &target, const model::StopMark &mark, const std::string &,
                                std::stop_token)
{
    return write(Call::Undo, target, mark);
}

WriteOutcome FakePlatform::announce(const TargetState &target, const std::optional<model::StopNotice> &notice,
                                    std::stop_token)
{
    const Visit visit(*this, Call::Announce, target.ref.name);
    const auto guard = lock();
    if (const auto refused = refusal(visit.answer))
        return *refused;
    FakeObject *object = named(target.ref.name);
    if (auto refused = against(Call::Announce, object, target, {}))
        return *refused;
    object->version += 1;
    object->annotations.erase(model::kStopAtNote);
    object->annotations.erase(model::kStopReasonNote);
    if (notice) {
        object->annotations[model::kStopAtNote] = base::toRfc3339(notice->at);
        object->annotations[model::kStopReasonNote] = notice->reason;
    }
    return outcome(visit.answer == FakeAnswer::Ok ? WriteOutcome::Kind::Done : WriteOutcome::Kind::Unknown, {});
}

} // namespace gpuledger::tests
