// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/base/text/log.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>
#include <type_traits>

namespace tst_secret {

using namespace gpuledger::base;

namespace {

template <typename T>
concept Printable = requires(std::ostream &out, const T &value)
{
    out << value;
};

static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);
static_assert(std::is_nothrow_move_constructible_v<Secret> && std::is_nothrow_move_assignable_v<Secret>);
static_assert(!std::is_convertible_v<Secret, std::string_view> && !std::is_convertible_v<std::string, Secret>);
static_assert(!Printable<Secret>);

// Short enough for the string object itself, whose memory can't be inspected after it was freed.
constexpr std::string_view kShort = "hunter2hunter2";
// Long enough for the heap.
constexpr std::string_view kLong = "correct horse battery staple, and then some more of it";

template <typename T> bool holds(const T &object, std::string_view text)
{
    const std::string_view bytes(reinterpret_cast<const char *>(&object), sizeof object);
    return bytes.find(text) != std::string_view::npos;
}

Result<int> failing()
{
    return fail(ErrorCode::NotFound, "nothing there", "look elsewhere");
}

Result<std::string> passesOn(Result<int> &kept)
{
    GPULEDGER_TRY(Result<int>(1));
    GPULEDGER_TRY(kept);
    return std::string("through");
}

} // namespace

class TestSecret : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void movedFromSecretIsWiped();
    void wipesWhatItWasMadeFrom();
    void droppedSecretIsWiped();
    void assignmentWipesTheOldValue();
    void cloneIsASecretOfItsOwn();
    void redacts_data();
    void redacts();
    void redactsKnownValuesInEachForm();
    void redactsWhatOthersMadeOfIt_data();
    void redactsWhatOthersMadeOfIt();
    void keepsWhatOnlyLooksLikeIt();
    void aValueInsideAnotherLeavesNothing();
    void shortValuesAreNoSecrets();
    void logFileHoldsNoSecretAndIsPrivate();
    void manyThreadsMayLog();
    void tryHandsBackTheError();
};

void TestSecret::movedFromSecretIsWiped()
{
    Secret a{std::string(kShort)};
    QVERIFY(holds(a, kShort)); // the inspection itself works
    Secret b(std::move(a));
    QVERIFY(!holds(a, kShort)); // NOLINT(bugprone-use-after-move): the point of the test
    QVERIFY(a.empty());
    QCOMPARE(b.reveal(), kShort);
    Secret &same = b;
    b = std::move(same);
    QCOMPARE(b.reveal(), kShort);
}

void TestSecret::wipesWhatItWasMadeFrom()
{
    // The constructor's parameter was on the stack below; a fresh frame there must not contain it.
    const auto make = [] { return Secret{std::string(kShort)}; };
    const auto look = [] {
        volatile char frame[4096]; // NOLINT: deliberately not initialised
        std::string seen;
        for (const volatile char &c : frame)
            seen += c;
        return seen.find(kShort.substr(4)) != std::string::npos;
    };
#if defined(__SANITIZE_ADDRESS__)
    Q_UNUSED(look)
    std::string given(kShort);
    const Secret s(std::move(given));
    QCOMPARE(s.reveal(), kShort);
    QVERIFY(!make().empty());
#else
    const Secret s = make();
    QVERIFY(!look());
    QCOMPARE(s.reveal(), kShort);
#endif
}

void TestSecret::droppedSecretIsWiped()
{
    alignas(Secret) unsigned char memory[sizeof(Secret)];
    auto *s = new (memory) Secret{std::string(kShort)};
    QVERIFY(holds(memory, kShort));
    s->~Secret();
    QVERIFY(!holds(memory, kShort));
}

void TestSecret::assignmentWipesTheOldValue()
{
    Secret a{std::string(kShort)};
    a = Secret{std::string("x")};
    QVERIFY(!holds(a, kShort.substr(2)));
    QCOMPARE(a.reveal(), std::string_view("x"));
    a = Secret{std::string(kLong)};
    QCOMPARE(a.reveal(), kLong);
}

void TestSecret::cloneIsASecretOfItsOwn()
{
    Secret a{std::string(kLong)};
    Secret b = a.clone();
    a = Secret();
    QVERIFY(a.empty());
    QCOMPARE(b.reveal(), kLong);
}

