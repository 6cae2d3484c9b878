// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "app/services/config/linktemplate.h"
#include "tests/support/suite.h"

#include <QTest>
#include <QUrl>
#include <QUrlQuery>

namespace tst_linktemplate {

using namespace gpuledger;
using services::linkFor;
using services::LinkValues;
using services::problemsOfLink;

namespace {

const std::string kLink =
    "https://grafana.example.org/d/gpu?var-cluster={cluster}&var-node={node}&var-gpu={device}&var-team={team}"
    "&var-ns={namespace}&var-pod={workload}&from={from}&to={to}";

LinkValues values()
{
    LinkValues v;
    v.cluster = "prod";
    v.node = "gpu-7";
    v.device = "GPU-6b5a/x y&var-gpu=all#";
    v.team = "größe";
    v.range = {base::fromUnix(1'700'000'100), base::fromUnix(1'700'003'700)};
    return v;
}

} // namespace

class TestLinkTemplate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Another program reads back from the address exactly the value that was inserted, whatever characters it has.
    void valuesComeThroughAsTheyAre()
    {
        const QUrl url(QString::fromStdString(linkFor(kLink, values())), QUrl::StrictMode);
        QVERIFY(url.isValid());
        const QUrlQuery query(url);
        const auto value = [&](const char *key) {
            return query.queryItemValue(QLatin1String(key), QUrl::FullyDecoded);
        };
        QCOMPARE(query.queryItems().size(), 8);
        QCOMPARE(value("var-gpu"), QStringLiteral("GPU-6b5a/x y&var-gpu=all#"));
        QCOMPARE(value("var-team"), QStringLiteral("größe"));
        QCOMPARE(value("from"), QStringLiteral("1700000100000"));
        QCOMPARE(value("to"), QStringLiteral("1700003700000"));
        QVERIFY(query.hasQueryItem(QStringLiteral("var-ns")));
        QVERIFY(value("var-ns").isEmpty()); // unknown
        QVERIFY(url.fragment().isEmpty());
    }

    void everythingHostileIsPercentEncoded()
    {
        LinkValues v = values();
        std::string all;
        for (int c = 1; c < 256; ++c)
            all += static_cast<char>(c);
        v.device = all;
        const std::string link = linkFor("https://g.example.org/{device}", v);
        const std::string tail = link.substr(std::string("https://g.example.org/").size());
        for (const char c : tail)
            QVERIFY2(std::isalnum(static_cast<unsigned char>(c))
                         || std::string_view("%-._~").find(c) != std::string_view::npos,
                     link.c_str());
        QCOMPARE(QByteArray::fromPercentEncoding(QByteArray::fromStdString(tail)), QByteArray::fromStdString(all));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("link");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *link, const char *says) {
            QTest::newRow(name) << QString::fromUtf8(link) << QString::fromUtf8(says);
        };
        row("file", "file:///etc/passwd?{node}", "https://");
        row("upper case scheme", "JavaScript:alert(1)", "https://");
        row("no server", "https:///d/{node}", "no server");
        row("server by a label", "https://{cluster}/d", "name of the server");
        row("part of the server", "https://a.{team}.org:3000/d", "name of the server");
        row("blank", "https://g.example.org/a b", "spaces");
        row("line end", "https://g.example.org/a\nb", "spaces");
        row("open brace", "https://g.example.org/{node", "without a }");
        row("brace in a brace", "https://g.example.org/{no{de}}", "without a }");
        row("port", "https://g.example.org:port/{node}", "can be opened");
        row("unknown", "https://g.example.org/{pod}", "is not a placeholder");
        row("empty", "https://g.example.org/{}", "is not a placeholder");
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, link);
        QFETCH(QString, says);
        QString all;
        for (const auto &problem : problemsOfLink(link.toStdString()))
            all += QString::fromStdString(problem.text) + QLatin1Char('\n');
        QVERIFY2(all.contains(says), qPrintable(all));
    }

    void takesWhatIsRight()
    {
        for (const char *link : {kLink.c_str(), "http://127.0.0.1:3000/d/x", "https://g.example.org?n={node}",
                                 "https://g.example.org/#{workload}"})
            QVERIFY2(problemsOfLink(link).empty(), link);
    }

    void isReadFromTheConfiguration()
    {
        const auto parsed = services::parseConfig("sources: []\nlinks: { grafana: \"" + kLink + "\" }", "/etc", {});
        QVERIFY(parsed.problems.empty());
        QCOMPARE(parsed.settings.links.grafana, kLink);
        QVERIFY(services::parseConfig("sources: []", "/etc", {}).settings.links.grafana.empty());
    }
};

GPULEDGER_SUITE(TestLinkTemplate)

} // namespace tst_linktemplate

#include "tst_linktemplate.moc"
