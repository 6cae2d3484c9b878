// SPDX-License-Identifier: GPL-3.0-or-later
// Where keys are looked up, in which order, and the errors if there are none.
#include "connectors/aws/credentialchain.h"
#include "connectors/aws/requestsigner.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_awscredentials {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr char kStsKeys[] =
    "<%1Response><%1Result><Credentials><AccessKeyId>AKIDROLE</AccessKeyId><SecretAccessKey>canary-role"
    "</SecretAccessKey><SessionToken>canary-role-token</SessionToken><Expiration>2026-11-22T11:00:00Z"
    "</Expiration></Credentials></%1Result></%1Response>";

aws::Place placeAt(const std::string &region, const std::string &url = {})
{
    aws::Place place;
    place.region = region;
    place.url = url;
    return place;
}

http::Response stsKeys(const std::string &action)
{
    return answer(QString::fromLatin1(kStsKeys).arg(QString::fromStdString(action)).toStdString(), 200, "text/xml");
}

base::Result<http::Response> hostKeys(const std::string &id)
{
    return answer("{\"Code\":\"Success\",\"AccessKeyId\":\"" + id
                  + "\",\"SecretAccessKey\":\"canary-host\",\"Token\":\"canary-host-token\",\"Expiration\":\"2026-11-"
                    "22T11:00:00Z\"}");
}

// The metadata service of a machine that has a role.
base::Result<http::Response> metadata(const http::Request &request)
{
    if (request.method == "PUT")
        return answer("canary-session");
    if (!request.credentials || request.credentials->bearerHeader != "x-aws-ec2-metadata-token")
        return answer("", 401);
    return request.url.back() == '/' ? base::Result<http::Response>(answer("gpu-role\n")) : hostKeys("AKIDMACHINE");
}

} // namespace

