// SPDX-License-Identifier: GPL-3.0-or-later
// The sources of bills in the dialog that adds a source: by keyboard, over the real connectors, real files and fakes of
// the clouds, and compared with what `sources add` writes.
#include "app/services/config/config.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"
#include "tests/support/window/textfit.h"
#include "tests/unit/prometheus/testtools.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/format/local/language.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"
#include "widgets/inputs/choicebutton.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_billdialog {

using namespace gpuledger;
using ui::SourceDialog;
using ui::SourceTest;
using State = SourceTest::State;
using Typed = std::vector<std::pair<std::string, std::string>>; // the name of a field, and what is typed there
using Words = std::vector<std::string>;

namespace {

constexpr int kPatience = 60000;
constexpr char kSubscription[] = "11111111-2222-3333-4444-555555555555"; // as in azurecosts.py
constexpr char kProject[] = "lab-billing", kTable[] = "gcp_billing_export_resource_v1_01AB23_CD45EF_678901";
constexpr char kBills[] = "BILLS"; // stands for the folder with bills
constexpr char kSecret[] = "canary+secret/=&value";

// A text of the dialog in the language of the test: pictures are also taken in German.
QString said(const char *english)
{
    for (const char *context : {"gpuledger::ui::SourceDialog", "gpuledger::ui::LocalText",
                                "gpuledger::ui::PlatformRows", "gpuledger::ui::AdvancedRows"}) {
        const QString text = QCoreApplication::translate(context, english);
        if (text != QLatin1String(english))
            return text;
    }
    return QString::fromUtf8(english);
}

template <typename Widget> Widget *shown(const QWidget &parent, const QString &name)
{
    for (Widget *widget : parent.findChildren<Widget *>()) {
        if (widget->isVisible() && widget->accessibleName() == name)
            return widget;
    }
    return nullptr;
}

QPushButton *button(const QWidget &parent, const QString &text)
{
    for (QPushButton *one : parent.findChildren<QPushButton *>()) {
        if (one->isVisible() && (one->text() == text || one->accessibleName() == text))
            return one;
    }
    return nullptr;
}

QPushButton *defaultButton(const QWidget &dialog)
{
    for (QPushButton *one : dialog.findChildren<QPushButton *>()) {
        if (one->isVisible() && one->isDefault())
            return one;
    }
    return nullptr;
}

bool tells(const QWidget &parent, const QString &text)
{
    const auto labels = parent.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
}

} // namespace

class BillDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("GPULEDGER_GERMAN"))
            m_german = std::make_unique<ui::Language>(QLocale(QLocale::German, QLocale::Germany));
        m_theme.setMode(qEnvironmentVariableIsSet("GPULEDGER_DARK") ? widgets::Theme::Mode::Dark
                                                                    : widgets::Theme::Mode::Light);
        m_theme.apply();
        const auto start = [](tests::FaultyServer &server, const char *words) {
            return server.start(QStringLiteral("tests/support/billserver.py"), QString::fromLatin1(words).split(u' '));
        };
        QVERIFY(start(m_costs, "costexplorer") && start(m_deniedCosts, "costexplorer denied"));
        QVERIFY(start(m_azure, "azurecosts") && start(m_deniedAzure, "azurecosts denied"));
        QVERIFY(start(m_google, "bigquery") && start(m_deniedGoogle, "bigquery denied"));
        QVERIFY(start(m_runpod, "runpod") && start(m_vastai, "vastai") && start(m_lambda, "lambda"));
        qputenv("RUNPOD_KEY", "canary-rpa_KEY"); // of runpod.py
        qputenv("VAST_API_KEY", "canary-vast_KEY"); // of vastai.py
        qputenv("LAMBDA_API_KEY", "canary-lambda_KEY"); // of lambdacloud.py
        qputenv("AZURE_TOKEN", kSecret);
        qputenv("GOOGLE_TOKEN", "canary-token");
        qputenv("AWS_EC2_METADATA_DISABLED", "true");
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_config = path("config.yaml");
        tests::writeFile(path("credentials"),
                         "[billing]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = canary-secret-key\n");
        qputenv("AWS_SHARED_CREDENTIALS_FILE", file("credentials").toUtf8());
        QVERIFY(QDir().mkpath(file("bills")));
        tests::writeFile(path("bills") / "november.csv", tests::csvText({tests::goodCells({})}), base::Seconds{3600});
        open();
    }
    void cleanup()
    {
        m_dialog.reset();
        if (m_sync) {
            m_sync->cancel();
            QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
        }
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void offersEveryRealKind()
    {
        ask(QStringLiteral("prometheus"));
        QStringList offered;
        auto *kinds = choices().front();
        for (const ports::SourceKind &kind : m_catalog->kinds()) {
            kinds->setCurrentKey(QString::fromStdString(kind.kind));
            if (kinds->currentKey() == QString::fromStdString(kind.kind))
                offered << kinds->currentKey();
            QTRY_VERIFY2(tests::cutTexts(*m_dialog).isEmpty(),
                         qPrintable(tests::cutTexts(*m_dialog).join(QLatin1Char('\n'))));
        }
        for (const char *kind : {"prometheus", "focus", "opencost", "aws", "aws-costs", "aws-export", "azure",
                                 "azure-costs", "azure-export", "gcp", "gcp-billing", "runpod", "vastai", "lambda",
                                 "coreweave", "nebius", "infracost", "claims", "kubernetes"})
            QVERIFY2(offered.contains(QLatin1String(kind)), kind);
        QVERIFY(!offered.contains(QLatin1String("demo")) && !offered.contains(QLatin1String("demo-bill")));
    }

    // The same answers in the dialog and on the command line become the same text.
    void writesWhatTheCommandLineWrites_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<Typed>("typed"); // in the first step
        QTest::addColumn<Typed>("login"); // in the second, with this kind of access
        QTest::addColumn<QString>("access");
        QTest::addColumn<Words>("options");
        QTest::addColumn<int>("state"); // of the test
        const std::string costs = m_costs.url(), azure = m_azure.url(), google = m_google.url();
        const std::string closed = "http://127.0.0.1:9";
        const std::string scope = kSubscription;
        const auto add = [](const char *kind, const Typed &typed, const Typed &login, const Words &options, State state,
                            const char *access = "") {
            QTest::newRow(kind) << kind << typed << login << access << options << static_cast<int>(state);
        };
        add("focus", {{"File or folder", kBills}, {"Name", "paper"}}, {}, {"--path", kBills}, State::Usable);
        add("aws-costs",
            {{"Region", "us-east-1"},
             {"Profile", "billing"},
             {"Name", "paper"},
             {"Address", costs},
             {"Tag", "cost center: a"}},
            {}, {"--region", "us-east-1", "--profile", "billing", "--url", costs, "--set", "tag=cost center: a"},
            State::Usable);
        add("aws-export",
            {{"Bucket", "company-billing"},
             {"Prefix", "exports/focus"},
             {"Region", "eu-central-1"},
             {"Name", "paper"},
             {"Address", closed}},
            {},
            {"--region", "eu-central-1", "--set", "bucket=company-billing", "--set", "prefix=exports/focus", "--url",
             closed},
            State::Failed);
        add("azure-costs",
            {{"Scope", scope}, {"Tenant", "contoso.example"}, {"Name", "paper"}, {"Address", azure}, {"Login", azure}},
            {{"User", "app-1"}, {"Where the credential is", "AZURE_TOKEN"}},
            {"--set", "scope=" + scope, "--set", "tenant=contoso.example", "--user", "app-1", "--password",
             "env:AZURE_TOKEN", "--url", azure, "--set", "login=" + azure},
            State::Usable, "basic");
        add("azure-export",
            {{"Storage account", "companybills"},
             {"Container", "exports"},
             {"Prefix", "focus/company"},
             {"Tenant", "contoso.example"},
             {"Name", "paper"},
             {"Address", closed},
             {"Login", azure}},
            {{"User", "sas"}, {"Where the credential is", "AZURE_TOKEN"}},
            {"--set", "account=companybills", "--set", "container=exports", "--set", "prefix=focus/company", "--set",
             "tenant=contoso.example", "--user", "sas", "--password", "env:AZURE_TOKEN", "--url", closed, "--set",
             "login=" + azure},
            State::Failed, "basic");
        add("gcp-billing",
            {{"Project", kProject},
             {"Dataset", "billing"},
             {"Table", kTable},
             {"Name", "paper"},
             {"Address", google},
             {"Most scanned", "50"}},
            {{"Where the credential is", "GOOGLE_TOKEN"}},
            {"--set", std::string("project=") + kProject, "--set", "dataset=billing", "--set",
             std::string("table=") + kTable, "--token", "env:GOOGLE_TOKEN", "--url", google, "--set",
             "most_scanned=50"},
            State::Usable, "bearer");
        for (const auto &[kind, url, key] : {std::tuple{"runpod", m_runpod.url(), std::string("RUNPOD_KEY")},
                                             std::tuple{"vastai", m_vastai.url(), std::string("VAST_API_KEY")}})
            add(kind, {{"Name", "paper"}, {"Address", url}, {"Cluster", "lab"}, {"Asked again after", "12h"}},
                {{"Where the credential is", key}},
                {"--token", "env:" + key, "--url", url, "--set", "refresh=12h", "--cluster-name", "lab", "--right",
                 "read", "--right", "stop"},
                State::Usable, "bearer");
        add("lambda", {{"Name", "paper"}, {"Address", m_lambda.url()}}, {{"Where the credential is", "LAMBDA_API_KEY"}},
            {"--token", "env:LAMBDA_API_KEY", "--url", m_lambda.url()}, State::Usable, "bearer");
    }
    void writesWhatTheCommandLineWrites()
    {
        QFETCH(const QString, kind);
        QFETCH(const Typed, typed);
        QFETCH(const Typed, login);
        QFETCH(const QString, access);
        QFETCH(const Words, options);
        QFETCH(const int, state);
        ask(kind);
        picture(kind + QStringLiteral("-1-empty"));
        if (QPushButton *advanced = button(*m_dialog, said("Show advanced settings")); advanced && typed.size() > 1)
            advanced->click();
        for (const auto &[name, text] : typed)
            type(name, text);
        picture(kind + QStringLiteral("-2-typed"));
        next();
        if (m_dialog->draft().steps().size() == 3) {
            if (!login.empty()) {
                picture(kind + QStringLiteral("-3-before"));
                choices().at(0)->setCurrentKey(access);
                choices().at(1)->setCurrentKey(QStringLiteral("env"));
            }
            for (const auto &[name, text] : login)
                type(name, text);
            if (auto *mayStop = m_dialog->findChild<QCheckBox *>(); mayStop->isVisible())
                mayStop->click();
            picture(kind + QStringLiteral("-3-access"));
            next();
        }
        SourceTest &test = m_dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(!test.isRunning() && test.state() != State::Untested, "runs on", kPatience);
        QVERIFY2(static_cast<int>(test.state()) == state, qPrintable(test.summary()));
        picture(kind + QStringLiteral("-4-test"));
        QSignalSpy saved(&m_dialog->draft().saver(), &ui::ConfigurationSaver::saved);
        next();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);

        QStringList arguments =
            QStringLiteral("--config|%1|sources|add|paper|--kind|%2").arg(file("cli.yaml"), kind).split(u'|');
        for (const std::string &option : options)
            arguments << realText(option);
        QProcess process;
        process.start(qEnvironmentVariable("GPULEDGER_BIN_DIR") + QStringLiteral("/gpuledger-cli"), arguments);
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY(written("cli.yaml").contains("paper"));
        QCOMPARE(written("config.yaml"), written("cli.yaml"));
    }

    void aFileNeedsTwoStepsOnly()
    {
        ask(QStringLiteral("focus"));
        QVERIFY(tells(*m_dialog, QStringLiteral("1 of 2")));
        QVERIFY(!shown<QLineEdit>(*m_dialog, QStringLiteral("Cluster"))); // a bill has none
        next();
        QVERIFY(tells(*m_dialog, QStringLiteral("Missing: File or folder, for example ~/billing/focus")));
        type("File or folder", "billing");
        QVERIFY(tells(*m_dialog, QStringLiteral("Write the whole path, for example ~/billing/focus")));
        QPushButton *const browse = button(*m_dialog, QStringLiteral("Choose a file or folder"));
        QVERIFY(browse);
        browse->click();
        auto *menu = browse->findChild<QMenu *>();
        QTRY_VERIFY(menu && menu->isVisible());
        QCOMPARE(menu->actions().size(), 2); // a folder, a file
        menu->close();
        type("File or folder", file("nowhere").toStdString());
        QCOMPARE(shown<QLineEdit>(*m_dialog, QStringLiteral("Name"))->text(), QStringLiteral("focus"));
        next();
        QVERIFY(tells(*m_dialog, QStringLiteral("2 of 2")));
        SourceTest &test = m_dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(!test.isRunning() && test.state() != State::Untested, "runs on", kPatience);
        QVERIFY(test.state() != State::Usable);
        QVERIFY(!tells(*m_dialog, QStringLiteral("GPU activity")));
        picture(QStringLiteral("focus-missing"));
        button(*m_dialog, QStringLiteral("Back"))->click();
        QVERIFY(tells(*m_dialog, QStringLiteral("1 of 2")));
    }

    void namesEachRequiredSettingThatIsMissing()
    {
        ask(QStringLiteral("aws-export"));
        next();
        QVERIFY(tells(*m_dialog, QStringLiteral("Missing: Bucket, for example company-billing")));
        type("Bucket", "b");
        next();
        QVERIFY(tells(*m_dialog, QStringLiteral("The region is missing, for example eu-central-1")));
        choices().front()->setCurrentKey(QStringLiteral("azure-costs"));
        next();
        QVERIFY(tells(*m_dialog, QStringLiteral("Missing: Scope, for example 00000000-0000")));
    }

    // Before the request that costs something, the dialog says what it costs, with the policy that allows it.
    void saysWhatATestCostsBeforeIt()
    {
        ask(QStringLiteral("aws-costs"));
        type("Region", "us-east-1");
        next();
        SourceTest &test = m_dialog->draft().tester();
        QCOMPARE(test.state(), State::Untested);
        QVERIFY(tells(*m_dialog, QStringLiteral("each request costs USD 0.01, and a test makes one")));
        auto *const policy = shown<QPlainTextEdit>(*m_dialog, QStringLiteral("Rights of its account"));
        QVERIFY(policy && policy->isReadOnly());
        QPushButton *const copy = button(*m_dialog, QStringLiteral("Copy the policy"));
        QVERIFY(copy && !copy->autoDefault());
        copy->click();
        const ports::SourceKinds kinds = m_catalog->kinds();
        QCOMPARE(QApplication::clipboard()->text().toStdString(),
                 std::string(ports::findKind(kinds, "aws-costs")->rights.at(0).policy));
        QCOMPARE(copy->text(), QStringLiteral("Copied"));
    }

    void stoppingHasAPolicyOfItsOwn()
    {
        ask(QStringLiteral("aws"));
        type("Region", "us-east-1");
        next();
        QVERIFY(button(*m_dialog, QStringLiteral("Copy the policy")));
        QVERIFY(!button(*m_dialog, QStringLiteral("Copy the policy for stopping")));
        m_dialog->findChild<QCheckBox *>()->click();
        QTRY_VERIFY(button(*m_dialog, QStringLiteral("Copy the policy for stopping")));
        picture(QStringLiteral("aws-3-rights"));
    }

    void aTestNamesTheRightThatIsMissing()
    {
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        ui::SourceFields fields;
        fields.kind = QStringLiteral("aws-costs");
        fields.name = QStringLiteral("paper");
        fields.region = QStringLiteral("us-east-1");
        fields.profile = QStringLiteral("billing");
        fields.rare["url"] = QString::fromStdString(m_deniedCosts.url());
        fails(draft, fields, "may not ce:GetCostAndUsage: nothing of the bill is shown until it is allowed");
        fields = {};
        fields.kind = QStringLiteral("azure-costs");
        fields.name = QStringLiteral("paper");
        fields.options = {{"scope", QString::fromLatin1(kSubscription)}, {"tenant", QStringLiteral("contoso.example")}};
        fields.rare["url"] = fields.rare["login"] = QString::fromStdString(m_deniedAzure.url());
        fields.access = ui::SourceFields::Access::Basic;
        fields.user = QStringLiteral("app-1");
        fields.keeper = ui::SourceFields::Keeper::Environment;
        fields.kept = QStringLiteral("AZURE_TOKEN");
        fails(draft, fields, "may not Microsoft.CostManagement/query");
        fields = {};
        fields.kind = QStringLiteral("gcp-billing");
        fields.name = QStringLiteral("paper");
        fields.options = {{"project", QString::fromLatin1(kProject)},
                          {"dataset", QStringLiteral("billing")},
                          {"table", QString::fromLatin1(kTable)}};
        fields.rare["url"] = QString::fromStdString(m_deniedGoogle.url());
        fields.access = ui::SourceFields::Access::Bearer;
        fields.keeper = ui::SourceFields::Keeper::Environment;
        fields.kept = QStringLiteral("GOOGLE_TOKEN");
        fails(draft, fields, "may not");
    }

    // What another kind was given does not get in the way.
    void aChangedKindForgetsTheLogin()
    {
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        ui::SourceFields fields;
        fields.kind = QStringLiteral("prometheus");
        fields.access = ui::SourceFields::Access::Basic;
        fields.name = QStringLiteral("paper");
        fields.url = QStringLiteral("http://127.0.0.1:9");
        fields.cluster = QStringLiteral("a");
        draft.setFields(fields);
        QVERIFY(!draft.problem(ui::SourceDraft::Step::Test).isEmpty());
        fields.kind = QStringLiteral("focus");
        fields.path = file("bills");
        draft.setFields(fields);
        QCOMPARE(draft.problem(ui::SourceDraft::Step::Test), QString());
        QSignalSpy saved(&draft.saver(), &ui::ConfigurationSaver::saved);
        draft.save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(written("config.yaml"),
                 "version: 1\nsources:\n  - name: paper\n    kind: focus\n    path: " + file("bills").toUtf8() + "\n");
    }

    void offersTheLoginsThatTheServerTakes()
    {
        const auto offered = [&] {
            QStringList keys;
            for (const QAction *one : choices().at(0)->menu()->actions())
                keys << one->data().toString();
            return keys.join(QLatin1Char(' '));
        };
        ask(QStringLiteral("azure-export"));
        type("Storage account", "companybills");
        type("Container", "exports");
        next();
        QCOMPARE(offered(), QStringLiteral("none bearer basic"));
        choices().at(0)->setCurrentKey(QStringLiteral("basic"));
        button(*m_dialog, QStringLiteral("Back"))->click();
        choices().front()->setCurrentKey(QStringLiteral("runpod"));
        next();
        QCOMPARE(offered(), QStringLiteral("bearer"));
        QCOMPARE(choices().at(0)->currentKey(), QStringLiteral("bearer")); // not that of the kind before
        QVERIFY(m_dialog->draft().fields().access == ui::SourceFields::Access::Bearer);
        button(*m_dialog, QStringLiteral("Back"))->click();
        choices().front()->setCurrentKey(QStringLiteral("prometheus"));
        type("Address", "http://127.0.0.1:9");
        next();
        QCOMPARE(offered(), QStringLiteral("none bearer basic mtls"));
    }

    void changesOnlyThePathOfABill()
    {
        const QByteArray before = "version: 1\nsources:\n  - name: paper # of the company\n    kind: focus\n    path: ";
        tests::writeFile(m_config, QByteArray(before + file("old").toUtf8() + "\n    every: 10m\n").toStdString());
        open();
        m_dialog = std::make_unique<SourceDialog>(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks,
                                                  *m_sync, m_config);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->edit(m_workspace->settings().sources.at(0));
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
        QCOMPARE(shown<QLineEdit>(*m_dialog, QStringLiteral("File or folder"))->text(), file("old"));
        QVERIFY(shown<QLineEdit>(*m_dialog, QStringLiteral("File or folder"))->hasFocus());
        type("File or folder", file("bills").toStdString());
        QSignalSpy saved(&m_dialog->draft().saver(), &ui::ConfigurationSaver::saved);
        m_dialog->draft().save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(written("config.yaml"), before + file("bills").toUtf8() + "\n    every: 10m\n");
        QCOMPARE(m_workspace->settings().sources.at(0).path, file("bills").toStdString());
    }

    // On the cards of both sources, until it is no longer so.
    void cardsTellWhatIsCountedTwice()
    {
        QVERIFY(QDir().mkpath(file("other")));
        tests::writeFile(path("other") / "november.csv",
                         tests::csvText({tests::goodCells({{"BilledCost", "2"}}), tests::goodCells({})}));
        tests::writeFile(m_config,
                         "version: 1\nsources:\n  - { name: paper, kind: focus, path: \"" + path("bills").string()
                             + "\" }\n  - { name: other, kind: focus, path: \"" + path("other").string() + "\" }\n");
        open();
        QVERIFY(m_workspace->sources().sync({}, {}, {}).has_value());
        ui::SourcesViewModel model(m_workspace->config(), m_workspace->sources(), m_workspace->spend(), *m_tasks,
                                   *m_sync, m_config);
        model.setActive(true);
        model.refresh();
        const auto told = [&](std::size_t card) {
            return model.cards().size() == 2 ? model.cards().at(card).twice : QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(told(0).startsWith(QLatin1String("Counted twice: ")), kPatience);
        QVERIFY2(told(0).contains(QLatin1String("by other, ")) && told(0).contains(QLatin1String("by paper.")),
                 qPrintable(told(0)));
        QCOMPARE(told(1), told(0));
        tests::writeFile(path("other") / "november.csv",
                         tests::csvText({tests::goodCells({{"SubAccountId", "another"}})}));
        QVERIFY(m_workspace->sources().sync({}, {}, {}).has_value());
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(told(0).isEmpty() && told(1).isEmpty(), kPatience);
    }

private:
    std::filesystem::path path(const char *name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
    QString file(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    QByteArray written(const char *name) const
    {
        QFile config(file(name));
        return config.open(QIODevice::ReadOnly) ? config.readAll() : QByteArray();
    }
    void open()
    {
        cleanup();
        model::Settings settings;
        if (QFile::exists(file("config.yaml"))) {
            auto read = services::readConfigFile(m_config, m_catalog->kinds());
            QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
            settings = std::move(*read);
        }
        auto workspace = services::Workspace::open(std::move(settings), {path("data"), "UTC", false}, *m_catalog,
                                                   *m_secrets, m_clock);
        QVERIFY2(workspace.has_value(), workspace ? "" : workspace.error().text.c_str());
        m_workspace = std::move(*workspace);
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
    }
    void ask(const QString &kind)
    {
        m_dialog = std::make_unique<SourceDialog>(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks,
                                                  *m_sync, m_config);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
        choices().front()->setCurrentKey(kind);
        QCOMPARE(m_dialog->draft().fields().kind, kind);
    }
    // The visible ones, in their order.
    std::vector<widgets::ChoiceButton *> choices() const
    {
        std::vector<widgets::ChoiceButton *> all;
        for (auto *one : m_dialog->findChildren<widgets::ChoiceButton *>()) {
            if (one->isVisible())
                all.push_back(one);
        }
        return all;
    }
    QString realText(const std::string &text) const
    {
        return text == kBills ? file("bills") : QString::fromStdString(text);
    }
    void type(const std::string &name, const std::string &text)
    {
        auto *line = shown<QLineEdit>(*m_dialog, said(name.c_str()));
        QVERIFY2(line, name.c_str());
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, realText(text));
    }
    void next() { QTest::keyClick(defaultButton(*m_dialog), Qt::Key_Return); }
    // A test of these fields answers, but does not succeed, and says why.
    void fails(ui::SourceDraft &draft, const ui::SourceFields &fields, const char *why)
    {
        draft.setFields(fields);
        QCOMPARE(draft.problem(ui::SourceDraft::Step::Test), QString());
        draft.test();
        const SourceTest &test = draft.tester();
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == State::NotUsable, qPrintable(test.summary()), kPatience);
        QCOMPARE(test.summary(), QStringLiteral("No bill can be read there yet."));
        const auto &checks = test.checks();
        QVERIFY2(std::any_of(checks.begin(), checks.end(),
                             [&](const ui::SourceCheck &one) { return one.text.contains(QLatin1String(why)); }),
                 why);
    }
    // For visual inspection: GPULEDGER_PICTURES names a folder.
    void picture(const QString &name)
    {
        QTRY_VERIFY2(tests::cutTexts(*m_dialog).isEmpty(),
                     qPrintable(name + tests::cutTexts(*m_dialog).join(QLatin1Char('\n'))));
        const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
        QVERIFY(m_dialog->grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
    }

    tests::FaultyServer m_costs, m_deniedCosts, m_azure, m_deniedAzure, m_google, m_deniedGoogle, m_runpod, m_vastai,
        m_lambda;
    std::unique_ptr<ui::Language> m_german;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_config;
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{*base::parseTime("2026-11-21T12:00:00Z")};
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<SourceDialog> m_dialog;
};

GPULEDGER_WINDOW_SUITE(BillDialogTest)

} // namespace tst_billdialog

#include "tst_billdialog.moc"
