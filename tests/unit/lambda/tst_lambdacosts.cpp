// SPDX-License-Identifier: GPL-3.0-or-later
// What Lambda's list of instances becomes. The figures as a whole: tests/integration/run_lambda.py.
#include "app/ledger/prices/gpufamily.h"
#include "connectors/lambda/costlines.h"
#include "connectors/lambda/instancelist.h"
#include "connectors/lambda/sightings.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_lambdacosts {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using lambda::InstanceState;
using lambda::ListedInstance;

namespace {

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

// The example of the specification.
const char *const kRow = "{'id':'0920582c7ff041399e34823a0be62549','name':'My Instance','ip':'198.51.100.2','status':"
                         "'active','region':{'name':'us-west-1','description':'California, USA'},'instance_type':{"
                         "'name':'gpu_8x_h100_sxm5gdr','description':'8x H100 (80 GB SXM5)','gpu_description':'H100 "
                         "(80 GB SXM5)','price_cents_per_hour':3592,'specs':{'vcpus':208,'memory_gib':1800,"
                         "'storage_gib':24780,'gpus':8}},'tags':[{'key':'team','value':'vision'}]}";

std::string page(const std::string &rows)
{
    return js("{'data':[" + rows + "]}");
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    return text.replace(text.find(from), from.size(), to);
}

ListedInstance readOne(const std::string &from, const std::string &to)
{
    const auto read = lambda::readInstances(page(replaced(kRow, from, to)));
    return read && read->size() == 1 ? read->front() : ListedInstance();
}

ListedInstance listed(const char *id, std::optional<std::int64_t> cents = 100,
                      InstanceState state = InstanceState::Active)
{
    return {id, state, {"name", "gpu_8x_h100_sxm5", "H100", "8", "us-east-1", ""}, cents, false, "100"};
}

// Remembers, and fails after so many writes.
class Memory final : public ports::BillSink {
public:
    base::Result<bool> knows(const std::vector<std::string> &) override { return false; }
    base::Result<void> begin(const std::vector<ports::BillFile> &) override { return {}; }
    base::Result<void> accept(ports::BillBatch) override { return {}; }
    base::Result<void> commit(const ports::ImportReport &) override { return {}; }
    void discard() override { }
    void progress(const ports::BillProgress &) override { }
    base::Result<std::string> kept(const std::string &key) override { return texts[key]; }
    base::Result<void> keep(const std::string &key, const std::string &value) override
    {
        if (writes-- <= 0)
            return base::fail(ErrorCode::StorageFull, "full");
        texts[key] = value;
        return {};
    }

    std::map<std::string, std::string> texts;
    int writes = 1'000'000;
};

const base::TimeRange kOctober{*base::parseTime("2026-10-01"), *base::parseTime("2026-11-01")};
const base::TimeRange kNovember{*base::parseTime("2026-11-01"), *base::parseTime("2026-12-01")};

std::vector<model::BillLine> linesIn(const base::TimeRange &range, Memory &memory)
{
    const auto seen = lambda::seenIn(range, memory);
    return seen ? lambda::linesOf({range, range, "lambda/bill"}, *seen) : std::vector<model::BillLine>();
}

std::int64_t sumOf(Memory &memory)
{
    std::int64_t sum = 0;
    for (const base::TimeRange &range : {kOctober, kNovember}) {
        for (const model::BillLine &line : linesIn(range, memory))
            sum += line.billed.nanos();
    }
    return sum;
}

} // namespace

