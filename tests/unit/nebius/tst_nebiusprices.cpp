// SPDX-License-Identifier: GPL-3.0-or-later
// Prices of presets, as the calculator tells them.
#include "connectors/nebius/platformprices.h"
#include "tests/support/suite.h"
#include "tests/unit/nebius/nebiussetup.h"

#include <QTest>

#include <nebius.pb.h>

namespace tst_nebiusprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;
using model::PurchaseOption;
using nebius::GrpcCode;

namespace {

nebius::wire::Platforms platforms()
{
    nebius::wire::Platforms all;
    const auto add = [&](const char *name, bool isPreemptible,
                         const std::vector<std::pair<const char *, int>> &presets) {
        nebius::wire::Platform &platform = *all.add_items();
        platform.mutable_metadata()->set_name(name);
        platform.mutable_status()->set_allowed_for_preemptibles(isPreemptible);
        for (const auto &[preset, gpus] : presets) {
            platform.mutable_spec()->add_presets()->set_name(preset);
            platform.mutable_spec()->mutable_presets()->rbegin()->mutable_resources()->set_gpu_count(gpus);
        }
    };
    add("cpu-d3", false, {{"4vcpu-16gb", 0}});
    add("gpu-h100-sxm", true, {{"8gpu-128vcpu-1600gb", 8}});
    add("gpu-l40s-a", false, {{"1gpu-8vcpu-32gb", 1}});
    return all;
}

nebius::wire::Estimated priced(const char *cost, const char *unit = "hour", const char *currency = "usd")
{
    nebius::wire::Estimated told;
    told.set_currency(currency);
    told.add_total_costs()->mutable_aggregation_unit()->set_unit("month");
    nebius::wire::TotalCost &total = *told.add_total_costs();
    total.mutable_aggregation_unit()->set_unit(unit);
    total.mutable_general()->mutable_total()->set_cost(cost);
    return told;
}

} // namespace

class TestNebiusPrices : public QObject {
    Q_OBJECT

    static base::Result<ports::PricesTold> read(NebiusSetup &setup)
    {
        nebius::PlatformPrices prices("cloud", setup.calls(), setup.clock);
        return prices.read({}, {});
    }

private Q_SLOTS:
    void everyPresetWithGpusIsAskedFor()
    {
        NebiusSetup setup;
        setup.say("List", platforms());
        nebius::wire::Project project;
        project.mutable_spec()->set_region("eu-north1");
        setup.say("Get", project);
        for (const char *cost : {"30.8000000000", "17.2000000004", "1.5484"})
            setup.say("EstimateBatch", priced(cost));
        const auto told = read(setup);
        QVERIFY2(told.has_value(), told ? "" : told.error().text.c_str());
        QCOMPARE(told->now.quotes.size(), std::size_t{3});
        const model::PriceQuote &first = told->now.quotes[0], &spot = told->now.quotes[1];
        QCOMPARE(first.machine, std::string("gpu-h100-sxm_8gpu-128vcpu-1600gb"));
        QCOMPARE(first.gpuName + ' ' + first.region, std::string("H100 SXM eu-north1"));
        QCOMPARE(first.microGpus, 8 * model::kMicroOfGpu);
        QCOMPARE(first.perHour.nanos(), std::int64_t{30'800'000'000});
        QVERIFY(first.purchase == PurchaseOption::OnDemand && spot.purchase == PurchaseOption::Spot);
        QCOMPARE(spot.perHour.nanos(), std::int64_t{17'200'000'000});
        QVERIFY(told->now.quotes[2].purchase == PurchaseOption::OnDemand);
        const auto asked = setup.asked<nebius::wire::Estimate>(3);
        QCOMPARE(asked.currency(), std::string("usd"));
        QCOMPARE(asked.filter_aggregation_unit().units(0), 2);
        const nebius::wire::Any &spec = asked.resource_specs(0).spec();
        QCOMPARE(spec.type_url(), std::string("type.googleapis.com/nebius.compute.v1.CreateInstanceRequest"));
        nebius::wire::CreateInstance planned;
        QVERIFY(planned.ParseFromString(spec.value()));
        QCOMPARE(planned.metadata().parent_id(), std::string("project-e00lab"));
        QCOMPARE(planned.spec().resources().preset(), std::string("8gpu-128vcpu-1600gb"));
        QCOMPARE(planned.spec().preemptible().on_preemption(), 1);
    }

    void whatHasNoPriceIsCounted()
    {
        NebiusSetup setup;
        setup.say("List", platforms());
        setup.refuse("EstimateBatch", GrpcCode::InvalidArgument);
        setup.say("EstimateBatch", priced("17.2"));
        setup.refuse("EstimateBatch", GrpcCode::NotFound);
        const auto told = read(setup);
        QVERIFY2(told.has_value(), told ? "" : told.error().text.c_str());
        QCOMPARE(told->now.quotes.size(), std::size_t{1});
        QCOMPARE(told->now.leftOut.at(LeftOut::NoPrice), std::size_t{2});
    }

    void aListWithoutAnyPriceIsNone()
    {
        NebiusSetup setup;
        setup.say("List", platforms());
        for (int i = 0; i < 3; ++i)
            setup.refuse("EstimateBatch", GrpcCode::InvalidArgument);
        QVERIFY(read(setup).error().code == ErrorCode::Server);
    }

    void amountsThatAreNotWhatWasAskedAreRefused()
    {
        for (const auto &[answer, code] : std::vector<std::pair<nebius::wire::Estimated, ErrorCode>>{
                 {priced("30.8", "hour", "ils"), ErrorCode::Unsupported},
                 {priced("30.8", "hour", ""), ErrorCode::Unsupported},
                 {priced("30.8", "day"), ErrorCode::Unsupported},
                 {priced("30,8"), ErrorCode::Parse},
                 {priced(""), ErrorCode::Parse},
                 {priced("1e99"), ErrorCode::Overflow}}) {
            NebiusSetup setup;
            setup.say("List", platforms());
            setup.say("EstimateBatch", answer);
            const auto told = read(setup);
            QVERIFY2(!told && told.error().code == code, told ? "read" : told.error().text.c_str());
        }
    }

    void missingRightsAreNamed()
    {
        const auto rightOf = [](NebiusSetup &setup) {
            nebius::PlatformPrices prices("cloud", setup.calls(), setup.clock);
            const auto found = prices.probe({});
            return found && found->size() == 1 && found->front().text == ports::FindingText::PricesWithheld
                ? std::get<std::string>(found->front().terms.front())
                : std::string();
        };
        NebiusSetup list, price, none;
        list.refuse("List", GrpcCode::PermissionDenied);
        QCOMPARE(rightOf(list), std::string("PlatformService.List"));
        price.say("List", platforms());
        price.refuse("EstimateBatch", GrpcCode::PermissionDenied);
        QCOMPARE(rightOf(price), std::string("CalculatorService.EstimateBatch"));
        none.say("List", platforms());
        none.say("EstimateBatch", priced("30.8"));
        QCOMPARE(rightOf(none), std::string());
        NebiusSetup refused;
        refused.say("List", platforms());
        refused.refuse("EstimateBatch", GrpcCode::PermissionDenied);
        QVERIFY(read(refused).error().code == ErrorCode::Forbidden);
    }
};

GPULEDGER_SUITE(TestNebiusPrices)

} // namespace tst_nebiusprices

#include "tst_nebiusprices.moc"
