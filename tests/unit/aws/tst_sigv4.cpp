// SPDX-License-Identifier: GPL-3.0-or-later
// Signatures against AWS's published vectors (sigv4vectors.json: awslabs/aws-c-auth, Apache-2.0) and against botocore.
#include "connectors/auth/sigv4.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QProcess>
#include <QTest>

#include <fstream>

namespace tst_sigv4 {

using namespace gpuledger;
using nlohmann::json;

namespace {

constexpr char kSecret[] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

QString sourcePath(const char *path)
{
    return QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QString::fromLatin1(path));
}

auth::AwsKeys keys(const std::string &id, const std::string &secret, const std::string &token)
{
    auth::AwsKeys out;
    out.accessKeyId = id;
    out.secretKey = base::Secret(secret);
    out.sessionToken = base::Secret(token);
    return out;
}

http::Request requestOf(const json &one)
{
    http::Request request;
    request.method = one["method"];
    request.body = one["body"];
    for (const json &header : one["headers"]) {
        if (header[0] == "Content-Type")
            request.contentType = header[1];
        else
            request.headers.emplace_back(header[0], header[1]);
    }
    return request;
}

std::string authorizationOf(const http::Request &request)
{
    for (const auto &[name, value] : request.headers) {
        if (name == "Authorization")
            return value;
    }
    return {};
}

base::UtcTime vectorTime()
{
    return *base::parseTime("2015-08-30T12:36:00Z");
}

} // namespace

