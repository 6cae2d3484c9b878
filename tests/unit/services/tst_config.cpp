// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tst_config {

using namespace gpuledger;
using services::parseConfig;

namespace {

std::filesystem::path dataFolder()
{
    return std::filesystem::path(qgetenv("GPULEDGER_SOURCE_DIR").toStdString()) / "tests/unit/services/config";
}

const ports::SourceKinds &kinds()
{
    static const ports::SourceKinds kAll = connectors::makeSourceCatalog()->kinds();
    return kAll;
}

std::string contentOf(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::string problemsOf(std::string_view text, const std::string &name = "x.yaml")
{
    std::string all;
    for (const services::ConfigProblem &problem : parseConfig(text, "/etc/gpuledger", kinds()).problems)
        all += describe(problem, name) + "\n";
    return all;
}

model::Settings settingsOf(std::string_view text)
{
    services::ParsedConfig parsed = parseConfig(text, "/etc/gpuledger", kinds());
    for (const services::ConfigProblem &problem : parsed.problems)
        qWarning("%s", describe(problem, "x.yaml").c_str());
    return parsed.problems.empty() ? parsed.settings : model::Settings{};
}

} // namespace

class TestConfig : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Each wrong file is accompanied by the expected messages.
    void namesEveryProblemOfAFile_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto &entry : std::filesystem::directory_iterator(dataFolder())) {
            if (entry.path().extension() == ".yaml")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().stem().string());
        }
    }
    void namesEveryProblemOfAFile()
    {
        QFETCH(QString, name);
        const auto file = dataFolder() / (name.toStdString() + ".yaml");
        const std::string expected = contentOf(dataFolder() / (name.toStdString() + ".expected"));
        const std::string got = problemsOf(contentOf(file), file.filename().string());
        if (qEnvironmentVariableIsSet("GPULEDGER_PRINT_GOT"))
            std::ofstream(qEnvironmentVariable("GPULEDGER_PRINT_GOT").toStdString() + "/" + name.toStdString()) << got;
        QCOMPARE(QString::fromStdString(got), QString::fromStdString(expected));
        QVERIFY(!got.empty());
        QVERIFY(got.find("canary") == std::string::npos);
    }

    // As in pasted JSON: yaml-cpp makes an endless number of documents of it.
    void aCommaBehindTheEndIsAProblem()
    {
        for (const char *text : {"{version: 1, sources: []},\n", ",", " ,,,,}\nmore", "- a\n,\n", "[a],"}) {
            const std::string got = problemsOf(text);
            QVERIFY2(got.find("an extra comma") != std::string::npos, got.c_str());
        }
        QCOMPARE(problemsOf("{version: 1, sources: []}\n---\n{},"),
                 std::string("x.yaml:3:1: a second YAML document starts here (---), or there is an extra comma before "
                             "it; a configuration is a single document\n"));
        QVERIFY(problemsOf("---\nversion: 1\nsources: [{ name: a, kind: demo }]\n...\n").empty());
    }

    void sampleParsesAsItIs()
    {
        const model::Settings settings = settingsOf(services::sampleConfig(kinds()));
        QCOMPARE(settings.sources.size(), std::size_t{1});
        QCOMPARE(settings.sources[0].name, std::string("prod"));
        QCOMPARE(settings.sources[0].kind, std::string("prometheus"));
        QCOMPARE(settings.sources[0].url, std::string("https://prometheus.example.org"));
        QCOMPARE(settings.sources[0].firstSync, base::Seconds{90 * 86400});
        QVERIFY(settings.sources[0].mayRead && !settings.sources[0].mayStop);
        QCOMPARE(services::sampleConfig(kinds()), services::sampleConfig(kinds()));
        QVERIFY(services::sampleConfig(kinds()).find("@SOURCES@") == std::string::npos);
    }

    // A new kind needs no line of its own in the sample.
    void sampleIsMadeFromTheKinds()
    {
        ports::SourceKind kind{.kind = "lighthouse",
                               .title = "Lighthouse",
                               .can = {ports::Capability::Bills},
                               .fields = {{.key = "lamps",
                                           .type = ports::SourceField::Type::Whole,
                                           .title = "Lamps",
                                           .help = "How many lamps it has",
                                           .fallback = "4",
                                           .example = "8",
                                           .low = 1,
                                           .high = 99}},
                               .rights = {{.words = "May see the sea"}}};
        const ports::SourceKinds both{ports::SourceKind(*ports::findKind(kinds(), "prometheus")), kind};
        const std::string text = services::sampleConfig(both);
        QVERIFY(text.find("\n#-   - name: lighthouse ") != std::string::npos);
        QVERIFY(text.find("# Its account for reading: May see the sea\n") != std::string::npos);
        QVERIFY(text.find("#-     lamps: 8 ") != std::string::npos);
        QVERIFY(text.find("# How many lamps it has; 1 to 99; default: 4\n") != std::string::npos);
        QVERIFY(text.find("kind: kubernetes") == std::string::npos);
    }

    void sampleParsesWithEveryCommentTakenAway()
    {
        std::string text;
        std::istringstream lines{services::sampleConfig(kinds())};
        for (std::string line; std::getline(lines, line);)
            text += (line.starts_with("#- ") ? line.substr(3) : line) + "\n";
        const model::Settings settings = settingsOf(text);
        QCOMPARE(settings.sources.size(), kinds().size());
        const auto source = [&](const std::string &kind) {
            const auto at = std::find_if(settings.sources.begin(), settings.sources.end(),
                                         [&](const model::SourceSettings &one) { return one.kind == kind; });
            return at == settings.sources.end() ? model::SourceSettings{} : *at;
        };
        for (const ports::SourceKind &kind : kinds())
            QCOMPARE(source(kind.kind).kind, kind.kind);
        QCOMPARE(source("prometheus").auth.token.value, std::string("prom-prod"));
        QCOMPARE(source("prometheus").caFile, std::string("/etc/gpuledger/ca.pem"));
        QCOMPARE(source("prometheus").headers.at("X-Scope-OrgID"), std::string("ml"));
        QCOMPARE(source("prometheus").options.at("timeout"), std::string("55s"));
        QCOMPARE(source("opencost").options.at("currency"), std::string("EUR"));
        QCOMPARE(source("demo").options.at("days"), std::string("60"));
        QCOMPARE(source("kubernetes").options.at("context"), std::string("prod"));
        QCOMPARE(source("aws").auth.region, std::string("eu-central-1"));
        QVERIFY(source("aws").mayStop && source("kubernetes").mayStop && !source("demo-bill").mayStop);
        QCOMPARE(settings.owners.size(), std::size_t{9});
        QCOMPARE(settings.owners[3].match, model::OwnerRule::Match::Regex);
        QCOMPARE(settings.owners[4].match, model::OwnerRule::Match::Prefix);
        QVERIFY(settings.owners[5].from && settings.owners[5].until);
        QCOMPARE(settings.owners[8].team, std::string("unowned"));
        QCOMPARE(settings.workloads.size(), std::size_t{2});
        QCOMPARE(settings.environmentLabel, std::string("env"));
        QCOMPARE(settings.idle.protect.size(), std::size_t{2});
        QCOMPARE(settings.prices.overrides.size(), std::size_t{2});
        QCOMPARE(settings.prices.owned[0].pue, std::string("1.4"));
        QCOMPARE(settings.budgets[0].warn.size(), std::size_t{2});
        QCOMPARE(settings.actions.cooldown, base::Seconds{600});
        QVERIFY(!settings.actions.stopsMarked && !settings.actions.permitsIrreversible);
        for (const char *how : {"never", "typed_name"})
            QCOMPARE(
                settingsOf("sources: [ { name: a, kind: demo } ]\nactions: { irreversible: " + std::string(how) + " }")
                    .actions.permitsIrreversible,
                std::string(how) == "typed_name");
        QVERIFY(settingsOf("sources: [ { name: a, kind: demo } ]\nactions: { stop_marked: true }").actions.stopsMarked);
    }

    void budgetsSayWhatTheyAreFor_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("problem"); // a part of it; empty: none
        QTest::addColumn<QString>("scope");
        const auto row = [](const char *name, const char *fields, const char *problem, const char *scope) {
            QTest::newRow(name) << QString::fromUtf8(fields) << QString::fromUtf8(problem) << QString::fromUtf8(scope);
        };
        row("team", "team: vision, amount: \"9\"", "", "team=vision");
        row("model", "model: H100, amount: \"9\", carry_over: true", "", "gpu-model=H100");
        row("label", "node_label: { pool: a }, amount: \"9\"", "", "node-label:pool=a");
        row("project", "project: ml-platform, amount: \"9\"", "", "project=ml-platform");
        row("project and team", "project: a, team: b, amount: \"9\"", "must say what it is for", "");
        row("two labels", "label: { a: b, c: d }, amount: \"9\"", "exactly one label", "");
        row("no scope", "amount: \"9\"", "must say what it is for", "");
        row("two scopes", "team: a, cluster: b, amount: \"9\"", "must say what it is for", "");
        row("zero", "team: a, amount: \"0\"", "greater than 0", "");
        row("no share", "team: a, amount: \"9\", warn: [0]", "greater than 0", "");
        row("unknown key", "team: a, amount: \"9\", wran: [1]", "wran", "");
    }
    void budgetsSayWhatTheyAreFor()
    {
        QFETCH(QString, fields);
        QFETCH(QString, problem);
        QFETCH(QString, scope);
        const auto parsed = services::parseConfig("sources: [ { name: a, kind: demo } ]\nbudgets: [ { period: month, "
                                                      + fields.toStdString() + " } ]",
                                                  "/", kinds());
        std::string all;
        for (const services::ConfigProblem &one : parsed.problems)
            all += one.key + ": " + one.text + '\n';
        QVERIFY2(problem.isEmpty() ? all.empty() : all.find(problem.toStdString()) != std::string::npos, all.c_str());
        if (problem.isEmpty())
            QCOMPARE(parsed.settings.budgets[0].by + '=' + parsed.settings.budgets[0].key, scope.toStdString());
    }

    void projectsGoWithBudgetsAlone()
    {
        const auto problemOf = [](const std::string &when) {
            const auto parsed = services::parseConfig(
                "sources: [ { name: a, kind: demo } ]\nalerts: [ { name: a, when: { " + when + " } } ]", "/", kinds());
            return parsed.problems.empty() ? std::string() : parsed.problems.front().text;
        };
        QCOMPARE(problemOf("metric: budget, per: project, above: 80 %"), std::string());
        const std::string why = "does not go with this metric, because only bills say to which project a machine "
                                "belongs, days later; write per: ";
        QCOMPARE(problemOf("metric: idle-cost, per: project, above: 20 USD/day"),
                 why + "team, cluster, pool or all, or a budget for the project");
        QCOMPARE(problemOf("metric: unallocated, per: project, above: 8 GPU"),
                 why + "team, cluster, pool or all, or a budget for the project");
        QCOMPARE(problemOf("metric: queue-waiting, per: project, above: 8 GPU"),
                 why + "cluster, or a budget for the project");
        QVERIFY(problemOf("metric: idle-cost, per: projects, above: 20 USD/day").find("is unknown")
                != std::string::npos);
    }

    void aFiscalYearStartsInAMonth()
    {
        const std::string source = "sources: [ { name: a, kind: demo } ]\n";
        QCOMPARE(settingsOf(source).fiscalYearStarts, 1);
        QCOMPARE(settingsOf(source + "fiscal_year_starts: 04").fiscalYearStarts, 4);
        QCOMPARE(settingsOf(source + "fiscal_year_starts: 12").fiscalYearStarts, 12);
        for (const char *wrong : {"0", "13", "April", "[4]", "4.5", "2026-04-01"}) {
            const auto parsed = services::parseConfig(source + "fiscal_year_starts: " + wrong, "/", kinds());
            QCOMPARE(parsed.problems.size(), std::size_t{1});
            QCOMPARE(parsed.problems.front().text, std::string("must be a whole number from 1 to 12"));
            QCOMPARE(parsed.problems.front().line, 2);
        }
    }

    void sourcesAloneAreComplete()
    {
        const model::Settings settings =
            settingsOf("sources: [ { name: a, kind: prometheus, url: \"https://p.example.org\" } ]");
        QCOMPARE(settings.sources.size(), std::size_t{1});
        QCOMPARE(settings.currency, base::Currency::usd());
        QCOMPARE(settings.idle.threshold, 0.05);
        QVERIFY(settings.sources[0].mayRead && !settings.sources[0].mayStop);
    }

    // For each kind: an unknown setting, and each of its settings with a value of another type.
    void namesTheWrongSettingOfEachKind_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < kinds().size(); ++i)
            QTest::newRow(kinds()[i].kind.c_str()) << static_cast<int>(i);
    }
    void namesTheWrongSettingOfEachKind()
    {
        using Type = ports::SourceField::Type;
        QFETCH(int, index);
        const ports::SourceKind &kind = kinds()[static_cast<std::size_t>(index)];
        const auto problems = [&](const std::string &key, const std::string &value) {
            std::string text = "sources: [ { name: a, kind: " + kind.kind;
            for (const ports::SourceField &field : kind.fields) {
                if (field.isRequired && field.key != key)
                    text += ", " + std::string(field.key) + ": "
                        + (field.type == Type::Signed || field.type == Type::Access
                               ? std::string(field.example)
                               : '"' + std::string(field.example) + '"');
            }
            return problemsOf(text + ", " + key + ": " + value + " } ]");
        };
        const std::vector<std::pair<std::string, std::string>> logins{
            {"none", "{ type: none }"},
            {"basic", "{ type: basic, user: u, password: env:P }"},
            {"bearer", "{ type: bearer, token: env:T }"},
            {"mtls", "{ type: mtls, certificate: file:c, key: file:k }"},
            {"sigv4", "{ type: sigv4, region: us-east-1 }"}};
        QVERIFY(problems("zebra", "1").find("sources[0].zebra: is unknown") != std::string::npos);
        for (const ports::SourceField &field : kind.fields) {
            const std::string key(field.key), at = "sources[0]." + key;
            const bool isMap = field.type == Type::Access || field.type == Type::Signed || field.type == Type::Authority
                || field.type == Type::Headers;
            const std::string right = isMap ? std::string(field.example) : '"' + std::string(field.example) + '"';
            QCOMPARE(problems(key, right), std::string());
            if (field.type == Type::Access) {
                for (const auto &[login, value] : logins) {
                    const std::string found = problems(key, value);
                    QCOMPARE(found.empty(), field.takesLogin(login));
                    QVERIFY2(found.empty() || found.find(at + ": must be of ") != std::string::npos, found.c_str());
                    // The sample offers the same.
                    const std::string sample = services::sampleConfig({kind});
                    const std::string offer = login == "none" ? "type: none |" : login + " {";
                    QCOMPARE(sample.find(offer) != std::string::npos, field.takesLogin(login));
                }
            }
            const std::string wrong = problems(key, isMap ? "[ 1 ]" : "{ a: b }");
            QVERIFY2(wrong.find(at) != std::string::npos, wrong.c_str());
            if (field.type == Type::Text || field.type == Type::Kubeconfig || field.type == Type::KubeContext
                || field.type == Type::Path || isMap)
                continue; // any single-line text may be valid
            const std::string text = problems(key, "\"?\"");
            QVERIFY2(text.find(at + ": must") != std::string::npos, text.c_str());
            if (field.high != 0) {
                const std::string much = problems(key, std::to_string(field.high + 1));
                QVERIFY2(much.find(at + ": must") != std::string::npos, much.c_str());
            }
        }
    }

    // The dialog, the check and the sample work for any kind, not only for those of this build.
    void takesAKindThatItNeverHeardOf()
    {
        using Type = ports::SourceField::Type;
        const ports::SourceKinds made{
            {"lighthouse",
             "Lighthouse",
             {ports::Capability::Telemetry},
             {{.key = "url", .type = Type::Url, .isRequired = true, .example = "https://l.example.org"},
              {.key = "lamps", .type = Type::Whole, .low = 1, .high = 9}}}};
        const auto right =
            parseConfig("sources: [ { name: a, kind: lighthouse, url: \"https://x\", lamps: 3 } ]", "/", made);
        QVERIFY(right.problems.empty());
        QCOMPARE(right.settings.sources.at(0).url, std::string("https://x"));
        QCOMPARE(right.settings.sources.at(0).options.at("lamps"), std::string("3"));
        const auto wrong = parseConfig("sources: [ { name: a, kind: lighthouse, lamps: 10 } ]", "/", made);
        QCOMPARE(wrong.problems.size(), std::size_t{2});
        QCOMPARE(wrong.problems[0].text, std::string("is missing; write, for example, url: https://l.example.org"));
        QCOMPARE(wrong.problems[1].text, std::string("must be a whole number from 1 to 9"));
        const auto other = parseConfig("sources: [ { name: a, kind: prometheus } ]", "/", made);
        QCOMPARE(other.problems.at(0).text, std::string("\"prometheus\" is unknown; it is one of lighthouse"));
    }

    // Kinds without a connector would fail in every sync.
    void refusesKindsWithoutAConnector()
    {
        for (const char *kind : {"mlflow", "wandb"}) {
            const std::string got = problemsOf("sources: [ { name: a, kind: " + std::string(kind) + " } ]");
            QVERIFY2(got.find("sources[0].kind: \"" + std::string(kind) + "\" is unknown; it is one of demo, ")
                         != std::string::npos,
                     got.c_str());
        }
    }

    void readsSecretsByReference()
    {
        using Kind = model::SecretRef::Kind;
        const auto token = [](const std::string &text) {
            return settingsOf("sources: [ { name: a, kind: prometheus, url: \"https://p.example.org\", auth: { type: "
                              "bearer, token: "
                              + text + " } } ]")
                .sources.at(0)
                .auth.token;
        };
        QCOMPARE(token("env:TOKEN").kind, Kind::Environment);
        QCOMPARE(token("env:TOKEN").value, std::string("TOKEN"));
        QCOMPARE(token("file:t").value, std::string("/etc/gpuledger/t"));
        QVERIFY((token("command:pass show prom").command == std::vector<std::string>{"pass", "show", "prom"}));
        QVERIFY((token("[ \"command:pass\", \"a b\" ]").command == std::vector<std::string>{"pass", "a b"}));
    }

    void readsTeamsAndAssumptionsOfSavings()
    {
        const model::SavingsSettings savings =
            settingsOf(
                "sources: [ { name: a, kind: demo } ]\nsavings: { teams: [ { team: research, time_zone: "
                "Europe/Berlin, holidays: [1970-01-02, \"1970-02-01\"] } ], assumptions: { checkpoint-every: "
                "30m, start-up: 1h, training: { checkpoint-every: 2h, deadline: 48h }, inference: { interruptible: "
                "true } } }")
                .savings;
        QCOMPARE(savings.teams.size(), std::size_t{1});
        QCOMPARE(savings.teams[0].team, std::string("research"));
        QCOMPARE(savings.teams[0].timeZone, std::string("Europe/Berlin"));
        QVERIFY((savings.teams[0].holidays == std::set<std::int32_t>{1, 31}));
        QVERIFY((savings.assumptions
                 == std::map<std::string, std::string>{{"checkpoint-every", "30m"},
                                                       {"start-up", "1h"},
                                                       {"training.checkpoint-every", "2h"},
                                                       {"training.deadline", "48h"},
                                                       {"inference.interruptible", "true"}}));
    }

    void readsPools()
    {
        const std::vector<model::PoolAssumptions> pools =
            settingsOf("sources: [ { name: a, kind: demo } ]\nsavings: { pools: [ { name: gpu, min_nodes: 2 }, { name: "
                       "gpu, cluster: prod, scale_down_after: 3h, startup: 20m } ] }")
                .savings.pools;
        QCOMPARE(pools.size(), std::size_t{2});
        QVERIFY(pools[0].name == "gpu" && pools[0].cluster.empty());
        QVERIFY((pools[0].values == std::map<std::string, std::string>{{"minimum-nodes", "2"}}));
        QCOMPARE(pools[1].cluster, std::string("prod"));
        QVERIFY(
            (pools[1].values == std::map<std::string, std::string>{{"scale-down-delay", "3h"}, {"start-up", "20m"}}));
    }

    void readsSpotHistories()
    {
        const model::Settings settings =
            settingsOf("sources: [ { name: a, kind: demo } ]\nsavings: { spot_history: [ { path: spot/a.csv, began: "
                       "2026-10-01 }, { path: /b.csv, began: \"2026-10-02T06:00:00Z\" } ] }");
        QCOMPARE(settings.savings.spotHistory.size(), std::size_t{2});
        QCOMPARE(settings.savings.spotHistory[0].path, std::string("/etc/gpuledger/spot/a.csv"));
        QCOMPARE(base::toRfc3339(settings.savings.spotHistory[0].began), std::string("2026-10-01T00:00:00Z"));
        QCOMPARE(settings.savings.spotHistory[1].path, std::string("/b.csv"));
        QCOMPARE(base::toRfc3339(settings.savings.spotHistory[1].began), std::string("2026-10-02T06:00:00Z"));
        QVERIFY(settingsOf("sources: [ { name: a, kind: demo } ]").savings.spotHistory.empty());
    }

    void readsPriceLists()
    {
        const model::PriceSettings prices =
            settingsOf(
                "sources: [ { name: a, kind: demo } ]\nprices: { lists: [ { file: lists/aws_vms.csv, seen: 2026-10-01, "
                "cloud: aws }, { url: \"http://127.0.0.1:8080/neo/vms.csv\" } ], own: [ { file: /o.csv } ] }")
                .prices;
        QCOMPARE(prices.lists.size(), std::size_t{2});
        QCOMPARE(prices.lists[0].path, std::string("/etc/gpuledger/lists/aws_vms.csv"));
        QCOMPARE(prices.lists[0].name(), prices.lists[0].path);
        QVERIFY(prices.lists[0].seen == base::dayOf(*base::parseTime("2026-10-01")));
        QCOMPARE(prices.lists[0].cloud, std::string("aws"));
        QCOMPARE(prices.lists[1].name(), std::string("http://127.0.0.1:8080/neo/vms.csv"));
        QVERIFY(prices.lists[1].path.empty() && !prices.lists[1].seen && prices.lists[1].cloud.empty());
        QCOMPARE(prices.own.size(), std::size_t{1});
        QCOMPARE(prices.own[0].name(), std::string("/o.csv"));
        const model::PriceSettings none = settingsOf("sources: [ { name: a, kind: demo } ]").prices;
        QVERIFY(none.lists.empty() && none.own.empty());
    }

    void readsAzuresRetailPrices()
    {
        const auto with = [](const std::string &keys) {
            return "sources: [ { name: a, kind: demo } ]\nprices: { lists: [ { url: "
                   "\"https://prices.azure.com/api/retail/"
                   "prices\", format: azure-retail"
                + keys + " } ] }";
        };
        const model::PriceList list =
            settingsOf(with(", regions: [ eastus, westeurope, eastus ], currency: EUR")).prices.lists.at(0);
        QVERIFY(list.isAzureRetail);
        QCOMPARE(list.regions, (std::vector<std::string>{"eastus", "westeurope"}));
        QCOMPARE(std::string(list.currency.code()), std::string("EUR"));
        QCOMPARE(std::string(settingsOf(with(", regions: [ eastus ]")).prices.lists.at(0).currency.code()),
                 std::string("USD"));
        for (const auto &[keys, problem] :
             {std::pair("", "regions"), std::pair(", regions: []", "must name 1 to 50 regions"),
              std::pair(", regions: [ \"East US\" ]", "lower-case letters and digits"),
              std::pair(", regions: [ \"x'or'1\" ]", "lower-case letters and digits"),
              std::pair(", regions: [ eastus ], cloud: azure", "cloud"),
              std::pair(", regions: [ eastus ], currency: euro", "currency")}) {
            const std::string said = problemsOf(with(keys));
            QVERIFY2(said.find(problem) != std::string::npos, said.c_str());
        }
        const std::string other = problemsOf("sources: [ { name: a, kind: demo } ]\nprices: { lists: [ { file: a.csv, "
                                             "regions: [ eastus ] } ] }");
        QVERIFY2(other.find("regions") != std::string::npos, other.c_str());
    }

    void readsAlertsAndTargets()
    {
        const model::Settings settings = settingsOf(
            "sources: [ { name: a, kind: demo } ]\n"
            "targets: [ { name: oncall, kind: slack, url: env:SLACK_URL }, { name: am, kind: alertmanager, url: "
            "\"http://127.0.0.1:9093\" } ]\nalerts:\n  - { name: idle-cost, when: { metric: idle-cost, per: team, "
            "above: 200 USD/day, for: 2h }, send: [oncall], mark: { after: 24h } }\n");
        QCOMPARE(settings.targets.size(), std::size_t{2});
        QVERIFY(settings.targets[0].secret.kind == model::SecretRef::Kind::Environment);
        QCOMPARE(settings.targets[1].url, std::string("http://127.0.0.1:9093"));
        QCOMPARE(settings.alerts.size(), std::size_t{1});
        QCOMPARE(settings.alerts[0].bound, std::string("200 USD/day"));
        QCOMPARE(settings.alerts[0].length, base::Seconds{7200});
        QVERIFY(settings.alerts[0].markAfter == base::Seconds{86400});
        const std::string got =
            problemsOf("sources: [ { name: a, kind: demo } ]\n"
                       "targets: [ { name: t, kind: slack, url: \"https://canary\" } ]\n"
                       "alerts: [ { name: x, when: { metric: utilization, per: all, above: 5 } } ]");
        QVERIFY(got.find("targets[0].url: must be a reference") != std::string::npos);
        QVERIFY(got.find("alerts[0].when.above: does not go with this metric; write below") != std::string::npos);
        QVERIFY(got.find("canary") == std::string::npos);
    }

    void marksOnlyWhatIsIdle()
    {
        const auto problems = [](const char *when, const char *after) {
            return problemsOf(std::string("sources: [ { name: a, kind: demo } ]\nalerts: [ { name: x, when: { ") + when
                              + " }, mark: { after: " + after + " } } ]");
        };
        QVERIFY(problems("metric: idle-hours, per: all, above: 5 h/day", "10m").empty());
        for (const char *after : {"9m", "31d"})
            QVERIFY(problems("metric: idle-hours, per: all, above: 5 h/day", after)
                        .find("alerts[0].mark.after: must be from 10m to 30d")
                    != std::string::npos);
        QVERIFY(problems("metric: utilization, per: team, below: 30 %", "24h").find("alerts[0].mark: goes only with")
                != std::string::npos);
        QVERIFY(problems("metric: idle-hours, per: pool, above: 5 h/day", "24h").empty());
    }

    void readsHowTargetsAreReached()
    {
        const std::string head = "sources: [ { name: a, kind: demo } ]\ntargets:\n";
        const model::Settings settings =
            settingsOf(head
                       + "  - { name: am, kind: alertmanager, url: \"https://am.example.org\", tls: { ca: "
                         "file:/etc/ca.pem }, auth: "
                         "{ type: basic, user: ledger, password: env:AM_PASSWORD } }\n"
                         "  - { name: hook, kind: webhook, url: env:HOOK_URL, secret: env:NEW, previous_secret: "
                         "env:OLD, tls: { ca: "
                         "/etc/hook.pem }, auth: { type: bearer, token: env:HOOK_TOKEN, header: X-API-KEY } }\n"
                         "  - { name: mail, kind: email, url: \"smtps://mail.example.org\", from: a@example.org, to: "
                         "[b@example.org], tls: { ca: /etc/mail.pem } }\n"
                         "  - { name: amp, kind: alertmanager, url: \"https://aps.example.org/ws/alertmanager\", auth: "
                         "{ type: sigv4, region: eu-west-1, profile: alerts } }\n");
        QCOMPARE(settings.targets.size(), std::size_t{4});
        QCOMPARE(settings.targets[0].caFile, std::string("/etc/ca.pem"));
        QVERIFY(settings.targets[0].auth.kind == model::AuthSettings::Kind::Basic);
        QCOMPARE(settings.targets[0].auth.password.value, std::string("AM_PASSWORD"));
        QCOMPARE(settings.targets[1].signing.value, std::string("NEW"));
        QCOMPARE(settings.targets[1].previousSigning.value, std::string("OLD"));
        QCOMPARE(settings.targets[1].caFile, std::string("/etc/hook.pem"));
        QVERIFY(settings.targets[1].auth.kind == model::AuthSettings::Kind::Bearer);
        QCOMPARE(settings.targets[1].auth.token.value, std::string("HOOK_TOKEN"));
        QCOMPARE(settings.targets[1].auth.header, std::string("X-API-KEY"));
        QCOMPARE(settings.targets[2].caFile, std::string("/etc/mail.pem"));
        QVERIFY(settings.targets[3].auth.kind == model::AuthSettings::Kind::SigV4);
        QCOMPARE(settings.targets[3].auth.region, std::string("eu-west-1"));
        QCOMPARE(settings.targets[3].auth.profile, std::string("alerts"));
        const auto says = [&](const char *target, const char *problem) {
            return problemsOf(head + "  - { name: t, kind: " + target + " }\n").find(problem) != std::string::npos;
        };
        QVERIFY(
            says("webhook, url: env:U, previous_secret: env:OLD", "targets[0].previous_secret: goes only with secret"));
        QVERIFY(says("slack, url: env:U, auth: { type: none }", "targets[0].auth"));
        QVERIFY(says("webhook, url: env:U, auth: { type: basic, user: u }", "targets[0].auth.password"));
        QVERIFY(says("slack, url: env:U, tls: { ca: /x.pem }", "targets[0].tls"));
        QVERIFY(says("alertmanager, url: \"https://am\", tls: { insecure: true }", "certificates are always verified"));
        QVERIFY(says("webhook, url: env:U, auth: { type: sigv4, region: eu-west-1 }",
                     "targets[0].auth: can't be of type sigv4 for a webhook"));
        QVERIFY(says("alertmanager, url: \"https://am\", auth: { type: sigv4 }", "targets[0].auth.region"));
    }

    void writesUserExportersAsJson()
    {
        const model::Settings settings = settingsOf("sources: [ { name: a, kind: demo } ]\n"
                                                    "exporters: [ { name: x, metrics: { \"a\\\"b\": [ c, true ] } } ]");
        QCOMPARE(settings.exporters.size(), std::size_t{1});
        QCOMPARE(settings.exporters[0].json, std::string("{\"name\":\"x\",\"metrics\":{\"a\\\"b\":[\"c\",true]}}"));
    }

    void refusesWhatIsNotAConfiguration()
    {
        QVERIFY(problemsOf(std::string(services::kMaxConfigBytes + 1, '#')).find("1 MiB") != std::string::npos);
        QVERIFY(problemsOf("sources: \xFF").find("UTF-8") != std::string::npos);
        QVERIFY(problemsOf("a: &a [ *a ]\nsources: *a").find("levels") != std::string::npos);
        const auto missing = services::readConfigFile(dataFolder() / "no-such-file.yaml", kinds());
        QVERIFY(!missing);
        QVERIFY(missing.error().code == base::ErrorCode::NotFound);
        QVERIFY(services::readConfigFile(dataFolder(), kinds()).error().code == base::ErrorCode::InvalidConfig);
    }

    // Whatever is truncated or changed, the parser returns and does not crash.
    void survivesCutAndChangedSamples()
    {
        const std::string sample = services::sampleConfig(kinds());
        for (std::size_t at = 0; at < sample.size(); at += 7) {
            (void)parseConfig(sample.substr(0, at), "/", kinds());
            std::string changed = sample;
            changed[at] = "{}[]:-\"&*!|>%@\t"[at % 15];
            (void)parseConfig(changed, "/", kinds());
        }
    }
};

GPULEDGER_SUITE(TestConfig)

} // namespace tst_config

#include "tst_config.moc"
