// SPDX-License-Identifier: GPL-3.0-or-later
// The lists, manifests and errors of exports in Blob Storage. Whole imports: tests/integration/run_azureexport.py.
#include "connectors/azure/exports/bloblist.h"
#include "connectors/azure/exports/container.h"
#include "connectors/azure/exports/exportkind.h"
#include "connectors/azure/exports/manifest.h"
#include "connectors/azure/exports/sharedsignature.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_azureexport {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Kind = model::AuthSettings::Kind;

namespace {

const format::ManifestPlace kPlace{"a/focus", "2026-10"};
const azure::BlobWords kWords{"https://bills.blob.core.windows.net/exports", "the role Reader", "read blobs",
                              "assign it"};

std::string manifest(const std::string &blobs, const std::string &type = "FocusCost")
{
    return "{\"exportConfig\":{\"type\":\"" + type + "\"},\"blobs\":" + blobs + '}';
}

std::string blob(const std::string &properties)
{
    return "<EnumerationResults><Blobs><Blob>" + properties + "</Blob></Blobs><NextMarker /></EnumerationResults>";
}

model::SourceSettings exportSettings(bool isSigned = false)
{
    model::SourceSettings settings;
    settings.name = "bill";
    settings.options = {{"account", "companybills"}, {"container", "exports"}, {"tenant", "contoso.example"}};
    if (isSigned)
        settings.auth = {Kind::Basic, "sas", {model::SecretRef::Kind::Environment, "S", {}}, {}, {}, {}, {}, {}, {}};
    return settings;
}

} // namespace

class TestAzureExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsManifests_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("root");
        QTest::addColumn<QString>("period"); // empty: no manifest
        const auto row = [](const char *name, const char *key, const char *root, const char *period) {
            QTest::newRow(name) << QString::fromLatin1(key) << QString::fromLatin1(root) << QString::fromLatin1(period);
        };
        row("overwritten", "a/focus/20261001-20261031/manifest.json", "a/focus", "2026-10");
        row("runs", "a/focus/20260201-20260228/202602030405/0f-1/manifest.json", "a/focus", "2026-02");
        row("leap year", "focus/20240201-20240229/manifest.json", "focus", "2024-02");
        row("no folder", "20261201-20261231/Manifest.json", "", "2026-12");
        row("an id that looks like days", "a/20261001-20261031/b/20261101-20261130/manifest.json",
            "a/20261001-20261031/b", "2026-11");
        row("data", "a/focus/20261001-20261031/part_0_0001.csv", "", "");
        row("another file", "a/focus/20261001-20261031/x-manifest.json", "", "");
        row("a part of a month", "a/focus/20261001-20261030/manifest.json", "", "");
        row("from the second day", "a/focus/20261002-20261031/manifest.json", "", "");
        row("two months", "a/focus/20261001-20261130/manifest.json", "", "");
        row("no month", "a/focus/20261301-20261331/manifest.json", "", "");
        row("no days", "a/focus/manifest.json", "", "");
        row("dots", "a/../20261001-20261031/manifest.json", "", "");
    }
    void findsManifests()
    {
        QFETCH(QString, key);
        const auto place = azure::manifestPlaceOf(key.toStdString());
        QTEST(QString::fromStdString(place ? place->root : ""), "root");
        QTEST(QString::fromStdString(place ? place->period : ""), "period");
    }

    // A manifest names the place that Azure wrote to, which may since have been copied.
    void readsManifests()
    {
        const auto read = azure::exportManifestOf(
            "\xEF\xBB\xBF"
                + manifest("[{\"blobName\":\"other/20261001-20261031/run/part_1_0001.csv.gz\"},"
                           "{\"blobName\":\"a/focus/20261001-20261031/run/part_0_0001.csv.gz\",\"byteCount\":5}]"),
            kPlace);
        QVERIFY(read);
        const std::vector<std::string> want{"a/focus/20261001-20261031/run/part_0_0001.csv.gz",
                                            "a/focus/20261001-20261031/run/part_1_0001.csv.gz"};
        QCOMPARE(read->keys, want);
        QVERIFY(read->otherTable.empty());
        const auto actual = azure::exportManifestOf(
            manifest("[{\"blobName\":\"a/focus/20261001-20261031/a.csv\"}]", "ActualCost"), kPlace);
        QCOMPARE(actual->otherTable, std::string("an export of the type ActualCost"));
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
        row("another folder", manifest("[{\"blobName\":\"a/focus/c.csv\"}]"));
        row("another month", manifest("[{\"blobName\":\"a/focus/20260901-20260930/c.csv\"}]"));
        row("dots", manifest("[{\"blobName\":\"a/focus/20261001-20261031/../../c.csv\"}]"));
        row("a folder", manifest("[{\"blobName\":\"a/focus/20261001-20261031/\"}]"));
        row("no name", manifest("[{}]"));
        row("a text", manifest("[\"a/focus/20261001-20261031/c.csv\"]"));
    }
    void refusesOtherManifests()
    {
        QFETCH(QString, text);
        const auto read = azure::exportManifestOf(text.toStdString(), kPlace);
        QVERIFY(!read && read.error().code == ErrorCode::Parse);
    }

    void readsLists()
    {
        const std::string text = "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults "
                                 "ServiceEndpoint=\"https://bills.blob.core.windows.net/\" ContainerName=\"exports\">"
                                 "<Prefix>a/</Prefix><Blobs><BlobPrefix><Name>a/b/</Name></BlobPrefix><Blob>"
                                 "<Name>a/b c+d&amp;e</Name><Properties><Last-Modified>Fri, 02 Oct 2026 03:04:05 GMT"
                                 "</Last-Modified><Etag>0x8D1</Etag><Content-Length>5000000000</Content-Length>"
                                 "</Properties></Blob></Blobs><NextMarker>2!8!t=</NextMarker></EnumerationResults>";
        const auto page = azure::blobPageOf(text);
        QVERIFY(page && page->objects.size() == 1);
        QCOMPARE(page->next, std::string("2!8!t="));
        const format::StoredObject want{"a/b c+d&e", "\"0x8D1\"", 5'000'000'000,
                                        *base::parseTime("2026-10-02T03:04:05Z")};
        QVERIFY(page->objects.front() == want);
        const std::string time = "<Last-Modified>Fri, 02 Oct 2026 03:04:05 GMT</Last-Modified>",
                          length = "<Content-Length>1</Content-Length>";
        const auto quotes = azure::blobPageOf(
            blob("<Name>a</Name><Properties>" + time + length + "<Etag>\"0x8D1\"</Etag></Properties>"));
        QVERIFY(quotes && quotes->objects.at(0).etag == "\"0x8D1\"" && quotes->next.empty());
        for (const std::string &wrong : {std::string(), std::string("<html/>"), blob("<Name>a</Name>"),
                                         blob("<Name>a</Name><Properties>" + time + length + "</Properties>"),
                                         blob("<Name>a</Name><Properties><Etag>1</Etag>" + length + "</Properties>"),
                                         blob("<Name>a</Name><Properties><Etag>1</Etag>" + time
                                              + "<Content-Length>-1</Content-Length></Properties>")}) {
            const auto none = azure::blobPageOf(wrong);
            QVERIFY2(!none && none.error().code == ErrorCode::Parse, wrong.c_str());
        }
    }

    void namesWhatIsMissing_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("words");
        const auto row = [](int status, const char *code, ErrorCode error, const char *words) {
            QTest::newRow(code) << status << QString::fromLatin1(code) << static_cast<int>(error)
                                << QString::fromLatin1(words);
        };
        row(403, "AuthorizationPermissionMismatch", ErrorCode::Forbidden, "without the role Reader");
        row(403, "AuthorizationFailure", ErrorCode::Forbidden, "without the role Reader");
        row(403, "AuthenticationFailed", ErrorCode::Unauthorized, "AuthenticationFailed: said so");
        row(401, "NoAuthenticationInformation", ErrorCode::Unauthorized, "said so");
        row(404, "ContainerNotFound", ErrorCode::NotFound, "ContainerNotFound");
        row(503, "ServerBusy", ErrorCode::Server, "ServerBusy");
    }
    void namesWhatIsMissing()
    {
        QFETCH(int, status);
        QFETCH(QString, code);
        QFETCH(int, error);
        QFETCH(QString, words);
        const std::string body = "\xEF\xBB\xBF<Error><Code>" + code.toStdString()
            + "</Code><Message>said so\nRequestId:1\x1b</Message></Error>";
        for (const bool inHeader : {true, false}) {
            http::Response response = answer(inHeader ? std::string()
                                                      : "<Error><Code>" + code.toStdString()
                                                     + "</Code><Message>said so\nRequestId:1</Message></Error>",
                                             status);
            if (inHeader)
                response.headers = {{"x-ms-error-code", code.toStdString()}};
            const auto refusal = azure::blobRefusalOf(response, kWords);
            QVERIFY(refusal && static_cast<int>(refusal->code) == error);
            if (!inHeader || !words.contains(QLatin1String("said so")))
                QVERIFY2(refusal->text.find(words.toStdString()) != std::string::npos, refusal->text.c_str());
            QVERIFY(refusal->text.find("RequestId") == std::string::npos);
        }
        http::Response damaged = answer(body, status); // a control character
        QVERIFY(azure::blobRefusalOf(damaged, kWords)->text.find('\x1b') == std::string::npos);
    }

    void aChangedBlobIsNoRefusal()
    {
        http::Response gone = answer("", 404);
        gone.headers = {{"x-ms-error-code", "BlobNotFound"}};
        QVERIFY(!azure::blobRefusalOf(gone, kWords));
        QVERIFY(!azure::blobRefusalOf(answer("", 412), kWords));
        QVERIFY(!azure::blobRefusalOf(answer("", 206), kWords));
        QVERIFY(azure::blobRefusalOf(answer("", 302), kWords)); // a redirect is not followed
    }

    void aSignatureIsAPartOfTheAddress()
    {
        CountedSecret secrets;
        secrets.value = "?sv=2021&sp=rl&sig=a%2Fb";
        azure::SharedSignature signature(exportSettings(true).auth, secrets);
        http::Request list, blob;
        list.url = "https://bills.blob.core.windows.net/exports?comp=list";
        blob.url = "https://bills.blob.core.windows.net/exports/a";
        QVERIFY(signature.admit(list, {}) && signature.admit(blob, {}));
        QVERIFY(list.url.ends_with("?comp=list&sv=2021&sp=rl&sig=a%2Fb"));
        QVERIFY(blob.url.ends_with("exports/a?sv=2021&sp=rl&sig=a%2Fb"));
        QCOMPARE(secrets.reads, 1);
        for (const char *wrong : {"AccountKey", "sv=2021&sp=rl", "sv=1&sig=a b", "sv=1&sig=a#b"}) {
            secrets.value = wrong;
            signature.drop(); // it was refused, and is read again
            http::Request request;
            const auto admitted = signature.admit(request, {});
            QVERIFY2(!admitted && admitted.error().code == ErrorCode::InvalidConfig, wrong);
            QVERIFY(admitted.error().text.find(wrong) == std::string::npos);
        }
    }

    void checksSettings()
    {
        CountedSecret secrets;
        const base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
        const auto codeOf = [&](const std::function<void(model::SourceSettings &)> &change) {
            model::SourceSettings settings = exportSettings();
            change(settings);
            const auto made = azure::makeExportSource(settings, secrets, clock, nullptr);
            return made ? ErrorCode::Cancelled : made.error().code;
        };
        QVERIFY(codeOf([](auto &) {}) == ErrorCode::Cancelled);
        for (const char *account : {"", "ab", "Bills", "a-b", "abc.evil.example", "aaaaaaaaaaaaaaaaaaaaaaaaa"})
            QVERIFY2(codeOf([&](auto &one) { one.options["account"] = account; }) == ErrorCode::InvalidConfig, account);
        for (const char *container : {"", "ab", "a/b", "a--b", "-abc", "Abc"})
            QVERIFY2(codeOf([&](auto &one) { one.options["container"] = container; }) == ErrorCode::InvalidConfig,
                     container);
        QVERIFY(codeOf([](auto &one) { one.options["prefix"] = "a//b"; }) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf([](auto &one) { one.url = "ftp://bills"; }) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf([](auto &one) {
                    one.auth.kind = Kind::Basic;
                    one.auth.user = "app";
                    one.options.erase("tenant");
                })
                == ErrorCode::InvalidConfig);
        const auto signedAt = [&](const char *url) {
            return codeOf([&](auto &one) {
                one.auth.kind = Kind::Basic;
                one.auth.user = "sas";
                one.options.erase("tenant"); // it needs none
                one.url = url;
            });
        };
        QVERIFY(signedAt("http://bills.example") == ErrorCode::InvalidConfig); // the signature would be readable
        QVERIFY(signedAt("https://bills.example") == ErrorCode::Cancelled);
        QVERIFY(signedAt("http://127.0.0.1:1/bills") == ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestAzureExport)

} // namespace tst_azureexport

#include "tst_azureexport.moc"
