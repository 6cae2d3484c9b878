// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/config/configedit.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_configchange {

using namespace gpuledger;
using model::OwnerRule;
using services::OwnersChange;
using services::SourceChange;

namespace {

const std::filesystem::path kFile = "/nowhere/config.yaml";
const ports::SourceKinds kKinds = connectors::makeSourceCatalog()->kinds();

const char kConfig[] = "# ours, don't touch\n"
                       "version: 1\n"
                       "sources: # all of them\n"
                       "  # the big one\n"
                       "  - name: prod  # west\n"
                       "    kind: prometheus\n"
                       "    url: https://old.example.org   # behind the proxy\n"
                       "    auth:   # read only\n"
                       "      type: bearer\n"
                       "      token: env:OLD  # rotated monthly\n"
                       "    headers: { X-Scope-OrgID: ml } # tenant\n"
                       "\n"
                       "  - { name: dev, kind: demo, gpus: 16 } # small\n"
                       "\n"
                       "# who pays\n"
                       "owners:\n"
                       "  # the label wins\n"
                       "  - { label: team } # since 2025\n"
                       "\n"
                       "  # research has its own pool\n"
                       "  - node_pool: gpu-research\n"
                       "    # (their money)\n"
                       "    team: research\n"
                       "  - { default: unowned }\n"
                       "# the end\n";

model::Settings parsed(std::string_view text)
{
    return services::parseConfig(text, kFile.parent_path(), kKinds).settings;
}

std::vector<std::string> problemsOf(std::string_view text)
{
    std::vector<std::string> all;
    for (const auto &problem : services::parseConfig(text, kFile.parent_path(), kKinds).problems)
        all.push_back(services::describe(problem, "f"));
    return all;
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    return text.replace(text.find(from), from.size(), to);
}

OwnersChange keeping(const std::string &text)
{
    OwnersChange change;
    change.before = parsed(text).owners;
    for (std::size_t i = 0; i < change.before.size(); ++i)
        change.after.push_back({i, change.before[i]});
    return change;
}

OwnerRule label(const std::string &key)
{
    OwnerRule rule;
    rule.kind = OwnerRule::Kind::Label;
    rule.key = key;
    return rule;
}

QString text(const base::Result<std::string> &result)
{
    return QString::fromStdString(result ? *result : result.error().text);
}

} // namespace

