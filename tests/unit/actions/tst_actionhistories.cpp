// SPDX-License-Identifier: GPL-3.0-or-later
// Random histories with a faulty platform, other people, two operators and a crash at any step. After each step: no
// call without an intent on disk, nothing is stopped that was not shown or has changed since, no effect happens twice,
// and the log says exactly what happened. For more histories: GPULEDGER_ACTION_HISTORIES=N, from seed
// GPULEDGER_ACTION_SEED on.
#include "app/actions/environment/actionlock.h"
#include "app/ledger/commit/verifyledger.h"
#include "tests/support/fakes/actionbench.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QTest>

#include <filesystem>
#include <random>
#include <set>

namespace tst_actionhistories {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::ActionKind;
using model::ActionRecord;
using model::ActionState;
using Call = FakePlatform::Call;

namespace {

constexpr int kHistories = 500;
constexpr int kOfOneStore = 10; // successive histories on the same store

struct Operator {
    explicit Operator(FakePlatform &platform, const std::string &name)
        : environment(platform, name)
    {
        environment.held["vision"] = 1000;
    }
    FakeEnvironment environment;
    std::unique_ptr<store::LedgerStore> cache;
    std::optional<store::ActionStore> log;
    actions::ClockWatch clock;
    std::optional<actions::Plan> plan;
};

class History {
public:
    explicit History(std::uint64_t seed)
        : m_random(seed)
    {
        open();
        m_platform.judge = [this](Call call, const model::TargetState &target, const model::StopMark &mark) {
            return unlawful(call, target, mark);
        };
        m_platform.hook = [this](Call, const std::string &, bool) { passed(); };
    }

    // Empty if every rule held.
    std::string go(int steps)
    {
        begin();
        for (int i = 0; i < steps; ++i) {
            const std::string step = oneStep();
            m_told += step + "; ";
            check();
            if (const auto wrong = m_platform.violations(); !wrong.empty())
                return wrong.front() + " after: " + m_told;
        }
        end();
        const auto wrong = m_platform.violations();
        return wrong.empty() ? std::string() : wrong.front() + " at the end of: " + m_told;
    }

    std::string verified()
    {
        CountingBuilder rollup;
        const auto problems = ledger::verify(*first().cache, rollup);
        if (!problems)
            return problems.error().text;
        return problems->empty() ? std::string() : problems->front().what;
    }
    int deaths = 0, effects = 0, runs = 0;

private:
    int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    Operator &first() { return *m_operators[0]; }
    Operator &someone() { return *m_operators[static_cast<std::size_t>(below(2))]; }
    std::string folder() const { return m_dir.path().toStdString() + '/' + std::to_string(m_life); }

    void open()
    {
        for (const auto &one : m_operators) {
            one->log.reset();
            one->cache.reset();
            one->cache = store::LedgerStore::open(folder()).value();
            one->log.emplace(one->cache->actions());
            one->plan.reset();
        }
    }

    // New objects, and a platform with different abilities and faults.
    void begin()
    {
        m_told.clear();
        m_names.clear();
        m_platform.preconditions = chance(75);
        m_platform.marks = chance(50);
        m_isFaulty = chance(70);
        for (const auto &one : m_operators) {
            one->environment.config.actions.permitsIrreversible = true;
            one->environment.idle.items.clear();
            one->environment.live.clear();
            one->plan.reset();
        }
        const int count = 1 + below(4);
        for (int i = 0; i < count; ++i) {
            const auto verb = chance(80) ? model::StopVerb::ScaleToZero
                : chance(50)             ? model::StopVerb::Delete
                                         : model::StopVerb::Suspend;
            FakeObject &object = m_platform.add("w" + std::to_string(++m_lastName), verb);
            m_names.push_back(object.ref.name);
            object.lingering = chance(80) ? 0 : chance(80) ? 1 + below(4) : -1;
            know(object);
        }
    }

    void know(const FakeObject &object)
    {
        for (const auto &one : m_operators)
            one->environment.addIdle(object);
    }

