// SPDX-License-Identifier: GPL-3.0-or-later
// What `commitments` prints of an answer: what is unknown, hostile or missing in it.
#include "tests/support/suite.h"
#include "ui/cli/showback/cloudcommitmentsprint.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tst_commitmentsprint {

using namespace gpuledger;
using base::Money;
using model::CloudCommitmentKind;
using services::CommitmentReading;
using services::CommitmentRow;
using services::CommitmentsAnswer;
using services::CoverageRow;

namespace {

base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

base::Day day(std::string_view text)
{
    return base::dayOf(at(text));
}

Money euros(std::int64_t nanos)
{
    return {nanos, base::Currency::parse("EUR").value()};
}

CommitmentRow known()
{
    CommitmentRow row{.source = "azure", .commitment = {}};
    row.commitment.cloud = "Microsoft";
    row.commitment.account = "sub-1";
    row.commitment.id = "reservation-7";
    row.commitment.name = "training";
    row.commitment.terms = "Reserved VM Instance, P3Y";
    row.commitment.machine = "Standard_ND96isr_H100_v5";
    row.commitment.region = "eastus";
    row.commitment.count = 4;
    row.commitment.currency = euros(0).currency();
    row.commitment.start = at("2026-01-10T08:00:00Z");
    row.commitment.end = at("2029-01-10T08:00:00Z");
    row.commitment.utilization = 0.8125;
    row.commitment.first = day("2026-10-22");
    row.commitment.last = day("2026-11-20");
    row.perHour = euros(12'345'678'901);
    row.unused = euros(1'234'560'000'000);
    row.billed = 0.8;
    row.billedFirst = day("2026-10-22");
    row.billedLast = day("2026-11-19");
    return row;
}

CoverageRow covered()
{
    CoverageRow row{.source = "aws", .coverage = {}};
    row.coverage.cloud = "AWS";
    row.coverage.account = "111122223333";
    row.coverage.by = CloudCommitmentKind::SavingsPlan;
    row.coverage.machine = "p5";
    row.coverage.region = "us-east-1";
    row.coverage.covered = 0.625;
    row.coverage.currency = base::Currency::usd();
    row.coverage.first = day("2026-10-22");
    row.coverage.last = day("2026-11-20");
    row.onDemand = Money(98'765'432'100'000, base::Currency::usd());
    return row;
}

CommitmentReading readAt(const char *time)
{
    CommitmentReading reading{.source = "aws", .readAt = {}, .withheld = {}, .failedAt = {}, .failure = {}};
    if (time)
        reading.readAt = at(time);
    return reading;
}

CommitmentsAnswer answerOf(std::vector<CommitmentRow> rows, std::vector<CoverageRow> coverage = {})
{
    CommitmentsAnswer answer;
    answer.rows = std::move(rows);
    answer.coverage = std::move(coverage);
    return answer;
}

// The line after the titles, with single blanks.
QString firstRow(const CommitmentsAnswer &answer)
{
    return QString::fromStdString(cli::cloudCommitmentsText(answer, false)).split(u'\n').at(1).simplified();
}

QStringList csvLines(const CommitmentsAnswer &answer)
{
    return QString::fromStdString(cli::cloudCommitmentsCsv(answer)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
}

QString perHour(std::int64_t nanos)
{
    CommitmentRow row = known();
    row.commitment.count.reset();
    row.perHour = euros(nanos);
    return firstRow(answerOf({row})).section(QStringLiteral("eastus "), 1).section(u' ', 0, 0);
}

} // namespace

class CommitmentsPrintTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsWhatIsKnown()
    {
        QCOMPARE(
            firstRow(answerOf({known()})),
            QStringLiteral("training 4 x Standard_ND96isr_H100_v5 Reserved VM Instance, P3Y Microsoft sub-1 eastus "
                           "12.3457 2029-01-10 81.2 % 80.0 % 1234.56 EUR"));
        const cli::Json json = cli::cloudCommitmentsJson(answerOf({known()})).at("commitments").at(0);
        QCOMPARE(json.at("kind").get<std::string>(), std::string("reservation"));
        QCOMPARE(json.at("count").get<int>(), 4);
        QCOMPARE(json.at("per_hour").at("amount").get<std::string>(), std::string("12.345678901"));
        QCOMPARE(json.at("per_hour").at("currency").get<std::string>(), std::string("EUR"));
        QCOMPARE(json.at("to").get<std::string>(), std::string("2026-11-21T00:00:00Z"));
        QCOMPARE(json.at("billed_to").get<std::string>(), std::string("2026-11-20T00:00:00Z"));
        QCOMPARE(json.at("end").get<std::string>(), std::string("2029-01-10T08:00:00Z"));
    }

    // Never a zero, and never a name that was not given.
    void whatIsUnknownStaysUnknown()
    {
        CommitmentRow row{.source = "gcp", .commitment = {}};
        row.commitment.id = "123456";
        row.commitment.kind = CloudCommitmentKind::CommittedUse;
        QCOMPARE(firstRow(answerOf({row})), QStringLiteral("123456 any machine committed use - - - - - - -"));
        const cli::Json json = cli::cloudCommitmentsJson(answerOf({row})).at("commitments").at(0);
        for (const char *key :
             {"cloud", "account", "name", "terms", "machine", "region", "count", "per_hour", "start", "end",
              "utilization", "from", "to", "unused", "billed_utilization", "billed_from", "billed_to"})
            QVERIFY2(json.at(key).is_null(), key);
        QCOMPARE(csvLines(answerOf({row})).at(1),
                 QStringLiteral("commitment,gcp,,,123456,,committed-use,,,,,,,,,,,,,,,,,"));
    }

    void coverageIsASecondTable()
    {
        const CommitmentsAnswer answer = answerOf({known()}, {covered()});
        const QStringList tables =
            QString::fromStdString(cli::cloudCommitmentsText(answer, false)).split(QStringLiteral("\n\n"));
        QCOMPARE(tables.size(), 2);
        QCOMPARE(tables.at(1).split(u'\n').at(1).simplified(),
                 QStringLiteral("p5 AWS 111122223333 us-east-1 savings plans 62.5 % 98765.43 USD "
                                "2026-10-22 to 2026-11-20"));
        QVERIFY(!cli::cloudCommitmentsText(answerOf({known()}), false).ends_with("\n\n"));
        const cli::Json json = cli::cloudCommitmentsJson(answer).at("coverage").at(0);
        QCOMPARE(json.at("by").get<std::string>(), std::string("savings-plan"));
        QCOMPARE(json.at("covered").get<double>(), 0.625);
        QCOMPARE(json.at("to").get<std::string>(), std::string("2026-11-21T00:00:00Z"));
    }

    void coverageWithoutACostOrARegion()
    {
        CoverageRow row = covered();
        row.onDemand.reset();
        row.coverage.currency = {};
        row.coverage.region.clear();
        row.coverage.by = CloudCommitmentKind::Reservation;
        const std::string text = cli::cloudCommitmentsText(answerOf({}, {row}), false);
        QCOMPARE(QString::fromStdString(text).split(u'\n').at(3).simplified(),
                 QStringLiteral("p5 AWS 111122223333 - reservations 62.5 % - 2026-10-22 to 2026-11-20"));
        QVERIFY(cli::cloudCommitmentsJson(answerOf({}, {row})).at("coverage").at(0).at("on_demand").is_null());
    }

    void aSheetHasBothKindsOfRows()
    {
        const QStringList lines = csvLines(answerOf({known()}, {covered()}));
        QCOMPARE(lines.size(), 3);
        const auto columns = lines.at(0).count(u',');
        QCOMPARE(lines.at(1),
                 QStringLiteral("commitment,azure,Microsoft,sub-1,reservation-7,training,reservation,\"Reserved VM "
                                "Instance, P3Y\",Standard_ND96isr_H100_v5,eastus,4,EUR,12.345678901,"
                                "2026-01-10T08:00:00Z,2029-01-10T08:00:00Z,0.812500,1234.560000000,,,2026-10-22,"
                                "2026-11-20,0.800000,2026-10-22,2026-11-19"));
        QCOMPARE(lines.at(2).count(u','), columns);
        QVERIFY(
            lines.at(2).startsWith(QLatin1String("coverage,aws,AWS,111122223333,,,savings-plan,,p5,us-east-1,,USD")));
        QVERIFY(lines.at(2).endsWith(QLatin1String(",0.625000,98765.432100000,2026-10-22,2026-11-20,,,")));
    }

    void amountsPerHourHaveFourDecimals()
    {
        QCOMPARE(perHour(0), QStringLiteral("0.0000"));
        QCOMPARE(perHour(1'000'000), QStringLiteral("0.0010"));
        QCOMPARE(perHour(49'999), QStringLiteral("0.0000"));
        QCOMPARE(perHour(50'000), QStringLiteral("0.0001"));
        QCOMPARE(perHour(999'950'000), QStringLiteral("1.0000"));
        QCOMPARE(perHour(-12'300'050'000), QStringLiteral("-12.3001"));
        QCOMPARE(perHour(-49'999), QStringLiteral("0.0000"));
        QCOMPARE(perHour(std::numeric_limits<std::int64_t>::max()), QStringLiteral("9223372036.8548"));
        QCOMPARE(perHour(std::numeric_limits<std::int64_t>::min()), QStringLiteral("-9223372036.8548"));
    }

    void hostileTextsStayTexts()
    {
        CommitmentRow row = known();
        row.commitment.name = "=cmd\x1b[31m\nroot";
        row.commitment.terms = "a \"b\", c";
        const CommitmentsAnswer answer = answerOf({row});
        const std::string text = cli::cloudCommitmentsText(answer, false), sheet = cli::cloudCommitmentsCsv(answer);
        QVERIFY(text.find('\x1b') == std::string::npos && sheet.find('\x1b') == std::string::npos);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{2});
        QVERIFY(sheet.find("'=cmd") != std::string::npos && sheet.find("\"a \"\"b\"\", c\"") != std::string::npos);
        CommitmentReading bad = readAt(nullptr);
        bad.source = "aws\x1b[2J";
        bad.failedAt = at("2026-11-21T12:00:00Z");
        bad.failure = "no\nroot:x \x1b]0;";
        const std::string sentence = cli::unreadCommitmentsText(bad, {});
        QVERIFY(sentence.find('\x1b') == std::string::npos && sentence.find('\n') == std::string::npos);
    }

    void saysWhenSourcesWereRead()
    {
        const base::TimeZone berlin = base::TimeZone::find("Europe/Berlin").value();
        CommitmentsAnswer answer = answerOf({known()});
        answer.readings = {readAt("2026-11-21T12:00:00Z")};
        answer.readings.front().withheld = {"the coverage can't be read without a right"};
        answer.withoutGpus = 1;
        answer.rejected = 2;
        const std::vector<std::string> expected{
            "aws: read at 2026-11-21 13:00", "aws: the coverage can't be read without a right",
            "1 entry is left out: for machines without GPUs only", "2 entries are left out: not readable"};
        QCOMPARE(cli::commitmentNotes(answer, berlin), expected);
        const cli::Json json = cli::cloudCommitmentsJson(answer);
        QCOMPARE(json.at("sources").at(0).at("read_at").get<std::string>(), std::string("2026-11-21T12:00:00Z"));
        QCOMPARE(json.at("sources").at(0).at("withheld").size(), std::size_t{1});
        QVERIFY(json.at("sources").at(0).at("failed_at").is_null() && json.at("sources").at(0).at("failure").is_null());
        QCOMPARE(json.at("left_out").dump(), std::string(R"({"without_gpus":1,"rejected":2})"));
    }

    void saysThatNothingWasFoundOnlyIfItWasRead()
    {
        CommitmentsAnswer answer;
        answer.readings = {readAt(nullptr)};
        QVERIFY(cli::commitmentNotes(answer, {}).empty());
        answer.readings = {readAt("2026-11-21T12:00:00Z")};
        QCOMPARE(cli::commitmentNotes(answer, {}).back(), std::string("no commitment for GPU machines was found"));
    }

    void asksToLookAtASourceThatWasNotRead()
    {
        QVERIFY(!cli::isUnread(readAt("2026-11-21T12:00:00Z")));
        const CommitmentReading never = readAt(nullptr);
        QVERIFY(cli::isUnread(never));
        QCOMPARE(cli::unreadCommitmentsText(never, {}),
                 std::string("the commitments of aws have not been read yet (see: gpuledger-cli sync)"));
        CommitmentReading failed = never;
        failed.failedAt = at("2026-11-21T12:00:00Z");
        failed.failure = "the account may not read them";
        QVERIFY(cli::isUnread(failed));
        QCOMPARE(cli::unreadCommitmentsText(failed, {}),
                 std::string("the commitments of aws could not be read at 2026-11-21 12:00: the account may not read "
                             "them; none of them are shown"));
        failed.readAt = at("2026-11-20T12:00:00Z");
        failed.failure.clear();
        QVERIFY(cli::isUnread(failed));
        QCOMPARE(cli::unreadCommitmentsText(failed, {}),
                 std::string("the commitments of aws could not be read at 2026-11-21 12:00; those of 2026-11-20 12:00 "
                             "are shown"));
    }
};

GPULEDGER_SUITE(CommitmentsPrintTest)

} // namespace tst_commitmentsprint

#include "tst_commitmentsprint.moc"
