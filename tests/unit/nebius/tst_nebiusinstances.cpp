// SPDX-License-Identifier: GPL-3.0-or-later
// What an instance's description means for the list and for a stop, and what becomes of a change. The stops as a whole:
// tests/integration/run_nebiusstops.py.
#include "app/base/text/text.h"
#include "connectors/nebius/instancestate.h"
#include "connectors/nebius/instancetarget.h"
#include "connectors/nebius/machineinventory.h"
#include "tests/support/suite.h"
#include "tests/unit/nebius/nebiussetup.h"

#include <QTest>

#include <nebius.pb.h>

#include <algorithm>
#include <functional>

namespace tst_nebiusinstances {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::Caution;
using model::Loss;
using model::Obstacle;
using nebius::GrpcCode;
using nebius::InstanceState;
using Ended = ports::WriteOutcome::Kind;

namespace {

using Change = std::function<void(nebius::wire::Instance &)>;

nebius::wire::Instance described(const Change &change = {})
{
    nebius::wire::Instance one;
    one.mutable_metadata()->set_id("computeinstance-e00a");
    one.mutable_metadata()->set_parent_id("project-e00lab");
    one.mutable_metadata()->set_name("train-1");
    one.mutable_metadata()->set_resource_version(3);
    one.mutable_metadata()->mutable_created_at()->set_seconds(1'793'491'200);
    auto &label = *one.mutable_metadata()->add_labels();
    label.set_key("team");
    label.set_value("vision");
    one.mutable_spec()->mutable_resources()->set_platform("gpu-h100-sxm");
    one.mutable_spec()->mutable_resources()->set_preset("8gpu-128vcpu-1600gb");
    one.mutable_spec()->mutable_gpu_cluster();
    one.mutable_status()->set_state(static_cast<int>(InstanceState::Running));
    if (change)
        change(one);
    return one;
}

nebius::InstanceFacts factsWith(const Change &change = {})
{
    return nebius::factsOf(described(change)).value();
}

model::TargetState stateWith(const Change &change = {})
{
    return nebius::stateOf(factsWith(change), "project-e00lab");
}

Change inState(InstanceState state)
{
    return [state](nebius::wire::Instance &one) { one.mutable_status()->set_state(static_cast<int>(state)); };
}

Change labelled(const char *key)
{
    return [key](nebius::wire::Instance &one) {
        auto &label = *one.mutable_metadata()->add_labels();
        label.set_key(key);
        label.set_value("x");
    };
}

const std::map<std::string, ports::KnownMachine> &known()
{
    static const std::map<std::string, ports::KnownMachine> kKnown{
        {"gpu-h100-sxm_8gpu-128vcpu-1600gb", {"H100 SXM", 8'000'000}}, {"gpu-part_1", {"T4", 500'000}}};
    return kKnown;
}

nebius::wire::Platform platformNamed(const char *name, const char *preset, int gpus)
{
    nebius::wire::Platform platform;
    platform.mutable_metadata()->set_name(name);
    nebius::wire::Preset &one = *platform.mutable_spec()->add_presets();
    one.set_name(preset);
    one.mutable_resources()->set_gpu_count(gpus);
    return platform;
}

nebius::wire::Estimated priced(const char *cost)
{
    nebius::wire::Estimated told;
    told.set_currency("usd");
    nebius::wire::TotalCost &total = *told.add_total_costs();
    total.mutable_aggregation_unit()->set_unit("hour");
    total.mutable_general()->mutable_total()->set_cost(cost);
    return told;
}

bool hasLoss(const model::TargetState &state, Loss loss)
{
    return std::find(state.losses.begin(), state.losses.end(), loss) != state.losses.end();
}

} // namespace

class TestNebiusInstances : public QObject {
    Q_OBJECT

    static bool says(const model::TargetState &state, const char *words)
    {
        return std::any_of(state.cautions.begin(), state.cautions.end(),
                           [&](const Caution &one) { return one.text.find(words) != std::string::npos; });
    }
    static ports::WriteOutcome outcome(const http::Response &response)
    {
        return nebius::outcomeOf(response, "https://x/Stop");
    }

private Q_SLOTS:
    void theFactsAreRead()
    {
        const nebius::InstanceFacts facts = factsWith([](nebius::wire::Instance &one) {
            one.mutable_spec()->mutable_preemptible();
            one.mutable_spec()->set_hostname("train");
            one.mutable_status()->set_reservation_id("capacityblockgroup-e00r");
        });
        QCOMPARE(facts.type(), std::string("gpu-h100-sxm_8gpu-128vcpu-1600gb"));
        QVERIFY(facts.created == base::parseTime("2026-11-01T00:00:00Z").value());
        QVERIFY((facts.labels == model::Labels{{"team", "vision"}}));
        QVERIFY(facts.isPreemptible && !facts.hasLocalDisk && !facts.isInCluster() && facts.gpuCluster.empty());
        QCOMPARE(facts.hostName + ' ' + facts.reservation, std::string("train capacityblockgroup-e00r"));
    }

    void textsThatAreNoneAreRepaired()
    {
        const nebius::InstanceFacts facts = factsWith([](nebius::wire::Instance &one) {
            one.mutable_metadata()->set_name("a\xff\x1b[31m\n" + std::string(9'999, 'x'));
            one.mutable_metadata()->mutable_labels(0)->set_value("\xfe");
            one.mutable_metadata()->mutable_created_at()->set_seconds(INT64_MAX);
            one.mutable_status()->set_state(99);
        });
        QVERIFY(base::isUtf8(facts.name) && facts.name.size() < 1'000 && facts.name.find('\x1b') == std::string::npos);
        QVERIFY(base::isUtf8(facts.labels.at("team")));
        QVERIFY(!facts.created && facts.state == InstanceState::Unspecified);
    }

    void anIdThatCanNotBeOneIsRefused()
    {
        for (const std::string &id : {std::string(), std::string("a/b"), std::string("a b"), std::string("\xff"),
                                      std::string("a\n"), std::string(101, 'a')}) {
            const auto facts =
                nebius::factsOf(described([&](nebius::wire::Instance &one) { one.mutable_metadata()->set_id(id); }));
            QVERIFY(!facts && facts.error().code == ErrorCode::Parse);
        }
    }

    void modelsAreThoseOfTheCatalogue()
    {
        QCOMPARE(nebius::gpuOf("gpu-l40s-a"), std::string("L40S"));
        QCOMPARE(nebius::gpuOf("gpu-b200-sxm-a"), std::string("B200"));
        QCOMPARE(nebius::gpuOf("gpu-rtx6000"), std::string("RTX PRO 6000"));
        QCOMPARE(nebius::gpuOf("gpu-gb300"), std::string("GB300"));
        QCOMPARE(nebius::gpuOf("gpu-h100-sxmx"), std::string("h100-sxmx"));
        QCOMPARE(nebius::gpuOf("cpu-d3"), std::string());
    }

    void typesAreKnownOrTold()
    {
        nebius::InstanceTypes types(known());
        QVERIFY(!types.isMissing("gpu-h100-sxm", "8gpu-128vcpu-1600gb") && !types.isMissing("cpu-d3", "4vcpu-16gb"));
        QVERIFY(types.isMissing("gpu-b300-sxm", "1gpu-24vcpu-346gb"));
        QVERIFY(!types.of("gpu-b300-sxm", "1gpu-24vcpu-346gb").isKnown);
        types.learn(platformNamed("gpu-b300-sxm", "1gpu-24vcpu-346gb", 1));
        types.learn(platformNamed("odd", "p", 2));
        types.learn(platformNamed("gpu-none", "p", -1));
        const nebius::TypeGpus told = types.of("gpu-b300-sxm", "1gpu-24vcpu-346gb");
        QVERIFY(told.isKnown && told.name == "B300" && told.count == 1);
        QCOMPARE(types.of("odd", "p").name, std::string("odd"));
        QVERIFY(types.of("gpu-none", "p").isKnown && types.of("gpu-none", "p").name.empty());
        QCOMPARE(types.of("gpu-part", "1").count, std::int64_t{0});
    }

    void whatIsOnIsListed_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("listed"); // 1; 0: not; -1: left out
        const auto row = [](InstanceState state, int listed) {
            QTest::newRow(std::string(nebius::wordOf(state)).c_str()) << static_cast<int>(state) << listed;
        };
        row(InstanceState::Unspecified, -1);
        row(InstanceState::Creating, 0);
        row(InstanceState::Updating, 1);
        row(InstanceState::Starting, 0);
        row(InstanceState::Running, 1);
        row(InstanceState::Stopping, 1);
        row(InstanceState::Stopped, 0);
        row(InstanceState::Deleting, 0);
        row(InstanceState::Error, -1);
    }
    void whatIsOnIsListed()
    {
        QFETCH(const int, state);
        QFETCH(const int, listed);
        ports::Inventory out;
        const bool isAdded = nebius::addInstance(factsWith(inState(static_cast<InstanceState>(state))),
                                                 nebius::InstanceTypes(known()), "eu-north1", out);
        QCOMPARE(isAdded, listed == 1);
        QCOMPARE(out.machines.size(), std::size_t(listed == 1));
        QCOMPARE(out.leftOut.size(), std::size_t(listed == -1));
        if (listed != 1)
            return;
        const ports::ListedMachine &machine = out.machines.front();
        QCOMPARE(machine.providerId, std::string("nebius://computeinstance-e00a"));
        QCOMPARE(machine.gpuName, std::string("H100 SXM"));
        QCOMPARE(machine.gpus, std::int64_t{8});
        QVERIFY((machine.tags == model::Labels{{"team", "vision"}, {"instance_name", "train-1"}}));
        QVERIFY(!machine.since && !machine.until && !machine.isSpot && !machine.isMember && !machine.perHour);
    }

    void onesThatAreToBeStoppedAreOff()
    {
        QVERIFY(factsWith([](nebius::wire::Instance &one) {
                    inState(InstanceState::Updating)(one);
                    one.mutable_spec()->set_stopped(true);
                }).isOn()
                == false);
    }

    void unknownSizesAndPartsAreLeftOut()
    {
        const nebius::InstanceTypes types(known());
        ports::Inventory out;
        for (const char *platform : {"gpu-new", "gpu-part", "", "cpu-d3"})
            nebius::addInstance(factsWith([&](nebius::wire::Instance &one) {
                                    one.mutable_spec()->mutable_resources()->set_platform(platform);
                                    one.mutable_spec()->mutable_resources()->set_preset("1");
                                }),
                                types, {}, out);
        QVERIFY(out.machines.empty());
        QCOMPARE(out.leftOut.size(), std::size_t{2});
        QCOMPARE(out.leftOut[0].count, std::uint64_t{2});
        QCOMPARE(out.leftOut[1].reason, std::string("machine with a part of a GPU"));
    }

    void aListHasPricesAndARegion()
    {
        NebiusSetup setup;
        nebius::wire::Instances page;
        *page.add_items() = described();
        *page.add_items() = described([](nebius::wire::Instance &one) {
            one.mutable_metadata()->set_id("computeinstance-e00b");
            one.mutable_status()->set_reservation_id("r");
        });
        *page.add_items() = described([](nebius::wire::Instance &one) {
            one.mutable_metadata()->set_id("computeinstance-e00c");
            one.mutable_spec()->mutable_preemptible()->set_on_preemption(1);
        });
        *page.add_items() =
            described([](nebius::wire::Instance &one) { one.mutable_metadata()->set_id("computeinstance-e00d"); });
        setup.say("List", page);
        nebius::wire::Project project;
        project.mutable_spec()->set_region("eu-north1");
        setup.answers["Get"] = {grpcAnswer(project.SerializeAsString())};
        setup.say("EstimateBatch", priced("30.8"));
        setup.refuse("EstimateBatch", GrpcCode::PermissionDenied);
        nebius::MachineInventory inventory("cloud", setup.calls(), setup.clock);
        const auto read = inventory.read(known(), {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QCOMPARE(read->machines.size(), std::size_t{4});
        QCOMPARE(read->machines[0].region, std::string("eu-north1"));
        QCOMPARE(read->machines[0].perHour->toDecimal(), std::string("30.800000000"));
        QVERIFY(!read->machines[1].perHour); // reserved
        QVERIFY(!read->machines[2].perHour && read->machines[2].isSpot); // nobody says it
        QVERIFY(read->machines[3].perHour == read->machines[0].perHour);
        QCOMPARE(setup.sent.size(), std::size_t{4});
    }

    void aListOfAnotherTimeIsNone()
    {
        NebiusSetup setup;
        http::Response answer = grpcAnswer("");
        answer.headers.emplace_back("date", "Fri, 20 Nov 2026 12:00:00 GMT");
        setup.answers["List"] = {answer};
        nebius::MachineInventory inventory("cloud", setup.calls(), setup.clock);
        QVERIFY(inventory.read(known(), {}).error().code == ErrorCode::Refused);
    }

    void platformsAreAskedForWhatNobodyKnows()
    {
        NebiusSetup setup;
        nebius::wire::Instances page;
        *page.add_items() = described([](nebius::wire::Instance &one) {
            one.mutable_spec()->mutable_resources()->set_platform("gpu-b300-sxm");
            one.mutable_spec()->mutable_resources()->set_preset("1gpu");
        });
        setup.say("List", page);
        nebius::wire::Platforms platforms;
        *platforms.add_items() = platformNamed("gpu-b300-sxm", "1gpu", 1);
        setup.say("List", platforms);
        setup.refuse("Get", GrpcCode::PermissionDenied); // the region
        nebius::MachineInventory inventory("cloud", setup.calls(), setup.clock);
        const auto read = inventory.read(known(), {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QCOMPARE(read->machines.at(0).gpuName, std::string("B300"));
        QVERIFY(read->machines[0].region.empty());
        QVERIFY(setup.sent[1].url.ends_with("PlatformService/List"));
    }

    void rightsAreFound()
    {
        NebiusSetup setup;
        setup.answers["List"] = {grpcAnswer(""), grpcAnswer({}, GrpcCode::PermissionDenied)};
        nebius::MachineInventory inventory("cloud", setup.calls(), setup.clock);
        const auto found = inventory.probe({});
        QCOMPARE(found->size(), std::size_t{2});
        QVERIFY(found->at(0).text == ports::FindingText::RightGiven);
        QVERIFY(found->at(1).text == ports::FindingText::MachinesWithheld);
        setup.refuse("List", GrpcCode::NotFound);
        QVERIFY(inventory.probe({}).error().code == ErrorCode::NotFound);
    }

    void aRunningInstanceCanBeStoppedAndBroughtBack()
    {
        const model::TargetState state = stateWith();
        QCOMPARE(model::fullNameOf(state.ref), std::string("computeinstance-e00a"));
        QCOMPARE(state.value, std::string("\"running\""));
        QCOMPARE(state.stoppedValue, std::string("\"stopped\""));
        QVERIFY(!state.obstacle && !state.isStopped && !state.isChanging && state.isReversible && !state.protectedBy);
        QVERIFY((state.losses == std::vector{Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::Capacity}));
    }

    void whatStandsInTheWayIsNamed()
    {
        const auto obstacle = [](const Change &change) { return stateWith(change).obstacle; };
        const auto is = [&](const Change &change, Obstacle::Kind kind, const char *words) {
            const auto found = obstacle(change);
            return found && found->kind == kind && found->text.find(words) != std::string::npos;
        };
        QVERIFY(is(inState(InstanceState::Stopped), Obstacle::Kind::AlreadyStopped, "it is stopped"));
        QVERIFY(is(inState(InstanceState::Stopping), Obstacle::Kind::AlreadyStopped, "it is stopping"));
        QVERIFY(is(inState(InstanceState::Starting), Obstacle::Kind::Other, "it is starting"));
        QVERIFY(is(inState(InstanceState::Error), Obstacle::Kind::Other, "error"));
        QVERIFY(is(inState(InstanceState::Unspecified), Obstacle::Kind::Other, "unknown"));
        QVERIFY(is(labelled("mk8s-cluster-id"), Obstacle::Kind::ManagedElsewhere, "node group"));
        QVERIFY(is(labelled("mk8s-node-group-id"), Obstacle::Kind::ManagedElsewhere, "node group"));
        QVERIFY(is([](nebius::wire::Instance &one) { one.mutable_status()->set_reconciling(true); },
                   Obstacle::Kind::Other, "an operation"));
    }

    void whatIsLostAndWhatStaysIsSaid()
    {
        const model::TargetState disk = stateWith([](nebius::wire::Instance &one) {
            one.mutable_spec()->mutable_local_disks();
            one.mutable_spec()->mutable_gpu_cluster()->set_id("computegpucluster-e00g");
            one.mutable_spec()->set_nvl_instance_group_id("computenvlinstancegroup-e00n");
        });
        QVERIFY(!disk.isReversible && hasLoss(disk, Loss::LocalDisk));
        QVERIFY(says(disk, "computegpucluster-e00g") && says(disk, "computenvlinstancegroup-e00n"));
        QVERIFY(says(disk, "disks and any static address stay billed"));
        const model::TargetState reserved = stateWith(
            [](nebius::wire::Instance &one) { one.mutable_status()->set_reservation_id("capacityblockgroup-e00r"); });
        QVERIFY(!hasLoss(reserved, Loss::Capacity));
        QVERIFY(says(reserved, "reservation capacityblockgroup-e00r"));
        QVERIFY(says(stateWith([](nebius::wire::Instance &one) { one.mutable_spec()->mutable_preemptible(); }),
                     "a preemptible machine"));
        QVERIFY(!says(disk, "preemptible") && !says(disk, "reservation") && !says(stateWith(), "cluster"));
    }

    void labelsOfOursProtect()
    {
        QVERIFY(stateWith(labelled("gpu-ledger_protect")).protectedBy.has_value());
        QVERIFY(stateWith(labelled("gpu-ledger.io/protect")).protectedBy.has_value());
        QVERIFY(!stateWith(labelled("protect")).protectedBy);
    }

    void theVersionChangesWithWhatMatters()
    {
        const std::string before = nebius::versionOf(factsWith());
        QCOMPARE(nebius::versionOf(factsWith()), before);
        const std::vector<Change> changes{
            inState(InstanceState::Stopping),
            labelled("a"),
            [](nebius::wire::Instance &one) { one.mutable_metadata()->set_resource_version(4); },
            [](nebius::wire::Instance &one) { one.mutable_metadata()->mutable_labels(0)->set_value("nlp"); },
            [](nebius::wire::Instance &one) { one.mutable_status()->set_reservation_id("r"); },
            [](nebius::wire::Instance &one) { one.mutable_status()->set_reconciling(true); },
            [](nebius::wire::Instance &one) { one.mutable_spec()->mutable_resources()->set_preset("1gpu"); }};
        for (std::size_t i = 0; i < changes.size(); ++i)
            QVERIFY2(nebius::versionOf(factsWith(changes[i])) != before, std::to_string(i).c_str());
    }

    void namesAreIdsNamesAndHostNames()
    {
        const nebius::InstanceFacts facts =
            factsWith([](nebius::wire::Instance &one) { one.mutable_spec()->set_hostname("Train"); });
        for (const char *name : {"computeinstance-e00a", "train-1", "train", "train.lab.example"})
            QVERIFY2(nebius::bears(facts, name), name);
        for (const char *name : {"", "train-", "train1.lab", "computeinstance-e00"})
            QVERIFY2(!nebius::bears(facts, name), name);
    }

    void becomesWhatTheServiceSays()
    {
        nebius::wire::Operation operation;
        operation.set_id("computeoperation-e00o");
        const ports::WriteOutcome done = outcome(grpcAnswer(operation.SerializeAsString()));
        QVERIFY(done.kind == Ended::Done && done.text.empty());
        QCOMPARE(done.receipt, std::string("computeoperation-e00o"));
        operation.mutable_status();
        QVERIFY(outcome(grpcAnswer(operation.SerializeAsString())).kind == Ended::Done);
        operation.mutable_status()->set_code(8);
        operation.mutable_status()->set_message("no capacity\x1b");
        const ports::WriteOutcome failed = outcome(grpcAnswer(operation.SerializeAsString()));
        QVERIFY(failed.kind == Ended::Refused);
        QVERIFY2(failed.text.starts_with("RESOURCE_EXHAUSTED: no capacity"), failed.text.c_str());
        operation.mutable_status()->set_code(-7);
        QVERIFY(outcome(grpcAnswer(operation.SerializeAsString())).text.starts_with("the operation failed"));
        for (const std::string &none : {std::string(), std::string("\xff")})
            QVERIFY(outcome(grpcAnswer(none)).kind == Ended::Unknown);
    }

    void nothingIsTakenForDoneWithoutAnAnswer()
    {
        const auto kind = [](GrpcCode code) { return outcome(grpcAnswer({}, code)).kind; };
        for (const GrpcCode code : {GrpcCode::Cancelled, GrpcCode::Unknown, GrpcCode::DeadlineExceeded,
                                    GrpcCode::Internal, GrpcCode::Unavailable, GrpcCode::DataLoss})
            QVERIFY2(kind(code) == Ended::Unknown, std::string(nebius::nameOf(code)).c_str());
        QVERIFY(kind(GrpcCode::NotFound) == Ended::Gone);
        QVERIFY(kind(GrpcCode::FailedPrecondition) == Ended::Changed && kind(GrpcCode::Aborted) == Ended::Changed);
        QVERIFY(kind(GrpcCode::ResourceExhausted) == Ended::TryLater);
        for (const GrpcCode code : {GrpcCode::PermissionDenied, GrpcCode::Unauthenticated, GrpcCode::InvalidArgument,
                                    GrpcCode::Unimplemented, GrpcCode::OutOfRange})
            QVERIFY2(kind(code) == Ended::Refused, std::string(nebius::nameOf(code)).c_str());
        QVERIFY(outcome(answer("busy", 503)).kind == Ended::Unknown);
        QVERIFY(outcome(answer("slow", 429)).kind == Ended::TryLater);
        QVERIFY(outcome(answer("no", 403)).kind == Ended::Refused);
        QVERIFY(outcome(answer("<html>", 200, "text/html")).kind == Ended::Unknown);
        QVERIFY(outcome(answer("", 200, "application/grpc")).kind == Ended::Unknown); // cut off
    }

    void aMachineIsFoundByOneOfItsNames()
    {
        NebiusSetup setup;
        setup.settings.cluster = "lab";
        nebius::InstanceTarget target(setup.settings, setup.calls(), setup.clock, setup.pause);
        model::HolderKey holder;
        holder.cluster = "lab";
        holder.kind = model::SubjectKind::Machine;
        holder.name = holder.instanceId = "Train-1";
        nebius::wire::Instances page;
        *page.add_items() = described();
        setup.say("List", page);
        setup.say("Get", described());
        const auto found = target.find(holder, {});
        QVERIFY2(found.has_value(), found ? "" : found.error().text.c_str());
        QCOMPARE(found->ref.name, std::string("computeinstance-e00a"));
        *page.add_items() =
            described([](nebius::wire::Instance &one) { one.mutable_metadata()->set_id("computeinstance-e00b"); });
        setup.say("List", page);
        QVERIFY(target.find(holder, {}).error().code == ErrorCode::Refused);
        setup.say("List", nebius::wire::Instances());
        QVERIFY(target.find(holder, {}).error().code == ErrorCode::NotFound);
    }
};

GPULEDGER_SUITE(TestNebiusInstances)

} // namespace tst_nebiusinstances

#include "tst_nebiusinstances.moc"