    std::string oneStep()
    {
        m_isFaulty ? script() : m_platform.script.clear();
        m_diesAt = chance(25) ? 1 + below(16) : 0;
        const int what = below(100);
        std::string told = what < 25 ? planIt()
            : what < 55              ? runIt()
            : what < 70              ? undoIt()
            : what < 80              ? settleIt()
            : what < 95              ? others()
                                     : time();
        m_diesAt = 0;
        m_expected.clear();
        m_mayWrite = false;
        m_halted = false;
        if (m_isDead)
            told += reborn();
        return told;
    }

    void script()
    {
        m_platform.script.clear();
        static constexpr FakeAnswer kAll[] = {
            FakeAnswer::Forbidden, FakeAnswer::NotFound,     FakeAnswer::Conflict,    FakeAnswer::Gone,
            FakeAnswer::Invalid,   FakeAnswer::TooMany,      FakeAnswer::ServerError, FakeAnswer::ServerErrorDone,
            FakeAnswer::TimedOut,  FakeAnswer::TimedOutDone, FakeAnswer::Silent};
        for (const Call call : {Call::Find, Call::Read, Call::Permission, Call::Rehearse, Call::Stop, Call::Undo}) {
            const bool writes = FakePlatform::isWrite(call);
            for (int i = 0; i < 12; ++i) {
                FakeAnswer answer = chance(writes ? 35 : 8) ? kAll[below(11)] : FakeAnswer::Ok;
                // A platform never denies the existence of an object.
                if (call == Call::Read && (answer == FakeAnswer::NotFound || answer == FakeAnswer::Gone))
                    answer = FakeAnswer::TimedOut;
                m_platform.script[call].push_back(answer);
            }
        }
    }

    std::string planIt()
    {
        Operator &by = someone();
        std::vector<std::string> ids;
        for (const auto &item : by.environment.idle.items) {
            if (chance(70))
                ids.push_back(item.id);
        }
        const auto made = actions::makePlan({ids, true}, by.environment, *by.log, by.clock, {});
        if (made)
            by.plan = *made;
        return by.environment.actor() + " plans " + std::to_string(ids.size());
    }

    std::string runIt()
    {
        Operator &by = someone();
        if (!by.plan)
            return planIt();
        const auto lock = actions::ActionLock::take(folder());
        if (!lock)
            return "busy";
        std::string hash = actions::hashOf(by.plan->stops);
        const bool wrong = chance(5);
        if (wrong)
            hash[0] = hash[0] == 'a' ? 'b' : 'a';
        for (const auto &stop : by.plan->stops) {
            if (stop.isStoppable() && !wrong)
                m_expected[stop.target.ref.uid] = &stop;
        }
        m_mayWrite = true;
        m_haltAt = chance(10) ? 1 + below(12) : 0;
        m_now = &by;
        std::stop_source halt;
        actions::ActionContext parts = engine(by);
        const std::optional<int> count =
            by.plan->blast.needsTypedCount() && chance(90) ? std::optional(by.plan->blast.objects) : std::nullopt;
        std::vector<std::string> names = by.plan->blast.irreversible;
        if (!names.empty() && chance(10))
            names.pop_back();
        const bool isTyped = by.plan->blast.untyped(names).empty();
        const auto done = actions::runPlan(*by.plan, {hash, "why", count, {}, names}, parts, halt.get_token(),
                                           [&](const ActionRecord &record) { told(by, record, &halt); });
        ++runs;
        if (done && !m_isDead)
            compare(*done);
        if (done && !isTyped)
            m_platform.violate("what can't be brought back was stopped without its name");
        if (done && wrong)
            m_platform.violate("a plan that was not shown was run");
        return by.environment.actor() + " runs" + (wrong ? " what was not shown" : "");
    }

    std::string undoIt()
    {
        Operator &by = someone();
        const auto lock = actions::ActionLock::take(folder());
        const auto all = by.log->all();
        if (!lock || !all || all->empty())
            return "nothing to undo";
        // Mostly actions of this history.
        const std::size_t recent = std::min<std::size_t>(all->size(), 8);
        const auto &record = (*all)[all->size() - 1 - static_cast<std::size_t>(below(static_cast<int>(recent)))];
        m_mayWrite = true;
        m_haltAt = 0;
        m_now = &by;
        actions::ActionContext parts = engine(by);
        const auto done =
            actions::runUndo({record.id}, "", parts, {}, [&](const ActionRecord &r) { told(by, r, nullptr); });
        if (done && !m_isDead)
            compare(*done);
        return by.environment.actor() + " undoes " + std::to_string(record.id);
    }