void TestSecret::redacts_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("secret"); // must be gone
    QTest::addColumn<QString>("kept"); // must still be there
    const auto row = [](const char *name, const char *line, const char *secret, const char *kept) {
        QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(secret) << QString::fromUtf8(kept);
    };
    row("bearer", "> Authorization: Bearer abc.def-ghi", "abc.def-ghi", "Authorization");
    row("basic, lower case", "authorization: Basic dXNlcjpwdw==", "dXNlcjpwdw", "authorization");
    row("header in JSON", R"({"Authorization":"Bearer abc.def"})", "abc.def", "Authorization");
    row("proxy", "Proxy-Authorization: Basic dXNlcjpwdw==", "dXNlcjpwdw", "Proxy-Authorization");
    row("userinfo", "GET https://alice:s3cr3t@prom.example:9090/api", "s3cr3t", "prom.example:9090/api");
    row("userinfo with an at sign", "https://alice:p@ss@prom.example/api", "ss@", "prom.example/api");
    row("user alone", "https://tokenvalue@prom.example/api", "tokenvalue", "prom.example");
    row("query", "https://prom.example/api?query=up&token=abc", "abc", "https://prom.example/api");
    row("query without a name for it", "https://prom.example/api?x=hush", "hush", "https://prom.example/api");
    row("fragment", "https://prom.example/api#hush", "hush", "https://prom.example/api");
    row("field", "password=hush next", "hush", "next");
    row("field in JSON", R"({"password": "hush", "a": 1})", "hush", R"("a": 1)");
    row("quoted with blanks", R"(password="hush hush now" next)", "now", "next");
    row("access token", "access_token=hush", "hush", "access_token");
    row("client secret", "client_secret: hush", "hush", "client_secret");
    row("security token", "X-Amz-Security-Token=hush&a=b", "hush", "a=b");
    row("API key", "api-key=hush", "hush", "api-key");
    row("control characters", "a\x1b[2Jb", "\x1b", "[2Jb");
    row("a reference", "put it as password: keychain:NAME, token: hush", "hush", "password: keychain:NAME, token: ");
    row("our sentence", "has a signature that does not fit: it was changed", "***", "not fit: it was changed");
    row("no secret", "3 tokens; 12 series of node-1", "***", "3 tokens; 12 series of node-1");
}

void TestSecret::redacts()
{
    QFETCH(QString, line);
    QFETCH(QString, secret);
    QFETCH(QString, kept);
    const QString out = QString::fromStdString(log::redacted(line.toStdString()));
    QVERIFY2(!out.contains(secret), qPrintable(out));
    QVERIFY2(out.contains(kept), qPrintable(out));
}

void TestSecret::redactsKnownValuesInEachForm()
{
    log::redactValue("p w/ü+9=");
    for (const char *form : {"p w/ü+9=", "p%20w%2F%C3%BC%2B9%3D", "cCB3L8O8Kzk9"}) {
        const std::string out = log::redacted(std::string("x ") + form + " y");
        QCOMPARE(out, std::string("x *** y"));
    }
}

void TestSecret::redactsWhatOthersMadeOfIt_data()
{
    QTest::addColumn<QByteArray>("spelled");
    const QByteArray secret = "Kq7+/%x2=&Zr9T";
    const auto row = [](const char *name, const QByteArray &spelled) { QTest::newRow(name) << spelled; };
    const auto each = [&](const auto &spell) {
        QByteArray all;
        for (const char c : secret)
            all += spell(static_cast<unsigned>(static_cast<unsigned char>(c)));
        return all;
    };
    row("plain", secret);
    row("upper case", secret.toUpper());
    row("lower case", secret.toLower());
    QByteArray backwards(secret);
    std::reverse(backwards.begin(), backwards.end());
    row("backwards", backwards);
    row("hexadecimal", secret.toHex());
    row("hexadecimal, upper case", secret.toHex().toUpper());
    row("hexadecimal with colons", secret.toHex(':'));
    row("bytes of C", each([](unsigned c) -> QByteArray { return "\\x" + QByteArray::number(c, 16); }));
    row("numbers of C",
        each([](unsigned c) -> QByteArray { return "0x" + QByteArray::number(c, 16) + ", "; }).chopped(2));
    row("percent", secret.toPercentEncoding());
    row("percent twice", secret.toPercentEncoding().toPercentEncoding());
    row("percent, lower case", secret.toPercentEncoding().toLower());
    row("percent, every byte", each([](unsigned c) -> QByteArray { return '%' + QByteArray::number(c, 16); }));
    row("JSON", "Kq7+\\/%x2=\\u0026Zr9T");
    row("JSON inside JSON", "Kq7+\\\\\\/%x2=\\\\u0026Zr9T");
    row("JSON, every character", each([](unsigned c) -> QByteArray { return "\\u00" + QByteArray::number(c, 16); }));
    row("HTML", "Kq7&#43;/%x2=&amp;Zr9T");
    row("HTML, every character", each([](unsigned c) -> QByteArray { return "&#" + QByteArray::number(c) + ';'; }));
    row("UTF-16", each([](unsigned c) -> QByteArray {
                      return QByteArray(1, static_cast<char>(c)) + QByteArray(1, '\0');
                  }).chopped(1));
    for (int before = 0; before < 3; ++before) {
        const QByteArray base64 = QByteArray(QByteArray(before, 'u') + secret).toBase64();
        const QByteArray url = QByteArray(QByteArray(before, 'u') + secret).toBase64(QByteArray::Base64UrlEncoding);
        // What encodes only the bytes before the secret may stay.
        row(qPrintable(QStringLiteral("base64, %1 before").arg(before)), base64.mid(before));
        row(qPrintable(QStringLiteral("base64 of URLs, %1 before").arg(before)), url.mid(before));
    }
}