class TestAwsCredentials : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;
    std::map<std::string, std::string> m_environment;
    FakeAws m_server;
    std::vector<http::Request> m_asked;
    base::FrozenClock m_clock{*base::parseTime("2026-11-22T10:00:00Z")};

    void write(const char *name, const QByteArray &text)
    {
        const QString path = m_home->filePath(QLatin1String(".aws/") + QLatin1String(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    }

    aws::Wire wire(std::function<base::Result<http::Response>(const http::Request &)> script)
    {
        m_asked.clear();
        auto client = std::make_shared<ScriptedClient>([this, script](const http::Request &request) {
            m_asked.push_back(request);
            return script(request);
        });
        return aws::Wire(client, m_clock, placeAt("us-east-1"));
    }
    static base::Result<http::Response> nobody(const http::Request &) { return answer("", 500); }

    base::Result<aws::SharedCredentials> get(const aws::Wire &wire, const std::string &profile = {})
    {
        aws::CredentialChain chain(
            wire, profile,
            {[this](const std::string &name) { return m_environment[name]; }, m_home->path().toStdString()});
        return chain.get({});
    }
    std::string idOf(const std::string &profile = {})
    {
        const aws::Wire silent = wire(nobody);
        const auto found = get(silent, profile);
        return found ? (*found)->keys.accessKeyId
                     : std::string(toString(found.error().code)) + ": " + found.error().text;
    }

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_environment.clear();
    }

    void prefersTheEnvironmentUnlessAProfileIsNamed()
    {
        write("credentials",
              "# mine\n[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key=a=b\n\n[ other ]\n"
              "aws_access_key_id=AKIDOTHER\naws_secret_access_key=c\naws_session_token = t\n");
        QCOMPARE(idOf(), std::string("AKIDDEFAULT"));
        QCOMPARE(idOf("other"), std::string("AKIDOTHER"));
        m_environment["AWS_PROFILE"] = "other";
        QCOMPARE(idOf(), std::string("AKIDOTHER"));
        m_environment["AWS_ACCESS_KEY_ID"] = "AKIDENV";
        m_environment["AWS_SECRET_ACCESS_KEY"] = "e";
        QCOMPARE(idOf(), std::string("AKIDENV"));
        QCOMPARE(idOf("default"), std::string("AKIDDEFAULT"));
        const aws::Wire silent = wire(nobody);
        const auto other = get(silent, "other");
        QVERIFY((*other)->keys.secretKey.reveal() == "c" && (*other)->keys.sessionToken.reveal() == "t");
        QVERIFY((*get(silent, "default"))->keys.secretKey.reveal() == "a=b");
    }

    void readsTheConfigFile()
    {
        write("config",
              "[default]\nregion = eu-west-1\ns3 =\n  aws_access_key_id = NESTED\n[profile ops]\n"
              "aws_access_key_id = AKIDOPS\r\naws_secret_access_key = x\r\n");
        QCOMPARE(idOf("ops"), std::string("AKIDOPS"));
        QVERIFY(idOf().starts_with("unauthorized: no AWS keys were found"));
        m_environment["AWS_CONFIG_FILE"] = m_home->filePath(QStringLiteral("elsewhere")).toStdString();
        QVERIFY2(idOf("ops").starts_with("invalid-config: there is no AWS profile \"ops\""), idOf("ops").c_str());
    }

    void signsForOtherConnectors()
    {
        write("credentials", "[alerts]\naws_access_key_id = AKIDFIRST\naws_secret_access_key = canary-first\n");
        int clients = 0;
        const auto signers = aws::signers(
            [&] {
                ++clients;
                return std::make_shared<ScriptedClient>(nobody);
            },
            m_clock, {[this](const std::string &name) { return m_environment[name]; }, m_home->path().toStdString()});
        const auto refused = signers({"alerts", "eu west", "aps", {}});
        QVERIFY(!refused && refused.error().code == ErrorCode::InvalidConfig);
        const auto signer = signers({"alerts", "eu-west-1", "aps", {}});
        QVERIFY(signer && *signers({"alerts", "eu-west-1", "aps", {}}) == *signer); // with the keys that it found
        QVERIFY(*signers({"", "eu-west-1", "aps", {}}) != *signer);
        QCOMPARE(clients, 2);
        base::Redactor secrets;
        http::Request request;
        request.method = "POST";
        request.url = "https://aps.example.org/ws/alertmanager/api/v2/alerts";
        request.body = "[]";
        const auto signature = [&](auth::RequestSigner::UsedKeys &keys) {
            http::Request one = request;
            keys = (*signer)->sign(one, secrets, {}).value();
            return one.headers.back().second;
        };
        auth::RequestSigner::UsedKeys first, second;
        const std::string text = signature(first);
        QVERIFY2(text.starts_with("AWS4-HMAC-SHA256 Credential=AKIDFIRST/20261122/eu-west-1/aps/aws4_request"),
                 text.c_str());
        QCOMPARE(secrets.redacted("AKIDFIRST and canary-first"), std::string("*** and ***"));
        QVERIFY(!(*signer)->renew(first, {})); // they are the only ones
        write("credentials", "[alerts]\naws_access_key_id = AKIDSECOND\naws_secret_access_key = canary-second\n");
        QVERIFY(signature(second).find("AKIDFIRST") != std::string::npos);
        QVERIFY((*signer)->renew(second, {}));
        QVERIFY(signature(second).find("AKIDSECOND") != std::string::npos);
        m_home->remove();
        (void)(*signer)->renew(second, {});
        QVERIFY(!(*signer)->sign(request, secrets, {}));
    }

    void saysWhatItDoesNotRead_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("program") << QByteArray("credential_process = /bin/keys") << QByteArray("credential_process");
        QTest::newRow("login") << QByteArray("login_session = arn:x") << QByteArray("console login");
        QTest::newRow("code") << QByteArray("role_arn = arn:x\nmfa_serial = arn:m\nsource_profile = default")
                              << QByteArray("one-time code");
        QTest::newRow("source") << QByteArray("role_arn = arn:x\ncredential_source = Ghost") << QByteArray("Ghost");
    }
    void saysWhatItDoesNotRead()
    {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, words);
        write("config", "[profile p]\n" + config + '\n');
        const std::string said = idOf("p");
        QVERIFY2(said.starts_with("unsupported: ") && said.find(words.toStdString()) != std::string::npos,
                 said.c_str());
        QVERIFY(m_asked.empty());
    }

    // Every address that may provide keys, and what is sent to it.
    void asksForTheRoleOfAContainer()
    {
        write("pod-token", "canary-pod\n");
        const std::string file = m_home->filePath(QStringLiteral(".aws/pod-token")).toStdString();
        const aws::Wire agent = wire([](const http::Request &) { return hostKeys("AKIDPOD"); });
        m_environment = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials"},
                         {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file}};
        const auto found = get(agent);
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*found)->keys.accessKeyId, std::string("AKIDPOD"));
        QVERIFY((*found)->keys.sessionToken.reveal() == "canary-host-token");
        QVERIFY((*found)->expires == base::parseTime("2026-11-22T11:00:00Z").value());
        QCOMPARE(m_asked.size(), std::size_t{1});
        QCOMPARE(m_asked[0].url, std::string("http://169.254.170.23/v1/credentials"));
        QVERIFY(m_asked[0].toMachine && m_asked[0].credentials->bearerHeader == "Authorization");
        QVERIFY(m_asked[0].credentials->bearer.reveal() == "canary-pod");
        // The alternative variables.
        m_environment = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1"},
                         {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "canary-task"}};
        QVERIFY(get(agent).has_value());
        QCOMPARE(m_asked.back().url, std::string("http://169.254.170.2/v2/credentials/1"));
        QVERIFY(m_asked.back().credentials->bearer.reveal() == "canary-task");
        // A role assumed with these keys.
        write("config", "[profile p]\nrole_arn = arn:r\ncredential_source = EcsContainer\n");
        const aws::Wire both = wire([](const http::Request &request) {
            return request.url.find("169.254") != std::string::npos ? hostKeys("AKIDPOD") : stsKeys("AssumeRole");
        });
        QCOMPARE((*get(both, "p"))->keys.accessKeyId, std::string("AKIDROLE"));
        QVERIFY(m_asked.back().headers.back().second.find("Credential=AKIDPOD/") != std::string::npos);
    }

    void asksNoOtherMachineForTheRoleOfAContainer_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isAsked");
        QTest::newRow("another") << "http://10.0.0.1/keys" << false;
        QTest::newRow("looks like it") << "http://169.254.170.2.evil.example/keys" << false;
        QTest::newRow("machine") << "http://169.254.169.254/keys" << false;
        QTest::newRow("user name") << "http://169.254.170.2@evil.example/keys" << false;
        QTest::newRow("no address") << "file:///etc/passwd" << false;
        QTest::newRow("encrypted") << "https://keys.example/x" << true;
        QTest::newRow("loopback") << "http://127.0.0.1:9/x" << true;
        QTest::newRow("pod") << "http://[fd00:ec2::23]/v1" << true;
    }
    void asksNoOtherMachineForTheRoleOfAContainer()
    {
        QFETCH(QString, address);
        QFETCH(bool, isAsked);
        m_environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = address.toStdString();
        const aws::Wire agent = wire([](const http::Request &) { return hostKeys("AKIDPOD"); });
        const auto found = get(agent);
        QCOMPARE(found.has_value(), isAsked);
        QCOMPARE(!m_asked.empty(), isAsked);
        QVERIFY(isAsked || found.error().code == ErrorCode::InvalidConfig);
    }

    void asksForTheRoleOfTheMachine()
    {
        const aws::Wire service = wire(metadata);
        const auto found = get(service);
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*found)->keys.accessKeyId, std::string("AKIDMACHINE"));
        QCOMPARE(m_asked.size(), std::size_t{3});
        QCOMPARE(m_asked[0].method, std::string("PUT"));
        QCOMPARE(m_asked[0].url, std::string("http://169.254.169.254/latest/api/token"));
        for (const http::Request &request : m_asked)
            QVERIFY(request.toMachine && request.timeouts.total <= std::chrono::seconds{1});
        QVERIFY(m_asked[2].credentials->bearer.reveal() == "canary-session");
        m_environment["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "IPv6";
        QVERIFY(get(service).has_value());
        QCOMPARE(m_asked.back().url,
                 std::string("http://[fd00:ec2::254]/latest/meta-data/iam/security-credentials/gpu-role"));
        m_environment["AWS_EC2_METADATA_DISABLED"] = "True";
        QVERIFY(get(service).error().code == ErrorCode::Unauthorized);
        QCOMPARE(m_asked.size(), std::size_t{6});
        // A profile with keys takes precedence, and a missing profile is not replaced by another.
        m_environment.clear();
        write("credentials", "[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = x\n");
        QCOMPARE((*get(service))->keys.accessKeyId, std::string("AKIDDEFAULT"));
        QVERIFY(get(service, "ghost").error().code == ErrorCode::InvalidConfig);
        QCOMPARE(m_asked.size(), std::size_t{6});
    }

    void saysWhyAMachineGivesNoKeys_data()
    {
        QTest::addColumn<QByteArray>("roles");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QByteArray>("said");
        const QByteArray good =
            R"({"Code":"Success","AccessKeyId":"A","SecretAccessKey":"s","Token":"t","Expiration":"2026-11-22T11:00:00Z"})";
        QTest::newRow("no role") << QByteArray() << 404 << good << QByteArray("has no role");
        QTest::newRow("forbidden") << QByteArray() << 403 << good << QByteArray("HTTP 403");
        QTest::newRow("hostile name") << QByteArray("../../user-data") << 200 << good
                                      << QByteArray("name can't be read");
        QTest::newRow("code") << QByteArray("r") << 200 << QByteArray(R"({"Code":"AssumeRoleUnauthorizedAccess"})")
                              << QByteArray("AssumeRoleUnauthorizedAccess");
        QTest::newRow("no JSON") << QByteArray("r") << 200 << QByteArray("<html>") << QByteArray("can't be read");
        QTest::newRow("no token") << QByteArray("r") << 200 << QByteArray(good).replace("Token", "Tokem")
                                  << QByteArray("contains none");
        QTest::newRow("no end") << QByteArray("r") << 200 << QByteArray(good).replace("2026-11-22T", "soon")
                                << QByteArray("contains none");
    }
    void saysWhyAMachineGivesNoKeys()
    {
        QFETCH(QByteArray, roles);
        QFETCH(int, status);
        QFETCH(QByteArray, keys);
        QFETCH(QByteArray, said);
        const aws::Wire service = wire([&](const http::Request &request) {
            if (request.method == "PUT")
                return answer("canary-session");
            const bool isList = request.url.back() == '/';
            return isList ? answer(roles.toStdString(), status) : answer(keys.toStdString());
        });
        const auto found = get(service);
        QVERIFY(!found && found.error().code == ErrorCode::Unauthorized);
        QVERIFY2(found.error().text.find(said.toStdString()) != std::string::npos, found.error().text.c_str());
        QVERIFY(found.error().text.find("canary") == std::string::npos);
    }

    // Usually there is no such service, which is not an error in itself.
    void noMachineIsNoFault()
    {
        const aws::Wire nothing = wire([](const http::Request &) -> base::Result<http::Response> {
            return base::fail(ErrorCode::Timeout, "169.254.169.254 did not answer");
        });
        const auto found = get(nothing);
        QVERIFY(!found && found.error().code == ErrorCode::Unauthorized);
        QVERIFY(found.error().text.find("no AWS keys were found") != std::string::npos);
        QCOMPARE(m_asked.size(), std::size_t{1}); // without a token there is no second request
        m_environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:9/";
        QVERIFY(!get(nothing));
        QCOMPARE(m_asked.back().url, std::string("http://127.0.0.1:9/latest/api/token"));
    }

    void assumesARole()
    {
        write("config", "[profile p]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\nexternal_id = e/1\n");
        write("credentials", "[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = canary-default\n");
        const aws::Wire sts = wire([](const http::Request &) { return stsKeys("AssumeRole"); });
        const auto found = get(sts, "p");
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*found)->keys.accessKeyId, std::string("AKIDROLE"));
        QVERIFY((*found)->keys.sessionToken.reveal() == "canary-role-token");
        QVERIFY((*found)->expires == base::parseTime("2026-11-22T11:00:00Z").value());
        QCOMPARE(m_asked.size(), std::size_t{1});
        QCOMPARE(m_asked[0].url, std::string("https://sts.us-east-1.amazonaws.com/"));
        auto form = formIn(m_asked[0].body);
        QCOMPARE(form["Action"], std::string("AssumeRole"));
        QCOMPARE(form["Version"], std::string("2011-06-15"));
        QCOMPARE(form["RoleArn"], std::string("arn:aws:iam::1:role/r"));
        QCOMPARE(form["ExternalId"], std::string("e/1"));
        QVERIFY(form["RoleSessionName"].size() >= 2);
        QVERIFY(m_asked[0].headers.back().second.find("Credential=AKIDDEFAULT/20261122/us-east-1/sts/")
                != std::string::npos);
    }

    void assumesRolesThroughEachOtherButNotInACircle()
    {
        write("config",
              "[profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = c\n"
              "[profile c]\naws_access_key_id = AKIDC\naws_secret_access_key = x\n"
              "[profile d]\nrole_arn = arn:d\nsource_profile = e\n[profile e]\nrole_arn = arn:e\nsource_profile = d\n"
              "[profile f]\nrole_arn = arn:f\nsource_profile = f\naws_access_key_id = AKIDF\naws_secret_access_key = "
              "x\n");
        const aws::Wire sts = wire([](const http::Request &) { return stsKeys("AssumeRole"); });
        QVERIFY(get(sts, "a").has_value());
        QCOMPARE(m_asked.size(), std::size_t{2});
        QVERIFY(get(sts, "f").has_value()); // with its own keys
        QVERIFY(get(sts, "d").error().code == ErrorCode::InvalidConfig);
        QCOMPARE(m_asked.size(), std::size_t{3});
    }

    // Unsigned, and the file is read again each time.
    void showsAWebIdentity()
    {
        write("token", "canary.web.token\n");
        m_environment["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/web";
        m_environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = m_home->filePath(QStringLiteral(".aws/token")).toStdString();
        const aws::Wire sts = wire([](const http::Request &) { return stsKeys("AssumeRoleWithWebIdentity"); });
        const auto found = get(sts);
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*found)->keys.accessKeyId, std::string("AKIDROLE"));
        QCOMPARE(formIn(m_asked[0].body)["WebIdentityToken"], std::string("canary.web.token"));
        for (const auto &[name, value] : m_asked[0].headers)
            QVERIFY(name != "Authorization");
        m_environment["AWS_WEB_IDENTITY_TOKEN_FILE"] += "x";
        QVERIFY(get(sts).error().code == ErrorCode::Unauthorized);
    }

    void usesALoginOfSso()
    {
        write("config",
              "[profile p]\nsso_session = work\nsso_account_id = 123456789012\nsso_role_name = Ops\n"
              "[sso-session work]\nsso_region = eu-west-1\nsso_start_url = https://x.awsapps.com/start\n");
        const QByteArray name =
            "sso/cache/" + QCryptographicHash::hash("work", QCryptographicHash::Sha1).toHex() + ".json";
        QVERIFY(idOf("p").starts_with("unauthorized: the SSO login of the AWS profile \"p\" has expired"));
        write(name.constData(), R"({"accessToken":"canary-sso","expiresAt":"2026-11-22T09:59:59Z"})");
        QVERIFY(idOf("p").starts_with("unauthorized: the SSO login"));
        QVERIFY(m_asked.empty());
        write(name.constData(), R"({"accessToken":"canary-sso","expiresAt":"2026-11-22T18:00:00Z"})");
        const aws::Wire portal = wire([](const http::Request &) {
            return answer(
                R"({"roleCredentials":{"accessKeyId":"AKIDSSO","secretAccessKey":"s","sessionToken":"t","expiration":1795348800000}})");
        });
        const auto found = get(portal, "p");
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*found)->keys.accessKeyId, std::string("AKIDSSO"));
        QCOMPARE(base::toUnix(*(*found)->expires), std::int64_t{1795348800});
        QCOMPARE(m_asked[0].url,
                 std::string("https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?"
                             "role_name=Ops&account_id=123456789012"));
        QVERIFY(m_asked[0].credentials->bearer.reveal() == "canary-sso");
        const aws::Wire over = wire([](const http::Request &) { return answer("{}", 401); });
        const auto refused = get(over, "p");
        QVERIFY(refused.error().code == ErrorCode::Unauthorized
                && refused.error().text.find("canary") == std::string::npos);
    }

    void trustsNoFileThatOthersCanChange()
    {
        write("credentials", "[default]\naws_access_key_id = A\naws_secret_access_key = x\n");
        QFile file(m_home->filePath(QStringLiteral(".aws/credentials")));
        file.setPermissions(file.permissions() | QFileDevice::WriteOther);
        QVERIFY2(idOf().starts_with("forbidden: "), idOf().c_str());
    }

    // Every service refuses requests signed with a key without its ID, with an unhelpful message.
    void refusesKeysWithoutTheirId()
    {
        write("credentials",
              "[default]\naws_secret_access_key = x\n[s]\naws_access_key_id = A\naws_secret_access_key = x\n");
        QVERIFY2(idOf().find("no aws_access_key_id") != std::string::npos, idOf().c_str());
        write("config",
              "[profile o]\naws_secret_access_key = x\n[profile r]\nrole_arn = arn:r\nsource_profile = o\n"
              "[profile k]\nrole_arn = arn:r\nsource_profile = s\n"
              "[profile p]\nsso_session = work\nsso_account_id = 1\nsso_role_name = Ops\n"
              "[sso-session work]\nsso_region = eu-west-1\n");
        QVERIFY2(idOf("o").starts_with("invalid-config: "), idOf("o").c_str());
        QVERIFY2(idOf("r").starts_with("invalid-config: "), idOf("r").c_str());
        QVERIFY(m_asked.empty());
        const aws::Wire sts = wire([](const http::Request &) {
            return answer(QString::fromLatin1(kStsKeys)
                              .arg(QStringLiteral("AssumeRole"))
                              .replace(QLatin1String("AKIDROLE"), QString())
                              .toStdString(),
                          200, "text/xml");
        });
        const auto role = get(sts, "k");
        QVERIFY(!role && role.error().code == ErrorCode::Parse);
        const QByteArray name =
            "sso/cache/" + QCryptographicHash::hash("work", QCryptographicHash::Sha1).toHex() + ".json";
        write(name.constData(), R"({"accessToken":"canary-sso","expiresAt":"2026-11-22T18:00:00Z"})");
        const aws::Wire portal = wire([](const http::Request &) {
            return answer(
                R"({"roleCredentials":{"secretAccessKey":"s","sessionToken":"t","expiration":1795348800000}})");
        });
        const auto login = get(portal, "p");
        QVERIFY(!login && login.error().code == ErrorCode::Parse);
    }

    void refusesKeysWithControlCharacters()
    {
        m_environment = {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "two\nlines"}};
        QVERIFY(idOf().starts_with("invalid-config: "));
    }

    // Keys are kept until ten minutes before they expire, and renewed if the service rejects them.
    void keepsAndRenewsKeys()
    {
        write("config", "[default]\nrole_arn = arn:r\ncredential_source = Environment\n");
        m_environment = {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "x"}};
        const aws::Wire sts = wire([](const http::Request &) { return stsKeys("AssumeRole"); });
        aws::CredentialChain chain(
            sts, "default",
            {[this](const std::string &name) { return m_environment[name]; }, m_home->path().toStdString()});
        const auto first = chain.get({});
        QVERIFY(first && chain.get({}).value() == *first);
        QCOMPARE(m_asked.size(), std::size_t{1});
        m_clock = base::FrozenClock(*base::parseTime("2026-11-22T10:51:00Z"));
        QVERIFY(chain.get({}).value() != *first);
        QCOMPARE(m_asked.size(), std::size_t{2});
        m_clock = base::FrozenClock(*base::parseTime("2026-11-22T10:00:00Z"));
        const auto kept = chain.get({}).value();
        chain.drop(*first); // not the ones that are kept
        QVERIFY(chain.get({}).value() == kept);
        chain.drop(kept);
        QVERIFY(chain.get({}).value() != kept);
    }

    void renewsKeysOnceWhenTheyAreNotTaken()
    {
        AwsSetup setup;
        auto target = setup.target();
        int expired = 1;
        setup.server.before = [&](const std::string &) -> FakeAws::Reply {
            return expired-- > 0 ? FakeAws::Reply(ec2Error("ExpiredToken", 400)) : std::nullopt;
        };
        QVERIFY(target.find(setup.holder(), {}).has_value());
        expired = 100;
        const std::size_t before = setup.server.actions.size();
        QVERIFY(target.find(setup.holder(), {}).error().code == ErrorCode::Unauthorized);
        QCOMPARE(setup.server.actions.size(), before + 2);
    }

    void refusesWhatIsNoPlace()
    {
        for (const char *region : {"", "us-east-1/x", "evil.com/", "US-EAST-1", "-a", "a b"})
            QVERIFY2(!aws::isRegion(region), region);
        QVERIFY(aws::isRegion("us-gov-west-1"));
        AwsSetup setup;
        QVERIFY(aws::makeAwsTarget(setup.settings, setup.clock, setup.server.client()).has_value());
        setup.settings.auth.region = "evil.com/";
        QVERIFY(aws::makeAwsTarget(setup.settings, setup.clock, setup.server.client()).error().code
                == ErrorCode::InvalidConfig);
        setup.settings.auth.kind = model::AuthSettings::Kind::Bearer;
        QVERIFY(aws::makeAwsTarget(setup.settings, setup.clock, setup.server.client()).error().code
                == ErrorCode::InvalidConfig);
    }

    void saysWhereItAsks()
    {
        const auto address = [&](const std::string &region, const std::string &service, const std::string &url = {}) {
            return aws::Wire(m_server.client(), m_clock, placeAt(region, url)).addressOf(service);
        };
        QCOMPARE(address("eu-west-1", "ec2"), std::string("https://ec2.eu-west-1.amazonaws.com/"));
        QCOMPARE(address("cn-north-1", "ec2"), std::string("https://ec2.cn-north-1.amazonaws.com.cn/"));
        QCOMPARE(address("us-east-1", "sagemaker"), std::string("https://api.sagemaker.us-east-1.amazonaws.com/"));
        QCOMPARE(address("us-east-1", "sts", "http://127.0.0.1:5000/"), std::string("http://127.0.0.1:5000/"));
        QCOMPARE(aws::partitionOf("cn-north-1"), std::string("aws-cn"));
    }
};

GPULEDGER_SUITE(TestAwsCredentials)

} // namespace tst_awscredentials

#include "tst_awscredentials.moc"
