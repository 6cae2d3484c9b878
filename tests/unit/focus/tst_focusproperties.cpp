// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <random>

namespace tst_focusproperties {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::BillLine;

namespace {

using Random = std::mt19937;

// A cell's value: its text, and whether it has any.
using Row = std::map<std::string, std::string>;

std::size_t below(Random &random, std::size_t n)
{
    return random() % n;
}

std::string anyText(Random &random, bool mayBeEmpty = true)
{
    static const std::vector<std::string> kPieces{"a",  "B7", " ", ",",   "\"", "\n",   "\r\n",        "NULL", "null",
                                                  "=1", "'",  ";", "{\"", "0",  "\t",   "\xC3\xA4",    "-",    "\\",
                                                  "x",  "|",  "é", "[",   "%s", "</b>", "\xE2\x80\xAE"};
    std::string text;
    for (std::size_t n = below(random, 6) + (mayBeEmpty ? 0 : 1); n > 0; --n)
        text += kPieces[below(random, kPieces.size())];
    return text;
}

base::Decimal anyDecimal(Random &random, bool money)
{
    static const std::vector<std::string> kEdges{
        "0", "1", "-1", "0.000000001", "-0.000000001", "9223372036.854775807", "-9223372036.854775808", "0.5"};
    // The amounts of a bill, of at most twelve lines, add up to less than the largest amount; otherwise the bill is
    // refused.
    static const std::vector<std::string> kMoneyEdges{
        "0", "1", "-1", "0.000000001", "-0.000000001", "700000000.123456789", "-700000000.123456789", "0.5"};
    if (below(random, 4) == 0)
        return base::Decimal::parse((money ? kMoneyEdges : kEdges)[below(random, kEdges.size())]).value();
    std::string text = below(random, 3) == 0 ? "-" : "";
    text += std::to_string(below(random, 100'000)) + '.';
    for (std::size_t n = 1 + below(random, money ? 9 : 18); n > 0; --n)
        text += static_cast<char>('0' + below(random, 10));
    return base::Decimal::parse(text).value();
}

// A number in the notations that files use.
std::string spelled(Random &random, const base::Decimal &number)
{
    std::string text = number.toText();
    switch (below(random, 5)) {
    case 0:
        return text + (text.find('.') == std::string::npos ? ".000" : "0000000000000000000000");
    case 1: // the point four places to the left, and an exponent that compensates
        if (const std::size_t point = text.find('.'); point != std::string::npos) {
            const std::size_t places = text.size() - point - 1;
            return text.erase(point, 1) + (below(random, 2) ? "e-" : "E-") + std::to_string(places);
        }
        return text + (below(random, 2) ? "E0" : "e+0");
    case 2:
        return text.front() == '-' ? "-000" + text.substr(1) : "000" + text;
    default:
        return text;
    }
}

std::string spelled(Random &random, base::UtcTime time)
{
    std::string text = base::toRfc3339(time);
    switch (below(random, 5)) {
    case 0:
        text[10] = ' ';
        text.pop_back();
        return text;
    case 1:
        return text.substr(0, 19) + ".123456Z";
    case 2: {
        const std::string shifted = base::toRfc3339(time + base::Seconds{2 * 3600});
        return shifted.substr(0, 19) + "+02:00";
    }
    case 3:
        return text.substr(0, 19) + " UTC";
    default:
        return text;
    }
}

// Any line that the specification allows and that no provider-specific rule affects, and its cells.
class LineMaker {
public:
    LineMaker(Random &random, Row &row)
        : m_random(random)
        , m_row(row)
    {
    }

    BillLine make()
    {
        BillLine l;
        place(l);
        money(l);
        product(l);
        resource(l);
        commitment(l);
        for (std::size_t n = below(m_random, 4); n > 0; --n)
            l.tags["k" + std::to_string(below(m_random, 50))] = anyText(m_random);
        if (!l.tags.empty())
            m_row["Tags"] = nlohmann::json(l.tags).dump();
        for (const char *name : {"x_one", "x_two", "Id"})
            extra(l, name);
        return l;
    }

private:
    void text(const char *column, std::string &to, bool mayBeEmpty = true)
    {
        to = anyText(m_random, mayBeEmpty);
        m_row[column] = to;
    }
    std::optional<base::Decimal> number(const char *column)
    {
        if (below(m_random, 3) == 0)
            return std::nullopt;
        const base::Decimal value = anyDecimal(m_random, false);
        m_row[column] = spelled(m_random, value);
        return value;
    }
    base::Money cost(const char *column, bool zeroAllowed)
    {
        base::Decimal value = anyDecimal(m_random, true);
        while (value.isZero() && !zeroAllowed)
            value = anyDecimal(m_random, true);
        m_row[column] = spelled(m_random, value);
        return value.toMoney(m_currency).value();
    }
    template <typename Word> void word(const char *column, Word &to, int count)
    {
        to = static_cast<Word>(below(m_random, static_cast<std::size_t>(count)));
        m_row[column] = std::string(model::toString(to));
    }
    base::TimeRange period(const char *start, const char *end, base::UtcTime from)
    {
        const base::TimeRange range{from, from + base::Seconds{1 + static_cast<int>(below(m_random, 3'000'000))}};
        m_row[start] = spelled(m_random, range.start);
        m_row[end] = spelled(m_random, range.end);
        return range;
    }

    void place(BillLine &l)
    {
        static constexpr std::array kCurrencies{"USD", "EUR", "JPY"};
        const char *code = kCurrencies[below(m_random, kCurrencies.size())];
        m_currency = base::Currency::parse(code).value();
        m_row["BillingCurrency"] = code;
        l.billingAccountId = "acc" + std::to_string(below(m_random, 3));
        m_row["BillingAccountId"] = l.billingAccountId;
        const base::UtcTime month =
            base::fromUnix(1'788'220'800 + static_cast<std::int64_t>(below(m_random, 3)) * 2'592'000);
        l.billingPeriod = period("BillingPeriodStart", "BillingPeriodEnd", month);
        l.chargePeriod = period("ChargePeriodStart", "ChargePeriodEnd",
                                month + base::Seconds{static_cast<int>(below(m_random, 5'000'000)) - 1'000'000});
        text("BillingAccountName", l.billingAccountName);
        text("BillingAccountType", l.billingAccountType);
        text("SubAccountId", l.subAccountId);
        text("SubAccountName", l.subAccountName);
        text("SubAccountType", l.subAccountType);
        text("InvoiceId", l.invoiceId);
        text("InvoiceIssuerName", l.invoiceIssuer);
    }
    void money(BillLine &l)
    {
        l.billed = cost("BilledCost", true);
        l.effective = cost("EffectiveCost", true);
        l.list = cost("ListCost", false); // zero may mean unknown
        if (below(m_random, 2))
            l.contracted = cost("ContractedCost", false);
        text("PricingCurrency", l.pricingCurrency);
        word("ChargeCategory", l.category, 5);
        word("ChargeClass", l.chargeClass, 2);
        word("ChargeFrequency", l.frequency, 4);
        word("PricingCategory", l.pricing, 5);
        text("ChargeDescription", l.description);
        l.pricingQuantity.amount = number("PricingQuantity");
        text("PricingUnit", l.pricingQuantity.unit);
        l.consumedQuantity.amount = number("ConsumedQuantity");
        text("ConsumedUnit", l.consumedQuantity.unit);
    }
    void product(BillLine &l)
    {
        l.product.provider = below(m_random, 2) ? "Example Cloud" : "Other, \"Cloud\"";
        m_row["ProviderName"] = l.product.provider;
        text("PublisherName", l.product.publisher);
        text("ServiceCategory", l.product.serviceCategory);
        text("ServiceSubcategory", l.product.serviceSubcategory);
        text("ServiceName", l.product.serviceName);
        text("SkuId", l.product.skuId);
        text("SkuPriceId", l.product.skuPriceId);
        text("SkuMeter", l.product.skuMeter);
        if (below(m_random, 2)) {
            l.product.skuDetails = {{"GpuCount", std::to_string(below(m_random, 9))}, {"t", anyText(m_random)}};
            m_row["SkuPriceDetails"] = nlohmann::json(l.product.skuDetails).dump();
        }
        l.product.listUnitPrice = number("ListUnitPrice");
        l.product.contractedUnitPrice = number("ContractedUnitPrice");
    }
    void resource(BillLine &l)
    {
        text("ResourceId", l.resource.id);
        text("ResourceName", l.resource.name);
        text("ResourceType", l.resource.type);
        text("RegionId", l.resource.regionId);
        text("RegionName", l.resource.regionName);
        text("AvailabilityZone", l.resource.zone);
        text("CapacityReservationId", l.capacityReservationId);
        word("CapacityReservationStatus", l.capacityReservation, 3);
    }
    void commitment(BillLine &l)
    {
        text("CommitmentDiscountId", l.commitment.id);
        text("CommitmentDiscountName", l.commitment.name);
        text("CommitmentDiscountType", l.commitment.type);
        word("CommitmentDiscountCategory", l.commitment.category, 3);
        word("CommitmentDiscountStatus", l.commitment.status, 3);
        l.commitment.quantity.amount = number("CommitmentDiscountQuantity");
        text("CommitmentDiscountUnit", l.commitment.quantity.unit);
    }
    void extra(BillLine &l, const char *name)
    {
        const std::string value = anyText(m_random);
        m_row[name] = value;
        if (!value.empty())
            l.extra.push_back({name, value});
    }

    Random &m_random;
    Row &m_row;
    base::Currency m_currency;
};

std::string anyCase(Random &random, std::string name)
{
    const bool keep = below(random, 2) || name.starts_with("x_") || name == "Id";
    for (char &c : name)
        c = !keep && below(random, 3) == 0 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    return name;
}

// Writes rows with columns in any order, cells quoted if required and sometimes if not, null as an empty cell or as the
// word.
class TableWriter {
public:
    explicit TableWriter(Random &random)
        : m_random(random)
        , m_end(below(random, 2) ? "\r\n" : "\n")
    {
    }
    std::string write(const std::vector<Row> &rows)
    {
        std::set<std::string> all;
        for (const Row &row : rows) {
            for (const auto &[column, value] : row)
                all.insert(column);
        }
        std::vector<std::string> columns(all.begin(), all.end());
        std::shuffle(columns.begin(), columns.end(), m_random);
        std::string text = below(m_random, 2) ? "\xEF\xBB\xBF" : "";
        for (std::size_t i = 0; i < columns.size(); ++i)
            text += (i ? "," : "") + quoted(anyCase(m_random, columns[i]));
        text += m_end;
        for (const Row &row : rows) {
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto cell = row.find(columns[i]);
                text += (i ? "," : "") + (cell == row.end() || cell->second.empty() ? null() : quoted(cell->second));
            }
            text += m_end;
        }
        if (below(m_random, 2))
            text.resize(text.size() - m_end.size()); // the file is old enough for that
        order = columns;
        return text;
    }
    std::vector<std::string> order; // of the columns

private:
    std::string null() { return below(m_random, 2) ? "" : "NULL"; }
    std::string quoted(const std::string &value)
    {
        const bool word = value.size() == 4 && std::tolower(value[0]) == 'n';
        if (!word && value.find_first_of(",\"\r\n") == std::string::npos && below(m_random, 2))
            return value;
        std::string out = "\"";
        for (const char c : value)
            out += c == '"' ? std::string("\"\"") : std::string(1, c);
        return out + '"';
    }

    Random &m_random;
    std::string m_end;
};

std::string packed(Random &random, const std::string &text)
{
    const std::size_t cut = below(random, text.size());
    switch (below(random, 4)) {
    case 0:
        return gzipped(text);
    case 1:
        return zstandard(text);
    case 2:
        return gzipped(text.substr(0, cut)) + gzipped(text.substr(cut));
    default:
        return text;
    }
}

// Which field of two lines differs, for the message.
std::string difference(const BillLine &a, const BillLine &b)
{
    std::string all;
    const auto say = [&](bool same, const char *name) { all += same ? "" : std::string(name) + ' '; };
    say(a.billed == b.billed && a.effective == b.effective && a.list == b.list && a.contracted == b.contracted,
        "money");
    say(a.billingPeriod == b.billingPeriod && a.chargePeriod == b.chargePeriod, "time");
    say(a.product == b.product, "product");
    say(a.resource == b.resource, "resource");
    say(a.commitment == b.commitment, "commitment");
    say(a.tags == b.tags, "tags");
    say(a.extra == b.extra, "extra");
    say(a.pricingQuantity == b.pricingQuantity && a.consumedQuantity == b.consumedQuantity, "quantity");
    return all;
}

} // namespace

class TestFocusProperties : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Random bills, written in any permitted way, are read back equal: every line, every key, every sum.
    void writtenBillsAreReadBack()
    {
        QTemporaryDir dir;
        const std::filesystem::path path = dir.filePath(QStringLiteral("bill.csv")).toStdString();
        const base::SystemClock clock;
        for (unsigned seed = 1; seed <= 250; ++seed) {
            Random random(seed);
            const std::string where = "seed " + std::to_string(seed) + ' ';
            std::vector<Row> rows;
            std::vector<BillLine> lines;
            for (std::size_t n = 1 + below(random, 12); n > 0; --n) {
                Row row;
                lines.push_back(LineMaker(random, row).make());
                rows.push_back(std::move(row));
            }
            TableWriter writer(random);
            writeFile(path, packed(random, writer.write(rows)));
            MemoryBillSink sink;
            const ports::BillDelivery delivery{{path}};
            const auto report = focus::BillImport("cloud", delivery, sink, clock, {}).run();
            QVERIFY2(report, (where + (report ? "" : report.error().text)).c_str());
            QVERIFY2(report->outcome == ports::ImportReport::Outcome::Imported, (where + report->unfinished).c_str());
            QVERIFY2(report->rejected.lines == 0, where.c_str());
            MemoryBillSink::Bills want;
            for (BillLine &line : lines) {
                std::sort(line.extra.begin(), line.extra.end(), [&](const auto &a, const auto &b) {
                    const auto at = [&](const std::string &name) {
                        return std::find(writer.order.begin(), writer.order.end(), name);
                    };
                    return at(a.name) < at(b.name);
                });
                want[line.key("cloud")].push_back(line);
            }
            QVERIFY2(sink.bills.size() == want.size(), where.c_str());
            for (auto &[key, got] : sink.bills) {
                const auto &expected = want.at(key);
                QVERIFY2(got.size() == expected.size(), where.c_str());
                for (std::size_t i = 0; i < got.size(); ++i) {
                    got[i].row = 0;
                    QVERIFY2(got[i] == expected[i], (where + difference(got[i], expected[i])).c_str());
                }
            }
            checkSums(*report, lines, where);
        }
    }

private:
    static void checkSums(const ports::ImportReport &report, const std::vector<BillLine> &lines,
                          const std::string &where)
    {
        QVERIFY2(report.read == report.accepted, where.c_str());
        std::map<base::Currency, std::pair<base::Decimal, base::Decimal>> want;
        for (const BillLine &line : lines) {
            auto &[billed, effective] = want[line.billed.currency()];
            billed = billed.plus(base::Decimal::of(line.billed)).value();
            effective = effective.plus(base::Decimal::of(line.effective)).value();
        }
        QVERIFY2(report.accepted.sums.size() == want.size(), where.c_str());
        for (const ports::BillSum &sum : report.accepted.sums) {
            QVERIFY2(sum.billedKept == want[sum.currency].first, where.c_str());
            QVERIFY2(sum.effectiveKept == want[sum.currency].second, where.c_str());
            QVERIFY2(sum.billed == sum.billedKept, where.c_str()); // at most nine decimals were written
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestFocusProperties)

} // namespace tst_focusproperties

#include "tst_focusproperties.moc"