    std::string settleIt()
    {
        Operator &by = someone();
        const auto lock = actions::ActionLock::take(folder());
        m_mayWrite = false;
        m_haltAt = 0;
        m_now = &by;
        actions::ActionContext parts = engine(by);
        (void)actions::settleActions(parts, {}, [&](const ActionRecord &r) { told(by, r, nullptr); });
        return by.environment.actor() + " settles";
    }

    std::string others()
    {
        const std::string name = m_names[static_cast<std::size_t>(below(static_cast<int>(m_names.size())))];
        FakeObject *object = m_platform.named(name);
        if (!object)
            return "nobody is there";
        m_touched.insert(object->ref.uid);
        const int what = below(7);
        if (what == 0) {
            m_platform.replace(name).lingering = 0;
            know(*m_platform.named(name));
        } else if (what == 1) {
            for (const auto &one : m_operators)
                one->environment.live[ActionBench::idOf(*object)] = actions::Liveness::Kind::Active;
            m_active.insert(object->ref.uid);
        } else if (what == 2) {
            object->isGone = true;
        } else if (what == 3) {
            object->nameSpaceLabels["gpu-ledger.io/protect"] = "true";
        } else if (!object->isDeleted()) {
            object->version += 1;
            object->value = what == 4 ? "5" : what == 5 ? object->stoppedValue : "3";
            object->mark.reset();
            object->readsSinceWrite = 0;
        }
        return "others do " + std::to_string(what) + " to " + name;
    }

    std::string time()
    {
        const int seconds = chance(50) ? below(60) : below(7200);
        const bool jumps = chance(20);
        for (const auto &one : m_operators) {
            one->environment.pass(base::Seconds{seconds});
            if (jumps)
                one->environment.wall.time += base::Seconds{below(2) == 0 ? 4000 : 100};
        }
        return (jumps ? "a jump and " : "") + std::to_string(seconds) + " s";
    }

    actions::ActionContext engine(Operator &by)
    {
        actions::ActionContext parts{by.environment, *by.log, by.clock, {}};
        parts.limits.verifyWithin = std::chrono::seconds(3);
        parts.limits.wave = m_diesAt || chance(50) ? 1 : 3;
        return parts;
    }

    // A step at which the program may crash: the next start finds what is on disk now.
    void passed()
    {
        const auto guard = m_platform.lock();
        if (m_isDead || m_diesAt == 0 || --m_diesAt > 0)
            return;
        const std::string from = folder();
        ++m_life;
        std::filesystem::create_directories(folder());
        for (const char *const name : {"ledger.db", "ledger.db-wal", "results.reserve"}) {
            if (std::filesystem::exists(from + '/' + name))
                std::filesystem::copy_file(from + '/' + name, folder() + '/' + name);
        }
        m_abandoned = from;
        m_isDead = m_platform.isDead = true;
        for (const auto &one : m_operators)
            one->environment.isDead = true;
    }

    std::string reborn()
    {
        ++deaths;
        open();
        m_isDead = m_platform.isDead = false;
        for (const auto &one : m_operators)
            one->environment.isDead = false;
        std::filesystem::remove_all(m_abandoned);
        return ", dies" + (chance(60) ? "; " + settleIt() : std::string());
    }