class TestSigV4 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signsThePublishedVectors_data()
    {
        QTest::addColumn<QByteArray>("text");
        std::ifstream file(sourcePath("tests/unit/aws/sigv4vectors.json").toStdString());
        const json all = json::parse(file);
        QVERIFY(all.size() >= 29);
        for (const json &one : all)
            QTest::newRow(one["name"].get<std::string>().c_str()) << QByteArray::fromStdString(one.dump());
    }
    void signsThePublishedVectors()
    {
        QFETCH(QByteArray, text);
        const json one = json::parse(text.toStdString());
        http::Request request = requestOf(one);
        request.url = "https://example.amazonaws.com" + one["path"].get<std::string>();
        const auth::AwsKeys key = keys("AKIDEXAMPLE", kSecret, one["token"]);
        const auto done = auth::signRequest(request, key, {"us-east-1", "service"}, vectorTime());
        QVERIFY2(done, done ? "" : done.error().text.c_str());
        const std::string header = authorizationOf(request);
        QCOMPARE(header.substr(header.find("Signature=") + 10), one["signature"].get<std::string>());
        QVERIFY(
            header.starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "));
    }

    // "Create a signed AWS API request": the example of the manual.
    void signsListUsers()
    {
        http::Request request;
        request.url = "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08";
        request.headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                           {"x-amz-date", "20150830T123600Z"}};
        const auto parts = auth::sigV4Parts(request, base::Secret(kSecret), {"us-east-1", "iam"}, vectorTime());
        QVERIFY(parts.has_value());
        QCOMPARE(parts->stringToSign.substr(parts->stringToSign.rfind('\n') + 1),
                 std::string("f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59"));
        QCOMPARE(parts->signature, std::string("5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"));
    }

    // "Signature Calculations for the Authorization Header" in the manual of Amazon S3: a piece of an object, a list
    // whose query is not in order, and (below) a name that is encoded once.
    void signsAsTheManualOfS3()
    {
        const auto of = [](const std::string &target, const http::Parameters &more) {
            http::Request request;
            request.url = "https://examplebucket.s3.amazonaws.com/" + target;
            request.headers = more;
            request.headers.emplace_back("x-amz-content-sha256",
                                         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
            const auto key = keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");
            const auto done =
                auth::signRequest(request, key, {"us-east-1", "s3"}, *base::parseTime("2013-05-24T00:00:00Z"));
            return done ? authorizationOf(request) : done.error().text;
        };
        const std::string scope =
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ";
        QCOMPARE(of("test.txt", {{"Range", "bytes=0-9"}}),
                 scope
                     + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                       "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        QCOMPARE(of("?prefix=J&max-keys=2", {}),
                 scope
                     + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
                       "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    // The manual's example of such a name is a PUT: "/test$file.text", signed as "/test%24file.text".
    void signsTheNameOfAnObjectAsItIsSent()
    {
        http::Request request;
        request.method = "PUT";
        request.body = "Welcome to Amazon S3.";
        request.url = "https://examplebucket.s3.amazonaws.com/test%24file.text";
        request.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                           {"x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"},
                           {"x-amz-date", "20130524T000000Z"},
                           {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
        const base::Secret secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        const base::UtcTime at = *base::parseTime("2013-05-24T00:00:00Z");
        const auto parts = auth::sigV4Parts(request, secret, {"us-east-1", "s3"}, at);
        QVERIFY(parts.has_value());
        QCOMPARE(parts->stringToSign.substr(parts->stringToSign.rfind('\n') + 1),
                 std::string("9e0e90d9c76de8fa5b200d8c849cd5b8dc7a3be3951ddb7f6a76b4158342019d"));
        QCOMPARE(parts->signature, std::string("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
        const auto twice = auth::sigV4Parts(request, secret, {"us-east-1", "sagemaker"}, at);
        QVERIFY(parts->canonicalRequest.find("\n/test%24file.text\n") != std::string::npos);
        QVERIFY(twice->canonicalRequest.find("\n/test%2524file.text\n") != std::string::npos);
    }

    void signsAsBotocoreDoes()
    {
        QProcess oracle;
        oracle.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        oracle.start(QStringLiteral("/usr/bin/python3"),
                     {sourcePath("tests/unit/aws/sigv4oracle.py"), QStringLiteral("400"), QStringLiteral("20261122")});
        QVERIFY(oracle.waitForFinished(60000));
        const QByteArray output = oracle.readAllStandardOutput();
        if (output.startsWith("no botocore"))
            QSKIP("skipped: no botocore");
        const json all = json::parse(output.toStdString());
        QCOMPARE(all.size(), std::size_t{400});
        for (const json &one : all) {
            http::Request request = requestOf(one);
            request.url = one["url"];
            request.contentType = one["type"];
            const auto done = auth::signRequest(request, keys(one["key"], one["secret"], one["token"]),
                                                {one["region"], one["service"]}, base::fromUnix(one["at"]));
            QVERIFY2(done, one.dump().c_str());
            if (authorizationOf(request) != one["authorization"].get<std::string>())
                QFAIL((one.dump(1) + "\nours: " + authorizationOf(request)).c_str());
        }
    }

    // The secret key is in nothing that is sent; the token only in its own header.
    void keepsTheSecret()
    {
        http::Request request;
        request.url = "https://ec2.us-east-1.amazonaws.com/";
        request.method = "POST";
        QVERIFY(auth::signRequest(request, keys("AKID", "canary-secret", "canary-token"), {"us-east-1", "ec2"},
                                  vectorTime()));
        for (const auto &[name, value] : request.headers)
            QVERIFY2(value.find("canary") == std::string::npos, value.c_str());
        QCOMPARE(request.credentials->bearerHeader, std::string("X-Amz-Security-Token"));
        QVERIFY(request.credentials->bearer.reveal() == "canary-token");
    }

    // Every attempt has its own date and signature.
    void dependsOnTimeRegionAndBody()
    {
        http::Request request;
        request.url = "https://ec2.us-east-1.amazonaws.com/";
        request.method = "POST";
        request.body = "Action=A";
        std::set<std::string> seen;
        const auto add = [&](const auth::SigV4Scope &scope, base::UtcTime at) {
            seen.insert(auth::sigV4Parts(request, base::Secret("s"), scope, at)->signature);
        };
        add({"us-east-1", "ec2"}, vectorTime());
        add({"us-east-1", "ec2"}, vectorTime() + base::Seconds{1});
        add({"us-east-2", "ec2"}, vectorTime());
        add({"us-east-1", "sts"}, vectorTime());
        request.body = "Action=B";
        add({"us-east-1", "ec2"}, vectorTime());
        QCOMPARE(seen.size(), std::size_t{5});
    }

    void refusesWhatIsNoAddress()
    {
        http::Request request;
        request.url = "file:///etc/passwd";
        QVERIFY(auth::sigV4Parts(request, base::Secret("s"), {"r", "s"}, vectorTime()).error().code
                == base::ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestSigV4)

} // namespace tst_sigv4

#include "tst_sigv4.moc"