// Changes to the configuration that preserve every other byte.
class TestConfigChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sampleIsWhatItSeems() { QCOMPARE(problemsOf(kConfig).size(), std::size_t{0}); }

    void changesOneValueOfASource()
    {
        SourceChange change;
        change.before = change.after = parsed(kConfig).sources[0];
        change.after.url = "https://new.example.org";
        change.after.auth.token.value = "NEW";
        change.values = {{{"url"}, change.after.url}, {{"auth", "token"}, "env:NEW"}};
        const auto result = services::withChangedSource(kConfig, change, kFile, kKinds);
        QCOMPARE(text(result),
                 text(replaced(replaced(kConfig, "old.example.org", "new.example.org"), "env:OLD", "env:NEW")));
    }

    void addsAndRemovesKeysOfASource()
    {
        SourceChange change;
        change.before = change.after = parsed(kConfig).sources[0];
        change.after.cluster = "west: 1";
        change.after.auth = {};
        change.values = {{{"cluster"}, change.after.cluster}, {{"auth"}}};
        const auto result = services::withChangedSource(kConfig, change, kFile, kKinds);
        QVERIFY2(result.has_value(), qPrintable(text(result)));
        QVERIFY(parsed(*result).sources[0] == change.after);
        for (const char *kept : {"# ours, don't touch", "# the big one", "# west", "# behind the proxy", "# tenant",
                                 "  - { name: dev, kind: demo, gpus: 16 } # small\n\n# who pays\n"})
            QVERIFY2(result->find(kept) != std::string::npos, kept);
        QVERIFY(result->find("env:OLD") == std::string::npos);
        // In the other direction: the same keys on one line.
        SourceChange back;
        back.before = change.after;
        back.after = change.before;
        back.values = {{{"cluster"}}, {{"auth"}, {}, {{"type", "bearer"}, {"token", "env:OLD"}}}};
        const auto again = services::withChangedSource(*result, back, kFile, kKinds);
        QVERIFY2(again.has_value(), qPrintable(text(again)));
        QVERIFY(parsed(*again).sources == parsed(kConfig).sources);
    }

    void changesSourcesInBraces()
    {
        const std::string flow = "version: 1\r\nsources: [ {name: a, kind: prometheus, url: \"http://x:1\", "
                                 "cluster: c, auth: {type: basic, user: u, password: env:P}}, # first\r\n"
                                 "  {name: b, kind: demo} ]\r\n";
        QCOMPARE(problemsOf(flow).size(), std::size_t{0});
        SourceChange change;
        change.before = change.after = parsed(flow).sources[0];
        change.after.url = "http://y:2";
        change.after.cluster.clear();
        change.after.auth.user = "new";
        change.values = {{{"url"}, "http://y:2"}, {{"cluster"}}, {{"auth", "user"}, "new"}};
        std::string wanted = replaced(flow, "\"http://x:1\"", "\"http://y:2\"");
        wanted = replaced(replaced(wanted, "cluster: c, ", ""), "user: u,", "user: new,");
        const auto result = services::withChangedSource(flow, change, kFile, kKinds);
        QVERIFY2(result.has_value(), qPrintable(text(result)));
        QVERIFY(parsed(*result).sources[0] == change.after);
        QCOMPARE(text(result).remove(QLatin1Char('"')), text(wanted).remove(QLatin1Char('"')));
    }

    void removesASourceAndKeepsItsComments()
    {
        const auto first = services::withoutSource(kConfig, parsed(kConfig).sources[0], kFile, kKinds);
        QVERIFY2(first.has_value(), qPrintable(text(first)));
        QCOMPARE(parsed(*first).sources.size(), std::size_t{1});
        QVERIFY(first->find("  # the big one\n\n  - { name: dev") != std::string::npos);
        QVERIFY(first->find("old.example.org") == std::string::npos);
        const auto none = services::withoutSource(*first, parsed(*first).sources[0], kFile, kKinds);
        QVERIFY2(none.has_value(), qPrintable(text(none)));
        QVERIFY(parsed(*none).sources.empty());
        QCOMPARE(problemsOf(*none).size(), std::size_t{0});
        QVERIFY(none->find("sources: [] # all of them\n  # the big one\n") != std::string::npos);
        QVERIFY(parsed(*none).owners == parsed(kConfig).owners);
        services::NewSource again;
        again.name = "prod";
        again.kind = "demo";
        QVERIFY(services::withSource(*none, again, kFile, kKinds).has_value());
    }

    void movesAndRemovesRulesWithTheirComments()
    {
        OwnersChange change = keeping(kConfig);
        std::swap(change.after[0], change.after[1]);
        const auto moved = services::withOwners(kConfig, change, kFile, kKinds);
        QVERIFY2(moved.has_value(), qPrintable(text(moved)));
        QVERIFY(moved->find("owners:\n\n  # research has its own pool\n  - node_pool: gpu-research\n    # (their "
                            "money)\n    team: research\n  # the label wins\n  - { label: team } # since 2025\n"
                            "  - { default: unowned }\n# the end\n")
                != std::string::npos);
        std::string sorted = *moved, original = kConfig;
        std::sort(sorted.begin(), sorted.end());
        std::sort(original.begin(), original.end());
        QCOMPARE(sorted, original); // not a byte more or less
        change = keeping(kConfig);
        change.after.erase(change.after.begin());
        const auto removed = services::withOwners(kConfig, change, kFile, kKinds);
        QVERIFY2(removed.has_value(), qPrintable(text(removed)));
        QVERIFY(removed->find("# the label wins\n\n  # research has") != std::string::npos);
        QCOMPARE(parsed(*removed).owners.size(), std::size_t{2});
    }

    void writesEveryKindOfRule_data()
    {
        QTest::addColumn<QString>("start");
        const std::string rest = "version: 1\nsources:\n  - { name: a, kind: demo }\n";
        const auto row = [](const char *name, const std::string &start) {
            QTest::newRow(name) << QString::fromStdString(start);
        };
        row("no list", rest);
        row("no line end", rest.substr(0, rest.size() - 1));
        row("empty list", "owners:\n" + rest);
        row("empty brackets", rest + "owners: [] # none\n");
        row("brackets", rest + "owners: [ { label: old }, { default: x } ]\nidle: { threshold: 0.1 }\n");
        row("block", kConfig);
        row("windows", replaced(rest, "version: 1\n", "version: 1\r\n"));
    }

    void writesEveryKindOfRule()
    {
        QFETCH(QString, start);
        OwnersChange change = keeping(start.toStdString());
        const auto rule = [](OwnerRule::Kind kind, const std::string &key, const std::string &pattern,
                             const std::string &team,
                             OwnerRule::Match match) { return OwnerRule{kind, match, key, pattern, team, {}, {}}; };
        using Kind = OwnerRule::Kind;
        using Match = OwnerRule::Match;
        std::vector<OwnerRule> all{
            rule(Kind::Label, "team", "", "", Match::Exact),
            rule(Kind::Label, "app.kubernetes.io/part-of", "shop: \"a\" # b", "x", Match::Prefix),
            rule(Kind::NamespaceLabel, "owner", "^(?<team>[a-z]+)-$", "", Match::Regex),
            rule(Kind::Namespace, "", "ml-", "true", Match::Prefix),
            rule(Kind::Namespace, "", "", "", Match::Exact),
            rule(Kind::NodePool, "", "gpu", "0123", Match::Exact),
            rule(Kind::CloudTag, "CostCenter", "", "", Match::Exact),
            rule(Kind::Account, "", "123456789012", "platform", Match::Exact),
            rule(Kind::Default, "", "", "nobody", Match::Exact)};
        all[0].from = base::parseTime("2026-01-01").value();
        all[0].until = base::parseTime("2026-02-01T08:30:00Z").value();
        const std::size_t kept = change.after.size();
        for (const OwnerRule &one : all)
            change.after.push_back({std::nullopt, one});
        const auto result = services::withOwners(start.toStdString(), change, kFile, kKinds);
        QVERIFY2(result.has_value(), qPrintable(text(result)));
        const std::vector<OwnerRule> owners = parsed(*result).owners;
        QCOMPARE(owners.size(), kept + all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            QVERIFY2(owners[kept + i] == services::writable(all[i]), qPrintable(text(result)));
        QVERIFY(result->find("from: 2026-01-01,") != std::string::npos);
    }

    void changesARuleInItsPlace()
    {
        OwnersChange change = keeping(kConfig);
        change.after[0].rule = label("squad");
        const auto result = services::withOwners(kConfig, change, kFile, kKinds);
        QCOMPARE(text(result), text(replaced(kConfig, "{ label: team }", "{ label: squad }")));
        change = keeping(kConfig);
        change.after[1].rule.team = "lab";
        const auto block = services::withOwners(kConfig, change, kFile, kKinds);
        QVERIFY2(block.has_value(), qPrintable(text(block)));
        QVERIFY(block->find("    # (their money)\n") != std::string::npos);
        QCOMPARE(parsed(*block).owners[1].team, std::string("lab"));
    }

    void keepsWhomATeamsAlertsAreToldTo()
    {
        const std::string start = std::string(kConfig) + "targets: [ { name: chat, kind: desktop } ]\n";
        OwnersChange change = keeping(start);
        OwnerRule rule;
        rule.kind = OwnerRule::Kind::Namespace;
        rule.pattern = "speech";
        rule.team = "speech";
        rule.send = {"chat"};
        change.after.push_back({std::nullopt, rule});
        const auto added = services::withOwners(start, change, kFile, kKinds);
        QVERIFY2(added.has_value(), qPrintable(text(added)));
        QVERIFY(added->find("{ namespace: speech, team: speech, send: [chat] }") != std::string::npos);
        change = keeping(*added);
        change.after.back().rule.team = "voice";
        const auto renamed = services::withOwners(*added, change, kFile, kKinds);
        QVERIFY2(renamed.has_value(), qPrintable(text(renamed)));
        QCOMPARE(parsed(*renamed).owners.back().send, std::vector<std::string>{"chat"});
        change.after.back().rule.team.clear(); // whose alerts?
        const auto refused = services::withOwners(*added, change, kFile, kKinds);
        QVERIFY(!refused && refused.error().text.find("goes only with team") != std::string::npos);
    }

    void emptiesTheList()
    {
        OwnersChange change = keeping(kConfig);
        change.after.clear();
        const auto result = services::withOwners(kConfig, change, kFile, kKinds);
        QVERIFY2(result.has_value(), qPrintable(text(result)));
        QVERIFY(parsed(*result).owners.empty());
        QCOMPARE(problemsOf(*result).size(), std::size_t{0});
        QVERIFY(result->find("# research has its own pool") != std::string::npos);
    }

    void noticesWhatOthersChanged()
    {
        const std::string now = replaced(kConfig, "label: team", "label: squad");
        OwnersChange change = keeping(kConfig);
        change.after.push_back({std::nullopt, label("owner")});
        const auto refused = services::withOwners(now, change, kFile, kKinds);
        QVERIFY(!refused);
        QVERIFY(refused.error().code == base::ErrorCode::StorageBusy);
        SourceChange source;
        source.before = source.after = parsed(kConfig).sources[0];
        source.after.url = "https://new.example.org";
        source.values = {{{"url"}, source.after.url}};
        // Other parts of the file may have changed meanwhile: the result has both changes.
        const auto both = services::withChangedSource(now, source, kFile, kKinds);
        QCOMPARE(text(both), text(replaced(now, "old.example.org", "new.example.org")));
        const auto other =
            services::withChangedSource(replaced(kConfig, "env:OLD", "env:OTHER"), source, kFile, kKinds);
        QVERIFY(!other && other.error().code == base::ErrorCode::StorageBusy);
        QVERIFY(!services::withoutSource(replaced(kConfig, "name: prod", "name: gone"), source.before, kFile, kKinds));
    }

    void neverMakesAnInvalidFile_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("anchor")
            << "version: 1\nsources:\n  - { name: a, kind: demo }\nowners:\n  - &x { label: team }\n"
               "  - *x\n";
        QTest::newRow("braces around all") << "{ version: 1, sources: [ { name: a, kind: demo } ] }\n";
        QTest::newRow("invalid before") << "version: 1\nsources:\n  - { nam: a }\n";
    }

    void neverMakesAnInvalidFile()
    {
        QFETCH(QString, text);
        OwnersChange change = keeping(text.toStdString());
        if (!change.after.empty())
            change.after.erase(change.after.begin());
        change.after.push_back({std::nullopt, label("owner")});
        QVERIFY(!services::withOwners(text.toStdString(), change, kFile, kKinds));
        OwnersChange bad = keeping(kConfig);
        OwnerRule rule = label("x");
        rule.match = OwnerRule::Match::Regex;
        rule.pattern = "(";
        bad.after.push_back({std::nullopt, rule});
        const auto refused = services::withOwners(kConfig, bad, kFile, kKinds);
        QVERIFY(!refused && refused.error().code == base::ErrorCode::InvalidConfig);
    }

    void writesOnlyWhatChangesOfTheIdleRule_data()
    {
        QTest::addColumn<QString>("idle");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("not there") << ""
                                   << "idle: { threshold: 0.075, grace: { notebook: 90m, inference: 2d }, protect: [ { "
                                      "namespace: kube-system }, { label: { a: \"true\", b: c }, namespace: x } ] }\n";
        QTest::newRow("in braces") << "idle: { observed: 0.9, grace: { notebook: 1h } } # ours\n"
                                   << "idle: { observed: 0.9, grace: { notebook: 90m, inference: 2d }, threshold: "
                                      "0.075, protect: [ { namespace: kube-system }, { label: { a: \"true\", b: c }, "
                                      "namespace: x } ] } # ours\n";
        QTest::newRow("as a block") << "idle:\n  # few\n  threshold: 0.05 # percent\n  grace:\n    notebook: 1h # "
                                       "people think\n    batch: 2h\n"
                                    << "idle:\n  # few\n  threshold: 0.075 # percent\n  grace:\n    notebook: 90m # "
                                       "people think\n    batch: 2h\n    inference: 2d\n  protect: [ { namespace: "
                                       "kube-system }, { label: { a: \"true\", b: c }, namespace: x } ]\n";
    }
    void writesOnlyWhatChangesOfTheIdleRule()
    {
        QFETCH(QString, idle);
        QFETCH(QString, wanted);
        const std::string text = kConfig + idle.toStdString();
        const model::IdleSettings before = parsed(text).idle;
        model::IdleSettings after = before;
        after.threshold = 0.075;
        after.grace[model::WorkloadKind::Notebook] = base::Seconds{5400};
        after.grace[model::WorkloadKind::Inference] = base::Seconds{2 * 86400};
        for (const auto kind : {model::WorkloadKind::Notebook, model::WorkloadKind::Inference})
            after.graceMeasured.erase(kind); // they are set from now on
        after.protect = {{{}, "kube-system"}, {{{"a", "true"}, {"b", "c"}}, "x"}};
        const auto changed = services::withIdleRule(text, before, after, kFile, kKinds);
        QVERIFY2(changed, changed ? "" : changed.error().text.c_str());
        QVERIFY2(QString::fromStdString(*changed).contains(wanted), changed->c_str());
        QCOMPARE(QString::fromStdString(*changed).remove(wanted), QString::fromLatin1(kConfig));
        QVERIFY(problemsOf(*changed).empty());
        QVERIFY(parsed(*changed).idle == after);
        QCOMPARE(*services::withIdleRule(*changed, after, after, kFile, kKinds), *changed);
        // Reverted, except for settings that were implicit before.
        const model::IdleSettings reverted =
            parsed(*services::withIdleRule(*changed, after, before, kFile, kKinds)).idle;
        QVERIFY(reverted.threshold == before.threshold && reverted.grace == before.grace
                && reverted.protect == before.protect);
        // What was measured for a kind that the file doesn't set is not written.
        model::IdleSettings measured = before;
        measured.grace[model::WorkloadKind::Training] = base::Seconds{6 * 3600};
        QCOMPARE(*services::withIdleRule(text, before, measured, kFile, kKinds), text);
        const auto late = services::withIdleRule(*changed, before, after, kFile, kKinds);
        QVERIFY(!late && late.error().code == base::ErrorCode::StorageBusy);
        after.grace[model::WorkloadKind::Batch] = base::Seconds{60};
        after.graceMeasured.erase(model::WorkloadKind::Batch);
        const auto wrong = services::withIdleRule(text, before, after, kFile, kKinds);
        QVERIFY(!wrong && wrong.error().code == base::ErrorCode::InvalidConfig);
    }

    void refusesAnIdleRuleThatIsWrittenOtherwise()
    {
        for (const std::string text :
             {"version: 1\nsources: []\nidle: &x { threshold: 0.05 }\n", "version: 1\nsources: []\nidle:\n"}) {
            const model::IdleSettings before = parsed(text).idle;
            model::IdleSettings after = before;
            after.threshold = 0.2;
            const auto changed = services::withIdleRule(text, before, after, kFile, kKinds);
            QVERIFY(!changed || parsed(*changed).idle == after);
        }
    }

    void undoesOnlyItsOwnChange()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("config.yaml")).toStdString();
        const auto write = [&](const std::string &bytes) {
            QFile out(QString::fromStdString(file.string()));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(bytes.data(), static_cast<qint64>(bytes.size()));
        };
        const auto read = [&] {
            QFile in(QString::fromStdString(file.string()));
            return in.open(QIODevice::ReadOnly) ? in.readAll().toStdString() : std::string();
        };
        write(kConfig);
        const auto gone = parsed(kConfig).sources[0];
        const auto done = services::changeFile(
            file, [&](std::string_view t) { return services::withoutSource(t, gone, file, kKinds); });
        QVERIFY(done.has_value());
        QCOMPARE(read(), done->after);
        QVERIFY(services::undoChange(file, *done).has_value());
        QCOMPARE(read(), std::string(kConfig));
        QVERIFY(!services::undoChange(file, *done)); // already undone
        // Another program writes between our read and our write.
        const auto raced = services::changeFile(file, [&](std::string_view t) {
            write("theirs");
            return services::withoutSource(t, gone, file, kKinds);
        });
        QVERIFY(!raced && raced.error().code == base::ErrorCode::StorageBusy);
        QCOMPARE(read(), std::string("theirs"));
    }
};

GPULEDGER_SUITE(TestConfigChange)

} // namespace tst_configchange

#include "tst_configchange.moc"