    // At the moment of a call: it was requested, its intent is on disk and complete, an undo restores the old value, a
    // stop is for exactly what was shown, and no call follows a halt.
    std::string unlawful(Call call, const model::TargetState &target, const model::StopMark &mark)
    {
        const auto guard = m_platform.lock();
        if (!m_mayWrite)
            return "a call that was not requested";
        const auto all = m_operators[1]->log->all();
        if (!all)
            return "the log can't be read: " + all.error().text;
        const ActionRecord *intent = nullptr, *stop = nullptr;
        for (const ActionRecord &record : *all) {
            if (record.intent.kind == ActionKind::Stop && record.intent.key == mark.key)
                stop = &record;
        }
        for (const ActionRecord &record : *all) {
            const bool isIt = call == Call::Stop
                ? &record == stop
                : stop && record.intent.undoes == stop->id && record.state == ActionState::Executing;
            if (isIt)
                intent = &record;
        }
        if (!intent || intent->state != ActionState::Executing)
            return "a call without an intent on disk";
        const auto &said = intent->intent;
        if (said.target.uid != target.ref.uid || said.key.size() != 32 || said.actor.empty() || said.version.empty()
            || said.oldValue.empty() || said.target.cluster.empty() || said.target.kind.empty())
            return "an intent that does not describe its call";
        if (call == Call::Undo)
            return mark.oldValue == stop->intent.oldValue ? "" : "an undo to another value";
        return unlawfulStop(target, mark);
    }

    std::string unlawfulStop(const model::TargetState &target, const model::StopMark &mark)
    {
        const auto shown = m_expected.find(target.ref.uid);
        if (shown == m_expected.end())
            return "an object that was not shown is stopped";
        const model::TargetState &was = shown->second->target;
        if (was.version != target.version || was.value != target.value || was.stoppedValue != target.stoppedValue
            || was.verb != target.verb || was.field != target.field)
            return "an object is stopped in another way than shown";
        if (m_platform.stops(mark.key) != 0)
            return "a stop is repeated";
        if (m_active.count(target.ref.uid) != 0)
            return "an active object is stopped";
        const FakeObject *object = m_platform.withUid(target.ref.uid);
        if (object && object->nameSpaceLabels.count("gpu-ledger.io/protect") != 0)
            return "a protected object is stopped";
        if (m_now->environment.wall.time - shown->second->checkedAt > base::Seconds{600})
            return "it is stopped on outdated checks";
        if (m_halted && ++m_callsAfterHalt > 3)
            return "calls go on after a halt";
        return {};
    }

    // When a state is reported: it is on disk already, and "verified" follows a read.
    void told(Operator &by, const ActionRecord &record, std::stop_source *halt)
    {
        const auto guard = m_platform.lock();
        if (m_isDead)
            return;
        Operator &other = *m_operators[&by == m_operators[0].get() ? 1 : 0];
        const auto onDisk = other.log->action(record.id);
        if (!onDisk || onDisk->state != record.state)
            m_platform.violate("reported before it was on disk: " + std::string(toString(record.state)));
        if (record.state == ActionState::Verified) {
            std::string uid = record.intent.target.uid;
            if (record.intent.kind == ActionKind::Undo && !record.versionAfter.empty()
                && record.versionAfter.rfind("uid-", 0) == 0)
                uid = record.versionAfter;
            const FakeObject *object = m_platform.withUid(uid);
            if (!object || object->readsSinceWrite == 0)
                m_platform.violate("verified without a read");
        }
        if (halt && m_haltAt > 0 && --m_haltAt == 0) {
            m_halted = true;
            m_callsAfterHalt = 0;
            halt->request_stop();
        }
        passed();
    }

    // The result of a run is what is on disk.
    void compare(const Records &records)
    {
        for (const ActionRecord &record : records) {
            const auto onDisk = first().log->action(record.id);
            const bool same = onDisk
                && (onDisk->state == record.state
                    || (record.state == ActionState::Verified && onDisk->state == ActionState::Undone));
            if (!same)
                m_platform.violate("the answer is not what is on disk");
        }
    }

    // Nothing is brought back twice, old values stay, and no state claims more or less than what happened.
    void check()
    {
        const auto all = first().log->all();
        if (!all)
            return m_platform.violate("the log can't be read: " + all.error().text);
        std::set<std::int64_t> brought;
        for (const ActionRecord &record : *all) {
            if (record.intent.kind == ActionKind::Undo && record.state == ActionState::Verified
                && !brought.insert(record.intent.undoes).second)
                m_platform.violate("brought back twice");
        }
        for (const ActionRecord &record : *all)
            checkOne(record);
    }

