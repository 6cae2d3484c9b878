// SPDX-License-Identifier: GPL-3.0-or-later
// Prices per unit and side by side, names of GPUs, the price book, own offers and what was paid.
#include "app/savings/prices/pricelists.h"
#include "app/services/prices/paidprices.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_pricequote {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kOne = base::Money::kNanosPerUnit;

const services::PriceLists &lists()
{
    static const services::PriceLists kLists = services::priceLists().value();
    return kLists;
}

PriceQuote quoteOf(std::int64_t nanos, std::int64_t microGpus, const char *currency = "USD")
{
    PriceQuote quote;
    quote.provider = "cloud";
    quote.gpuName = "H100";
    quote.machine = "m";
    quote.perHour = base::Money(nanos, base::Currency::parse(currency).value());
    quote.microGpus = microGpus;
    return quote;
}

GpuIdentity named(const char *name, std::optional<std::int64_t> memoryMib = std::nullopt, const char *machine = "")
{
    return identify(lists().catalog, {name, machine, memoryMib});
}

} // namespace

class TestPriceQuote : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dividesExactly()
    {
        PriceQuote quote = quoteOf(55'040'000'000, 8'000'000);
        QCOMPARE(perGpuHour(quote)->nanos(), std::int64_t(6'880'000'000));
        QVERIFY(!perGibHour(quote) && !perTflopHour(quote)); // unknown, not zero
        quote.gpu = {"H100 SXM", 80 * 1024, 989'000};
        QCOMPARE(perGibHour(quote)->nanos(), std::int64_t(86'000'000));
        QCOMPARE(perTflopHour(quote)->nanos(), std::int64_t(6'956'522)); // 6.88 / 989
        QCOMPARE(perGpuHour(quoteOf(kOne, 3'000'000))->nanos(), std::int64_t(333'333'333));
        QCOMPARE(perGpuHour(quoteOf(2 * kOne, 3'000'000))->nanos(), std::int64_t(666'666'667)); // rounded, not cut
        QVERIFY(!perGpuHour(quoteOf(kOne, 0)));
        QVERIFY(!perGpuHour(quoteOf(std::int64_t{1} << 62, 1))); // does not fit
        quote.microGpus = 8'500'000;
        QVERIFY(perGpuHour(quote) && !perGibHour(quote) && !perTflopHour(quote));
        QCOMPARE(perGpuHour(quoteOf(kOne, 333'333))->nanos(), std::int64_t(3'000'003'000)); // not 3.003
    }

    void sortsByPriceWithinACurrency()
    {
        QuoteList list;
        list.quotes = {quoteOf(9 * kOne, kMicroOfGpu), quoteOf(16 * kOne, 8 * kMicroOfGpu),
                       quoteOf(kOne, kMicroOfGpu, "EUR"), quoteOf(5 * kOne, kMicroOfGpu, "EUR")};
        compareQuotes(list, {});
        std::vector<std::string> seen;
        for (const PriceQuote &quote : list.quotes)
            seen.push_back(std::string(quote.perHour.currency().code()) + ' '
                           + std::to_string(perGpuHour(quote)->nanos() / kOne));
        QVERIFY((seen == std::vector<std::string>{"EUR 1", "EUR 5", "USD 2", "USD 9"}));
    }

    void theSameOfferCountsOnceAndTheLatestStays()
    {
        PriceQuote early = quoteOf(kOne, kMicroOfGpu), late = early, undated = early;
        early.seen = base::Day{100};
        late.seen = base::Day{200};
        late.source = "late";
        QuoteList list;
        list.quotes = {undated, early, late};
        compareQuotes(list, {});
        QCOMPARE(list.quotes.size(), std::size_t(1));
        QCOMPARE(list.quotes.front().source, std::string("late"));
        QCOMPARE(list.leftOut[LeftOut::Twice], std::size_t(2));
        list.quotes.push_back(late);
        list.quotes.back().zone = "a";
        compareQuotes(list, {});
        QCOMPARE(list.quotes.size(), std::size_t(2));
    }

    void whatWasPaidAtTheListPriceStays()
    {
        PriceQuote listed = quoteOf(kOne, kMicroOfGpu), paid = listed;
        listed.seen = base::Day{200};
        listed.source = "price book";
        paid.source = kOwnBills;
        QuoteList list;
        list.quotes = {listed, paid, paid};
        compareQuotes(list, {});
        QCOMPARE(list.quotes.size(), std::size_t(2));
        QVERIFY(list.quotes[0].source != list.quotes[1].source);
        QCOMPARE(list.leftOut[LeftOut::Twice], std::size_t(1));
    }

    void filters()
    {
        PriceQuote quote = quoteOf(kOne, 8 * kMicroOfGpu);
        quote.region = "us-east-1";
        quote.gpu.model = "H100 SXM";
        QVERIFY(QuoteFilter{}.matches(quote));
        QVERIFY((QuoteFilter{"h100", 8, {"US-EAST-1"}, {"Cloud"}, {PurchaseOption::OnDemand}}.matches(quote)));
        QVERIFY((QuoteFilter{"H100 SXM", {}, {}, {}, {}}.matches(quote)));
        QVERIFY((!QuoteFilter{"H100 PCIe", {}, {}, {}, {}}.matches(quote)));
        QVERIFY((!QuoteFilter{{}, 4, {}, {}, {}}.matches(quote)));
        QVERIFY((!QuoteFilter{{}, {}, {"us-east"}, {}, {}}.matches(quote)));
        QVERIFY((!QuoteFilter{{}, {}, {}, {"aws"}, {}}.matches(quote)));
        QVERIFY((!QuoteFilter{{}, {}, {}, {}, {PurchaseOption::Spot}}.matches(quote)));
        quote.microGpus = 7'999'999;
        QVERIFY((!QuoteFilter{{}, 8, {}, {}, {}}.matches(quote)));
    }

    void namesOfVariants()
    {
        for (const char *name :
             {"H100", "H100 SXM", "H100-80GB", "H100-80G-PCIe", "H100-SXM5", "NVIDIA H100 NVL", "H100-80G-PCIe-NVLink"})
            QVERIFY2(isVariantOf(name, "H100"), name);
        for (const char *name : {"GH200", "H200", "H1000", "H100X", ""})
            QVERIFY2(!isVariantOf(name, "H100"), name);
        QVERIFY(isVariantOf("RTXPRO6000", "RTX PRO 6000") && isVariantOf("RTX PRO 6000", "RTXPRO6000"));
        QVERIFY(isVariantOf("A6000", "RTX A6000") && isVariantOf("RTX A6000", "A6000"));
        QVERIFY(!isVariantOf("RTX 4070 Ti", "RTX 4070") && !isVariantOf("RTX 6000 Ada", "RTX6000"));
        QVERIFY(!isVariantOf("L40S", "L40") && !isVariantOf("A100", "A10"));
        QVERIFY(isVariantOf("anything", ""));
        for (const char *silent : {"NVIDIA", "nvidia tesla", "-", " "})
            QVERIFY2(!isVariantOf("H100", silent) && !isVariantOf("NVIDIA", silent), silent);
        QVERIFY(isVariantOf("H100 SXM5 80GB", "H100 80GB") && isVariantOf("H100-80G-PCIe", "H100 PCIe"));
        QVERIFY(isVariantOf("H100 80GB SXM", "H100 SXM 80GB") && !isVariantOf("H100 SXM", "H100 80GB"));
        QVERIFY(!isVariantOf("H100 80GB PCIe", "H100 SXM") && !isVariantOf("L4", "24GB"));
    }

    void identifiesOnlyWhatIsCertain()
    {
        QCOMPARE(named("RTXPRO6000").model, std::string("RTX PRO 6000"));
        QCOMPARE(named("A6000").model, std::string("RTX A6000"));
        QCOMPARE(named("A100-80G-PCIe").model, std::string("A100 80GB PCIe"));
        QCOMPARE(named("H100-80G-SXM5").model, std::string("H100 SXM"));
        QCOMPARE(named("H100", 80 * 1024, "gpu_8x_h100_sxm5").model, std::string("H100 SXM"));
        QCOMPARE(named("H100", 94 * 1024).model, std::string("H100 NVL"));
        QCOMPARE(named("H100", 80 * 1024).model, std::string()); // PCIe or SXM
        QVERIFY(!named("H100", 80 * 1024).milliTflops);
        QCOMPARE(named("H100", 80 * 1024, "n3-H100x8-NVLink").model, std::string());
        QCOMPARE(*named("A100").milliTflops, std::int64_t(312'000)); // 40 or 80 GiB, with the same speed
        QVERIFY(!named("A100").memoryMib);
        QCOMPARE(named("RTX6000", 24 * 1024).model, std::string()); // Quadro, not Ada
        QVERIFY(!named("RTX6000").memoryMib);
        QCOMPARE(*named("Unheard", 5 * 1024).memoryMib, std::int64_t(5 * 1024)); // stated
        QVERIFY(!named("").memoryMib && !named("-").milliTflops);
        QCOMPARE(named("B200-999999999999999999999GB").model, std::string("B200"));
    }

    void theBookHasDatesAndSources()
    {
        const QuoteList &book = lists().book;
        QVERIFY(book.quotes.size() > 150);
        QVERIFY(book.leftOut.empty());
        for (const PriceQuote &quote : book.quotes) {
            QVERIFY2(quote.seen && quote.perHour.nanos() > 0 && perGpuHour(quote), quote.machine.c_str());
            QVERIFY2(!quote.gpu.model.empty() && quote.gpu.memoryMib, quote.machine.c_str());
            QVERIFY(quote.source.starts_with("price book") && quote.purchase == PurchaseOption::OnDemand);
        }
        QCOMPARE(lists().known.at({"aws", "p5.48xlarge"}), std::string("H100 SXM"));
    }

    void readsOwnOffers()
    {
        const std::string head =
            "provider,gpu_model,gpus,currency,per_hour,region,purchase,gpu_memory_gib,seen,source\n";
        const auto list = readOwnOffers(head
                                            + "neo,H100 SXM,8,EUR,16.80,eu,3-years,,2026-11-01,offer 12\n"
                                              "neo,Odd,1,USD,1,,,48,,\n"
                                              "neo,Part,0.333333,USD,1,,,,,\n",
                                        "own.csv", lists().catalog)
                              .value();
        QCOMPARE(list.quotes.size(), std::size_t(3));
        QCOMPARE(list.quotes[2].microGpus, std::int64_t(333'333));
        QCOMPARE(perGpuHour(list.quotes[0])->toDecimal(), std::string("2.100000000"));
        QVERIFY(list.quotes[0].purchase == PurchaseOption::ThreeYears && list.quotes[0].seen);
        QCOMPARE(list.quotes[0].source, std::string("offer 12"));
        QCOMPARE(list.quotes[1].source, std::string("own.csv"));
        QVERIFY(!list.quotes[1].seen && list.quotes[1].purchase == PurchaseOption::OnDemand);
        QCOMPARE(*list.quotes[1].gpu.memoryMib, std::int64_t(48 * 1024));
        QVERIFY(!readOwnOffers("provider,gpu_model,gpus,per_hour\n", "x", lists().catalog));
        QVERIFY(!readOwnOffers("", "x", lists().catalog));
        const std::vector<std::string> bad{
            "neo,H100,8,eur,1,,,,,",     "neo,H100,0,EUR,1,,,,,",      "neo,H100,8,EUR,-1,,,,,",
            "neo,H100,8,EUR,,,,,,",      ",H100,8,EUR,1,,,,,",         "neo,,8,EUR,1,,,,,",
            "neo,H100,8,EUR,1e400,,,,,", "neo,H100,8,EUR,1,,cheap,,,", "neo,H100,8,EUR,1,,,nan,,",
            "neo,H100,8,EUR,1,,,,soon,", "neo,H100,nan,EUR,1,,,,,"};
        for (const std::string &row : bad) {
            const auto read = readOwnOffers(head + row + '\n', "own.csv", lists().catalog).value();
            QVERIFY2(read.quotes.empty() && read.leftOut.at(LeftOut::Unreadable) == 1, row.c_str());
        }
    }

    // An upfront amount is spread over the 730 hours of each month of the term.
    void readsTermsAndPayments()
    {
        const std::string head =
            "provider,machine,gpu_model,gpus,currency,per_hour,purchase,term_months,payment,upfront\n";
        const auto rowOf = [&](const std::string &end) {
            return readOwnOffers(head + "aws,p5.48xlarge,H100 SXM,8,USD," + end + '\n', "own.csv", lists().catalog)
                .value();
        };
        struct Expected {
            const char *row, *perHour;
            PurchaseOption purchase;
            std::optional<std::int64_t> months;
            std::optional<UpfrontPayment> payment;
        };
        const std::vector<Expected> good{
            {"30,1-year,,,", "30.000000000", PurchaseOption::OneYear, 12, std::nullopt},
            {"30,,12,none,", "30.000000000", PurchaseOption::OneYear, 12, UpfrontPayment::None},
            {"30,,36,,0", "30.000000000", PurchaseOption::ThreeYears, 36, UpfrontPayment::None},
            {"10,,12,partial,87600", "20.000000000", PurchaseOption::OneYear, 12, UpfrontPayment::Partial},
            {"0,,36,all,262800", "10.000000000", PurchaseOption::ThreeYears, 36, UpfrontPayment::All},
            {"0,commitment,18,,1", "0.000076104", PurchaseOption::Commitment, 18, UpfrontPayment::All},
            {"10,commitment,,,", "10.000000000", PurchaseOption::Commitment, std::nullopt, std::nullopt},
            {"10,,,none,0", "10.000000000", PurchaseOption::OnDemand, std::nullopt, std::nullopt}};
        for (const Expected &one : good) {
            const auto list = rowOf(one.row);
            QVERIFY2(list.quotes.size() == 1 && list.leftOut.empty(), one.row);
            const PriceQuote &quote = list.quotes.front();
            QCOMPARE(quote.perHour.toDecimal(), std::string(one.perHour));
            QVERIFY2(quote.purchase == one.purchase && quote.termMonths == one.months, one.row);
            QVERIFY2(quote.payment == one.payment && quote.upfront.has_value() == one.payment.has_value(), one.row);
        }
        // Zero and negative amounts, terms that contradict each other, and payments without their amount.
        for (const char *bad : {"0,,12,,",
                                "0,,12,all,0",
                                "-1,,12,all,10",
                                "10,,12,partial,-5",
                                "10,1-year,36,,",
                                "10,3-years,12,,",
                                "10,on-demand,12,,",
                                "10,spot,,,100",
                                "10,commitment,,partial,100",
                                "10,,12,partial,",
                                "10,,12,all,100",
                                "0,,12,partial,100",
                                "10,,12,none,100",
                                "10,,0,,",
                                "10,,-12,,",
                                "10,,121,,",
                                "10,,a year,,",
                                "10,,12,half,5",
                                "10,,12,partial,5 EUR",
                                "10,,12,partial,1e400"}) {
            const auto list = rowOf(bad);
            QVERIFY2(list.quotes.empty() && list.leftOut.at(LeftOut::Unreadable) == 1, bad);
        }
    }

    void namesOfTerms()
    {
        for (const PurchaseOption option : kPurchaseOptions)
            QVERIFY(purchaseFrom(toString(option)) == option);
        QVERIFY(!purchaseFrom("") && !purchaseFrom("Spot"));
    }
};

GPULEDGER_PLAIN_SUITE(TestPriceQuote)

} // namespace tst_pricequote

#include "tst_pricequote.moc"