void TestSecret::redactsWhatOthersMadeOfIt()
{
    QFETCH(QByteArray, spelled);
    log::redactValue("Kq7+/%x2=&Zr9T");
    const std::string text = spelled.toStdString();
    QCOMPARE(log::redacted("said " + text), std::string("said ***"));
    QCOMPARE(log::redacted("said " + text + "; twice " + text + '!'), std::string("said ***; twice ***!"));
    // Whoever truncated a text may have cut the secret.
    const std::string cut = log::redacted("said " + text.substr(0, text.size() * 4 / 5));
    QVERIFY2(cut == "said ***", cut.c_str());
}

void TestSecret::keepsWhatOnlyLooksLikeIt()
{
    log::redactValue("Kq7+/%x2=&Zr9T");
    for (const char *line :
         {"said Kq7+/%x2=&Zr9", "50% of 4b71", "a\\b & c &amp; d %41 &#65; \\u0041", "S3E3Ky8=", "T9rZ"})
        QCOMPARE(log::redacted(std::string(line) + " and more"), std::string(line) + " and more");
}

void TestSecret::aValueInsideAnotherLeavesNothing()
{
    log::redactValue("word");
    log::redactValue("my-word-is-long");
    QCOMPARE(log::redacted("said my-word-is-long!"), std::string("said ***!"));
}

void TestSecret::shortValuesAreNoSecrets()
{
    log::redactValue("abc");
    log::redactValue("");
    QCOMPARE(log::redacted("abc"), std::string("abc"));
}

void TestSecret::logFileHoldsNoSecretAndIsPrivate()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("state/gpuledger.log"));
    log::redactValue("planted-credential");
    log::init({file.toStdString(), log::Level::Info, false});
    log::info("test", "before planted-credential after\nforged line");
    log::debug("test", "below the level");
    // Enough for two rotations.
    const std::string filler(4000, 'x');
    for (int i = 0; i < 2500; ++i)
        log::info("test", filler);
    log::warning("test", "the end");
    log::init({}); // closes it
    const QStringList files = QDir(folder.filePath(QStringLiteral("state"))).entryList(QDir::Files);
    QVERIFY(files.size() >= 2);
    QByteArray all;
    for (const QString &name : files) {
        QFile f(folder.filePath(QStringLiteral("state/")) + name);
        QCOMPARE(f.permissions()
                     & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOwner),
                 QFile::Permissions());
        QVERIFY(f.open(QFile::ReadOnly));
        all += f.readAll();
    }
    QVERIFY(all.contains("test: before *** after"));
    QVERIFY(!all.contains("planted-credential"));
    QVERIFY(!all.contains("\nforged"));
    QVERIFY(!all.contains("below the level"));
    QVERIFY(all.contains("the end"));
}

void TestSecret::manyThreadsMayLog()
{
    const QTemporaryDir folder;
    log::init({folder.filePath(QStringLiteral("log")).toStdString(), log::Level::Info, false});
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (int i = 0; i < 200; ++i) {
                log::redactValue("value-" + std::to_string(t) + "-" + std::to_string(i));
                log::info("test", "value-" + std::to_string(t) + "-" + std::to_string(i));
            }
        });
    }
    threads.clear();
    log::init({});
    QFile f(folder.filePath(QStringLiteral("log")));
    QVERIFY(f.open(QFile::ReadOnly));
    const QByteArray all = f.readAll();
    QCOMPARE(all.count('\n'), 800);
    QVERIFY(!all.contains("value-"));
}

void TestSecret::tryHandsBackTheError()
{
    Result<int> kept = failing();
    const auto out = passesOn(kept);
    QVERIFY(!out.has_value());
    QVERIFY(out.error().code == ErrorCode::NotFound);
    QCOMPARE(out.error().text, std::string("nothing there"));
    QCOMPARE(kept.error().text, std::string("nothing there")); // it was only read
    QCOMPARE(kept.error().hint, std::string("look elsewhere"));
    Result<int> good = 1;
    QCOMPARE(passesOn(good).value(), std::string("through"));
}

GPULEDGER_PLAIN_SUITE(TestSecret)

} // namespace tst_secret

#include "tst_secret.moc"