    void checkOne(const ActionRecord &record)
    {
        const auto &intent = record.intent;
        const auto [known, isNew] = m_oldValues.emplace(intent.key, intent.oldValue);
        if (!isNew && known->second != intent.oldValue)
            m_platform.violate("the old value was written again");
        if (intent.kind != ActionKind::Stop)
            return;
        const int stops = m_platform.stops(intent.key), undos = m_platform.undos(intent.key);
        if (stops > 1 || undos > 1)
            m_platform.violate("two effects of one key");
        const bool notDone = record.state == ActionState::Refused || record.state == ActionState::Confirmed;
        if (notDone && stops != 0)
            m_platform.violate("stopped, but " + std::string(toString(record.state)));
        // Others may have done the same.
        const bool certain = m_touched.count(intent.target.uid) == 0;
        if (undos > stops && certain)
            m_platform.violate("brought back what was not stopped");
        if (record.state == ActionState::Verified && stops != 1 && certain)
            m_platform.violate("verified, but not stopped");
        if (record.state == ActionState::Failed && stops == 1 && undos == 0 && certain && !actions::undoable(record).can
            && record.intent.verb != model::StopVerb::Delete)
            m_platform.violate("stopped, but it can't be brought back: " + record.result);
    }

    // With a platform that answers, the next start settles every action, without further calls.
    void end()
    {
        m_platform.script.clear();
        open();
        for (int i = 0; i < 2; ++i) {
            for (const auto &one : m_operators)
                one->environment.pass(base::Seconds{4000});
            settleIt();
        }
        const auto left = first().log->unsettled();
        if (!left || !left->empty())
            m_platform.violate("an action stays unsettled: "
                               + (left ? std::string(toString(left->front().state)) : left.error().text));
        check();
        effects = m_platform.effects();
    }

    QTemporaryDir m_dir{fastFolder().isEmpty() ? QStringLiteral("actXXXXXX") : fastFolder()};
    int m_life = 0, m_lastName = 0;
    std::mt19937_64 m_random;
    FakePlatform m_platform;
    std::vector<std::unique_ptr<Operator>> m_operators = both(m_platform);
    std::vector<std::string> m_names;
    std::set<std::string> m_touched, m_active;
    std::map<std::string, const actions::PlannedStop *> m_expected;
    std::map<std::string, std::string> m_oldValues;
    Operator *m_now = nullptr;
    std::string m_told, m_abandoned;
    bool m_isFaulty = false, m_mayWrite = false, m_isDead = false, m_halted = false;
    int m_diesAt = 0, m_haltAt = 0, m_callsAfterHalt = 0;

    static std::vector<std::unique_ptr<Operator>> both(FakePlatform &platform)
    {
        std::vector<std::unique_ptr<Operator>> out;
        out.push_back(std::make_unique<Operator>(platform, "alex"));
        out.push_back(std::make_unique<Operator>(platform, "kim"));
        return out;
    }
};

} // namespace

class TestActionHistories : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lawsHold();
};

void TestActionHistories::lawsHold()
{
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("GPULEDGER_ACTION_HISTORIES", &given);
    const int count = given ? wanted : kHistories;
    const int seed = qEnvironmentVariableIntValue("GPULEDGER_ACTION_SEED");
    int deaths = 0, effects = 0, runs = 0;
    QElapsedTimer timer;
    timer.start();
    std::unique_ptr<History> history;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < count; ++i) {
        if (i % kOfOneStore == 0)
            history = std::make_unique<History>(static_cast<std::uint64_t>(seed + i / kOfOneStore));
        const std::string wrong = history->go(6 + static_cast<int>(random() % 10));
        QVERIFY2(wrong.empty(), ("seed " + std::to_string(seed + i / kOfOneStore) + ": " + wrong).c_str());
        if (i % kOfOneStore == kOfOneStore - 1 || i == count - 1) {
            const std::string damaged = history->verified();
            QVERIFY2(damaged.empty(), damaged.c_str());
            deaths += history->deaths;
            effects += history->effects;
            runs += history->runs;
        }
    }
    qInfo("%d histories, %d runs, %d effects, %d deaths, %lld ms", count, runs, effects, deaths,
          static_cast<long long>(timer.elapsed()));
    QVERIFY2(effects > count / 4 && deaths > count / 20, "hardly anything happened");
}

GPULEDGER_SUITE(TestActionHistories)

} // namespace tst_actionhistories

#include "tst_actionhistories.moc"