class TestLambdaCosts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsTheExampleOfTheSpecification()
    {
        const auto read = lambda::readInstances(page(kRow));
        QVERIFY(read && read->size() == 1);
        const ListedInstance &one = read->front();
        QCOMPARE(one.id, std::string("0920582c7ff041399e34823a0be62549"));
        QVERIFY(one.state == InstanceState::Active && one.cents == 3592 && !one.isReserved);
        QVERIFY((one.facts
                 == lambda::InstanceFacts{"My Instance", "gpu_8x_h100_sxm5gdr", "H100 (80 GB SXM5)", "8", "us-west-1",
                                          R"({"team":"vision"})"}));
        lambda::SeenMonth seen;
        const base::UtcTime begin = at("2026-11-03T22:00:00Z");
        seen.instances[one.id] = {one.facts, {{begin, begin + base::Seconds{3 * 3600}, one.cents}}};
        const auto lines = lambda::linesOf({kNovember, kNovember, "lambda/bill"}, seen);
        QCOMPARE(lines.size(), std::size_t{2});
        const model::BillLine &line = lines.front();
        QCOMPARE(line.billed.nanos(), std::int64_t{71'840'000'000});
        QVERIFY(line.billed == line.effective && line.billed.currency() == base::Currency::usd());
        QVERIFY((line.chargePeriod == base::TimeRange{begin, at("2026-11-04")}));
        QVERIFY(line.consumedQuantity.amount == base::Decimal::parse("7200").value());
        QCOMPARE(line.product.skuDetails.at("GpuCount"), std::string("8"));
        QCOMPARE(line.product.skuDetails.at("InstanceType"), std::string("gpu_8x_h100_sxm5gdr"));
        QCOMPARE(line.tags.at("instance_name"), std::string("My Instance"));
        QCOMPARE(line.tags.at("team"), std::string("vision"));
        QCOMPARE(line.description, std::string("Estimate: 35.92 USD an hour for the time that was seen"));
        QVERIFY(line.resource.name.empty() && line.resource.id == one.id && line.resource.regionId == "us-west-1");
        QCOMPARE(line.product.serviceName, std::string("On-Demand Cloud (estimate)"));
        QVERIFY(!ledger::gpuTypeIn("lambda", "GPU instance").empty()
                && !ledger::gpuTypeIn("lambda", "gpu_1x_x").empty());
        QVERIFY(ledger::gpuTypeIn("lambda", "cpu_4x").empty() && ledger::gpuTypeIn("lambda", "CPU instance").empty());
    }

    void aPriceIsAWholeNumberOfCentsOrUnknown()
    {
        QVERIFY(readOne("3592", "1").cents == 1 && readOne("3592", "1000000").cents == 1'000'000);
        QVERIFY(readOne("3592", "'250'").cents == 250);
        for (const char *odd : {"0", "-1", "12.5", "3592.0", "1e3", "1000001", "99999999999999999999", "null", "true",
                                "'x'", "[3592]", "{}"})
            QVERIFY2(!readOne("3592", odd).id.empty() && !readOne("3592", odd).cents, odd);
        QCOMPARE(readOne("3592", "12.5").price, std::string("12.5"));
        const ListedInstance reserved = readOne("'tags'", "'is_reserved':true,'tags'");
        QVERIFY(reserved.isReserved && !reserved.cents);
        QVERIFY(readOne("'tags'", "'is_reserved':false,'tags'").cents == 3592);
        QVERIFY(readOne("'tags'", "'is_reserved':'true','tags'").cents == 3592);
    }

    void aNumberOfGpusIsWholeOrUnknown()
    {
        QCOMPARE(readOne("'gpus':8", "'gpus':0").facts.gpus, std::string("0"));
        QCOMPARE(readOne("'gpus':8", "'gpus':1024").facts.gpus, std::string("1024"));
        for (const char *odd : {"'gpus':-1", "'gpus':1025", "'gpus':8.5", "'gpus':null", "'x':8"}) {
            const ListedInstance one = readOne("'gpus':8", odd);
            QVERIFY2(!one.id.empty() && one.facts.gpus.empty(), odd);
        }
    }

    void refusesWhatItCannotRead()
    {
        const std::string twice = std::string(kRow) + ',' + kRow;
        for (const std::string &bad :
             {std::string(), std::string("[]"), std::string("{}"), std::string("{\"data\":7}"), page("7"), page("null"),
              page(twice), page(replaced(kRow, "'id'", "'x'")), page(replaced(kRow, "'active'", "'asleep'")),
              page(replaced(kRow, "'active'", "7")), page(replaced(kRow, "'status'", "'x'")),
              page(replaced(kRow, "'instance_type'", "'x'")), page(replaced(kRow, "'gpu_8x_h100_sxm5gdr'", "''"))}) {
            const auto read = lambda::readInstances(bad);
            QVERIFY2(!read && read.error().code == ErrorCode::Parse, bad.c_str());
        }
        QCOMPARE(lambda::readInstances(page(std::string(kRow) + ",{}")).error().text,
                 std::string("Lambda's list of instances can't be read: instance number 2 has no id"));
        std::string many = "{}";
        for (std::size_t i = 0; i < lambda::kMostInstances; ++i)
            many += ",{}";
        QVERIFY(lambda::readInstances(page(many)).error().code == ErrorCode::TooMuch);
        const auto none = lambda::readInstances(page(""));
        QVERIFY(none && none->empty());
    }

    void costsAreExact()
    {
        QVERIFY(lambda::costOf(100, base::Seconds{3600}) == 1'000'000'000);
        QVERIFY(lambda::costOf(1, base::Seconds{1}) == 2'778); // 2777.8
        QVERIFY(lambda::costOf(1, base::Seconds{2}) == 5'556); // 5555.6
        QVERIFY(lambda::costOf(1, base::Seconds{4}) == 11'111); // 11111.1
        QVERIFY(lambda::costOf(0, base::Seconds{1}) == 0 && lambda::costOf(7, base::Seconds{0}) == 0);
        // A time beyond every month, at the highest price.
        QVERIFY(lambda::costOf(1'000'000, base::Seconds{200LL * 365 * 86400})
                == lambda::WideNanos{10'000'000'000'000} * 24 * 365 * 200);
    }

    void daysOfAllMonthsAddUpToTheSpan()
    {
        for (const std::int64_t cents : {1, 129, 2'393, 999'999}) {
            Memory memory;
            const base::UtcTime first = at("2026-10-30T22:17:43Z");
            base::UtcTime time = first;
            for (const int step : {0, 1, 17'777, 5'023, 100'003, 86'399, 31, 400'001}) {
                time += base::Seconds{step};
                QVERIFY(lambda::keepSighting({listed("a", cents)}, time, memory).has_value());
            }
            QVERIFY(lambda::WideNanos{sumOf(memory)} == lambda::costOf(cents, time - first));
            const auto lines = linesIn(kNovember, memory);
            QVERIFY(lines.front().chargePeriod.start == kNovember.start);
            for (const model::BillLine &line : lines)
                QVERIFY(base::dayOf(line.chargePeriod.start) == base::dayOf(line.chargePeriod.end - base::Seconds{1}));
        }
    }

    void anInterruptedSyncIsRepeated()
    {
        const std::vector<std::pair<const char *, std::int64_t>> times{{"2026-10-31T22:00:00Z", 100},
                                                                       {"2026-11-01T05:00:00Z", 200},
                                                                       {"2026-11-01T07:00:00Z", 200},
                                                                       {"2026-11-02T07:00:00Z", 200}};
        for (int writes = 0; writes < 3; ++writes) { // the third one of the first change completes it
            Memory memory;
            for (const auto &[text, cents] : times) {
                memory.writes = memory.texts.empty() ? 0 : writes;
                (void)lambda::keepSighting({listed("a", cents)}, at(text) - base::Seconds{60}, memory);
                memory.writes = 1'000'000;
                QVERIFY(lambda::keepSighting({listed("a", cents)}, at(text), memory).has_value());
            }
            QCOMPARE(sumOf(memory), std::int64_t{(7 * 1 + 26 * 2) * 1'000'000'000LL});
        }
    }

    void aSpanThatWasKeptOnlyGrows()
    {
        Memory memory;
        QVERIFY(lambda::keepSighting({listed("a")}, at("2026-11-01T00:00:00Z"), memory).has_value());
        memory.writes = 1; // the month is kept, and not that it was
        QVERIFY(!lambda::keepSighting({listed("a")}, at("2026-11-01T10:00:00Z"), memory));
        memory.writes = 1'000'000;
        QCOMPARE(sumOf(memory), std::int64_t{10'000'000'000});
        // Gone by now, or seen by an earlier clock: what was seen before stays.
        QVERIFY(lambda::keepSighting({listed("a")}, at("2026-11-01T09:00:00Z"), memory).has_value());
        QCOMPARE(sumOf(memory), std::int64_t{10'000'000'000});
        QVERIFY(lambda::keepSighting({}, at("2026-11-01T11:00:00Z"), memory).has_value());
        QVERIFY(lambda::keepSighting({listed("a")}, at("2026-11-01T12:00:00Z"), memory).has_value());
        QCOMPARE(sumOf(memory), std::int64_t{12'000'000'000});
    }

    void timesAreMonotone()
    {
        Memory memory;
        QVERIFY(lambda::keepSighting({listed("a")}, at("2026-11-02"), memory).has_value());
        const auto texts = memory.texts;
        for (const char *same : {"2026-11-02T00:00:00Z", "2026-11-01T23:50:00Z"})
            QVERIFY(lambda::keepSighting({listed("b")}, at(same), memory).has_value());
        for (const char *wrong : {"2026-11-01T23:49:59Z", "1990-01-01", "2031-11-02T00:00:01Z", "9999-01-01"}) {
            const auto kept = lambda::keepSighting({listed("a")}, at(wrong), memory);
            QVERIFY2(!kept && kept.error().code == ErrorCode::Refused, wrong);
        }
        QVERIFY(memory.texts == texts);
    }

    void forgetsWhatNoAnswerHadForAMonth()
    {
        lambda::LastSighting last;
        const base::UtcTime start = at("2026-11-01");
        QVERIFY(lambda::sawAgain(last, {listed("a"), listed("b")}, start).empty());
        for (int day = 1; day <= 31; ++day)
            (void)lambda::sawAgain(last, {listed("b")}, start + day * base::kDay);
        // Not listed for 31 days: nobody knows that it is the same.
        QVERIFY(lambda::sawAgain(last, {listed("a")}, start + 32 * base::kDay).empty());
        // A long pause without answers says nothing.
        const std::vector<ListedInstance> again{listed("a"), listed("b")};
        QCOMPARE(lambda::sawAgain(last, again, start + 300 * base::kDay).size(), std::size_t{2});
    }

    void endsOnlyAtAState()
    {
        lambda::LastSighting last;
        const base::UtcTime start = at("2026-11-01");
        const auto see = [&](InstanceState state, int day) {
            const std::vector<ListedInstance> one{listed("a", 100, state)};
            const auto again = lambda::sawAgain(last, one, start + day * base::kDay);
            return again.empty() ? 0 : (again[0].span.until - again[0].last) / base::kDay;
        };
        QVERIFY(see(InstanceState::Booting, 0) == 0 && see(InstanceState::Unhealthy, 1) == 0);
        QVERIFY(see(InstanceState::Active, 2) == 0 && see(InstanceState::Active, 3) == 1);
        QVERIFY(see(InstanceState::Booting, 4) == 0 && see(InstanceState::Unhealthy, 5) == 2);
        QVERIFY(see(InstanceState::Ended, 6) == 0 && see(InstanceState::Active, 7) == 0);
        QVERIFY(see(InstanceState::Active, 8) == 1);
    }

    void theEarlierPriceHoldsAndUnknownOnesCostNothing()
    {
        Memory memory;
        int hour = 0;
        for (const std::optional<std::int64_t> cents :
             {std::optional<std::int64_t>(100), {200}, {}, {}, {300}, {300}, {100}})
            QVERIFY(lambda::keepSighting({listed("a", cents)}, at("2026-11-02") + hour++ * base::Seconds{3600}, memory)
                        .has_value());
        std::string shown;
        for (const model::BillLine &line : linesIn(kNovember, memory))
            shown += std::to_string(line.billed.nanos() / 10'000'000) + ' '
                + base::toRfc3339(line.chargePeriod.start).substr(11, 2) + ';';
        QCOMPARE(shown, std::string("100 00;200 01;600 04;"));
    }

    void whatWasKeptIsReadAgainAndNeverTakenForNothing()
    {
        lambda::SeenMonth month;
        month.longestPause = base::Seconds{77};
        month.instances["a"] = {listed("a").facts,
                                {{at("2026-11-01"), at("2026-11-02"), 5}, {at("2026-11-02"), at("2026-11-03"), {}}}};
        const auto months = lambda::SeenMonth::fromText(month.toText());
        QVERIFY(months && months->instances == month.instances && months->longestPause == month.longestPause);
        lambda::LastSighting last{at("2026-11-03"), {{"a", {at("2026-11-01"), at("2026-11-02"), {}}}}};
        const auto lasts = lambda::LastSighting::fromText(last.toText());
        QVERIFY(lasts && lasts->at == last.at && lasts->running == last.running);
        QVERIFY(lambda::SeenMonth::fromText("")->instances.empty()
                && lambda::LastSighting::fromText("")->running.empty());
        const std::string good = month.toText();
        for (const std::string &bad :
             {std::string("x"), std::string("{}"), std::string("[]"), replaced(good, "\"version\":1", "\"version\":2"),
              replaced(good, ",5]", ",\"5\"]"), replaced(good, "77", "null"), replaced(good, "\"spans\"", "\"x\""),
              replaced(good, "\"us-east-1\"", "7"), last.toText()}) {
            const auto read = lambda::SeenMonth::fromText(bad);
            QVERIFY2(!read && read.error().code == ErrorCode::StorageNewer, bad.c_str());
        }
        Memory memory;
        memory.texts["lambda sightings 2026-11"] = "{}";
        QVERIFY(lambda::keepSighting({listed("a")}, at("2026-11-02"), memory).has_value());
        QVERIFY(!lambda::keepSighting({listed("a")}, at("2026-11-03"), memory));
        QCOMPARE(memory.texts["lambda sightings 2026-11"], std::string("{}"));
    }
};

GPULEDGER_SUITE(TestLambdaCosts)

} // namespace tst_lambdacosts

#include "tst_lambdacosts.moc"
