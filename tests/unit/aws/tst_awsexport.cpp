// SPDX-License-Identifier: GPL-3.0-or-later
// The lists and manifests of exports in S3. Whole imports: tests/integration/run_awsexport.py.
#include "connectors/aws/exports/bucket.h"
#include "connectors/aws/exports/manifest.h"
#include "connectors/aws/exports/objectlist.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_awsexport {

using namespace gpuledger;
using base::ErrorCode;

namespace {

const format::ManifestPlace kPlace{"a/focus", "2026-10"};

std::string manifest(const std::string &files)
{
    return "{\"columns\":[{\"name\":\"BilledCost\"}],\"dataFiles\":" + files + '}';
}

} // namespace

class TestAwsExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsManifests_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("root");
        QTest::addColumn<QString>("period"); // empty: no manifest
        QTest::newRow("overwritten") << "a/focus/metadata/BILLING_PERIOD=2026-10/focus-Manifest.json"
                                     << "a/focus"
                                     << "2026-10";
        QTest::newRow("execution") << "focus/metadata/billing_period=2026-01/20260102T030405-id/focus-manifest.JSON"
                                   << "focus"
                                   << "2026-01";
        QTest::newRow("no folder") << "metadata/BILLING_PERIOD=2026-12/x-Manifest.json"
                                   << ""
                                   << "2026-12";
        QTest::newRow("metadata") << "a/metadata/BILLING_PERIOD=2026-10/focus-Metadata.json"
                                  << ""
                                  << "";
        QTest::newRow("data") << "a/data/BILLING_PERIOD=2026-10/focus-Manifest.json"
                              << ""
                              << "";
        QTest::newRow("no month") << "a/metadata/BILLING_PERIOD=2026-13/focus-Manifest.json"
                                  << ""
                                  << "";
        QTest::newRow("dots") << "a/../metadata/BILLING_PERIOD=2026-10/focus-Manifest.json"
                              << ""
                              << "";
    }
    void findsManifests()
    {
        QFETCH(QString, key);
        const auto place = aws::manifestPlaceOf(key.toStdString());
        QTEST(QString::fromStdString(place ? place->root : ""), "root");
        QTEST(QString::fromStdString(place ? place->period : ""), "period");
    }

    // A manifest names the bucket that AWS wrote to, which may since have been copied.
    void readsManifests()
    {
        const auto read = aws::exportManifestOf(
            manifest("[\"s3://other/x/focus/data/BILLING_PERIOD=2026-10/b.csv.gz\","
                     "\"a/focus/data/billing_period=2026-10/id/a.csv.gz\", {\"key\":\"a/focus/more/c.csv\"}]"),
            kPlace);
        QVERIFY(read);
        const std::vector<std::string> want{"a/focus/data/BILLING_PERIOD=2026-10/b.csv.gz",
                                            "a/focus/data/billing_period=2026-10/id/a.csv.gz", "a/focus/more/c.csv"};
        QCOMPARE(read->keys, want);
        QVERIFY(read->otherTable.empty());
        const auto usage = aws::exportManifestOf(
            "{\"columns\":[\"Line_Item_Usage_Type\"],\"dataFiles\":[\"a/focus/data/BILLING_PERIOD=2026-10/b.csv.gz\"]}",
            kPlace);
        QVERIFY(usage && usage->otherTable.empty()); // a Cost and Usage Report is read, too
    }

    void refusesOtherManifests_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const std::string &text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("no JSON", "<html>");
        row("a list", "[]");
        row("no files", manifest("[]"));
        row("no list", manifest("7"));
        row("another folder", manifest("[\"s3://bills/b/c.csv\"]"));
        row("dots", manifest("[\"a/focus/../../c.csv\"]"));
        row("a folder", manifest("[\"a/focus/data/\"]"));
        row("no name", manifest("[{}]"));
    }
    void refusesOtherManifests()
    {
        QFETCH(QString, text);
        const auto read = aws::exportManifestOf(text.toStdString(), kPlace);
        QVERIFY(!read && read.error().code == ErrorCode::Parse);
    }

    void readsLists()
    {
        const auto page = aws::objectPageOf(
            "<ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'><EncodingType>url</EncodingType>"
            "<Contents><Key>a/b%20c%2Bd</Key><LastModified>2026-10-02T03:04:05.000Z</LastModified><ETag>&quot;e&quot;"
            "</ETag><Size>5000000000</Size></Contents><IsTruncated>true</IsTruncated>"
            "<NextContinuationToken>t=</NextContinuationToken></ListBucketResult>");
        QVERIFY(page && page->objects.size() == 1);
        QCOMPARE(page->next, std::string("t="));
        const format::StoredObject want{"a/b c+d", "\"e\"", 5'000'000'000, *base::parseTime("2026-10-02T03:04:05Z")};
        QVERIFY(page->objects.front() == want);
        for (const char *wrong :
             {"", "<html/>", "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
              "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"}) {
            const auto none = aws::objectPageOf(wrong);
            QVERIFY2(!none && none.error().code == ErrorCode::Parse, wrong);
        }
    }

    void knowsBucketNames()
    {
        for (const char *right : {"abc", "company-billing.example", "123"})
            QVERIFY2(aws::isBucketName(right), right);
        for (const char *wrong : {"", "ab", "Abc", "a/b", "a..b", "-abc", "abc.", "a_b", "a@evil.example"})
            QVERIFY2(!aws::isBucketName(wrong), wrong);
    }
};

GPULEDGER_SUITE(TestAwsExport)

} // namespace tst_awsexport

#include "tst_awsexport.moc"
