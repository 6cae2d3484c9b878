// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/kubernetes/kubetest.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/pages/sources/sourcecardview.h"
#include "ui/pages/sources/sourcespage.h"
#include "widgets/inputs/choicebutton.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_platformdialog {

using namespace gpuledger;
using ui::SourceDialog;
using ui::SourceTest;

namespace {

constexpr int kMostKinds = 20; // that a dialog may offer
constexpr int kPatience = 60000;

QPushButton *button(const QWidget &parent, const QString &text)
{
    for (QPushButton *one : parent.findChildren<QPushButton *>()) {
        if (one->isVisible() && (one->text() == text || one->accessibleName() == text))
            return one;
    }
    return nullptr;
}

template <typename Widget> Widget *named(const QWidget &parent, const QString &name)
{
    const auto all = parent.findChildren<Widget *>();
    const auto one = std::find_if(all.begin(), all.end(), [&](auto *w) { return w->accessibleName() == name; });
    return one == all.end() ? nullptr : *one;
}

bool tells(const QWidget &parent, const QString &text)
{
    const auto labels = parent.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
}

} // namespace

// Platforms in the dialog that adds a source and on the Sources page, by keyboard, over the real engine, a real file
// and the fake API server.
class PlatformDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("KUBECONFIG", "/nowhere/config"); // not the kubeconfig of the user who runs the test
        m_theme.setMode(qEnvironmentVariableIsSet("GPULEDGER_DARK") ? widgets::Theme::Mode::Dark
                                                                    : widgets::Theme::Mode::Light);
        m_theme.apply();
        QVERIFY(m_server.start());
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_server.steer("reset");
        m_server.flag("tokens", {"kube-canary-4711"});
        m_consent = connectors::makeCommandConsent(path("agreed"));
        m_secrets = connectors::makeSecretStore(m_consent.get());
        tests::writeFile(file("kube"), tests::kubeconfig(m_server.url()));
    }
    void cleanup()
    {
        // One may be a child of another, and be deleted with it.
        QList<QPointer<QDialog>> dialogs;
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *dialog = qobject_cast<QDialog *>(widget))
                dialogs.append(dialog);
        }
        for (const QPointer<QDialog> &dialog : dialogs)
            delete dialog.data();
        m_page.reset();
        if (m_sync) {
            m_sync->cancel();
            QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
        }
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void addsAClusterByKeys()
    {
        open({});
        SourceDialog *dialog = ask("Kubernetes (stop and bring back)");
        QVERIFY(!named<QLineEdit>(*dialog, QStringLiteral("Address"))->isVisible());
        QVERIFY(!named<QLineEdit>(*dialog, QStringLiteral("Region"))->isVisible());
        auto *kubeconfig = named<QLineEdit>(*dialog, QStringLiteral("Kubeconfig"));
        QCOMPARE(kubeconfig->placeholderText(), QStringLiteral("/nowhere/config"));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("There is no kubeconfig in the usual place")));
        press(Qt::Key_Tab);
        QVERIFY(kubeconfig->hasFocus());
        type(file("none"));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("There is no such file")));
        QTRY_COMPARE(kubeconfig->accessibleDescription(), QStringLiteral("There is no such file"));
        kubeconfig->selectAll();
        type(file("kube"));
        auto *context = named<QLineEdit>(*dialog, QStringLiteral("Context"));
        auto *choose = named<QPushButton>(*dialog, QStringLiteral("Choose a context"));
        QTRY_VERIFY(choose->isEnabled());
        QVERIFY(!tells(*dialog, QStringLiteral("There is no such file")));
        QCOMPARE(context->placeholderText(), QStringLiteral("main, the current one"));
        press(Qt::Key_Tab);
        QVERIFY(button(*dialog, QStringLiteral("Choose a kubeconfig"))->hasFocus());
        press(Qt::Key_Tab);
        QVERIFY(context->hasFocus());
        type(QStringLiteral("other"));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("The file has no context with this name")));
        picture(*dialog, "kubernetes-problem");
        press(Qt::Key_Tab);
        QVERIFY(choose->hasFocus());
        press(Qt::Key_Space);
        auto *menu = choose->findChild<QMenu *>();
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QCOMPARE(context->text(), QStringLiteral("main"));
        dialog->activateWindow(); // the menu was active
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QTRY_VERIFY(choose->hasFocus());
        QVERIFY(!tells(*dialog, QStringLiteral("The file has no context with this name")));
        press(Qt::Key_Tab);
        auto *name = named<QLineEdit>(*dialog, QStringLiteral("Name"));
        QVERIFY(name->hasFocus());
        QCOMPARE(name->text(), QStringLiteral("main")); // the name of the context
        type(QStringLiteral("prod"));
        press(Qt::Key_Tab);
        type(QStringLiteral("prod-eu"));
        picture(*dialog, "kubernetes");
        everyControlIsNamed(*dialog);
        press(Qt::Key_Return);
        auto *mayStop = dialog->findChild<QCheckBox *>();
        QVERIFY(mayStop->hasFocus());
        QVERIFY(!mayStop->isChecked()); // only on request
        QVERIFY(!mayStop->accessibleDescription().isEmpty());
        press(Qt::Key_Space);
        picture(*dialog, "rights");
        press(Qt::Key_Return);
        SourceTest &test = dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::Usable, qPrintable(test.summary()), kPatience);
        QTRY_VERIFY(tells(*dialog, QStringLiteral("may patch deployments")));
        QVERIFY(!tells(*dialog, QStringLiteral("does not allow stopping")));
        picture(*dialog, "kubernetes-test");
        QSignalSpy saved(&dialog->draft().saver(), &ui::ConfigurationSaver::saved);
        press(Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(written(),
                 "version: 1\nsources:\n  - name: prod\n    kind: kubernetes\n    cluster: prod-eu\n"
                 "    rights: [read, stop]\n    kubeconfig: "
                     + file("kube").toUtf8() + "\n    context: main\n");
        QVERIFY(m_server.requests("PATCH").empty() && m_server.requests("DELETE").empty());
    }

    // Also after another kind was selected: rows appear and disappear.
    void everyRowHasItsRoom()
    {
        open({});
        SourceDialog *dialog = ask("AWS (EC2, SageMaker)");
        const auto pressToTheEnd = [&](Qt::Key key) {
            for (int i = 0; i < kMostKinds; ++i) {
                press(key);
                verifyRoom(*dialog);
            }
        };
        pressToTheEnd(Qt::Key_Up);
        pressToTheEnd(Qt::Key_Down);
        QVERIFY(named<QLineEdit>(*dialog, QStringLiteral("Kubeconfig"))->isVisible());
        pressToTheEnd(Qt::Key_Up); // Prometheus
        named<QLineEdit>(*dialog, QStringLiteral("Address"))->setFocus();
        type(QStringLiteral("http://127.0.0.1:9"));
        press(Qt::Key_Return);
        for (const char *access : {"mtls", "bearer", "basic", "mtls", "basic", "none", "bearer"}) {
            shownChoice(*dialog)->setCurrentKey(QLatin1String(access));
            verifyRoom(*dialog);
        }
    }

    void namesEachRightThatIsMissing()
    {
        open({});
        m_server.flag("denied",
                      {"patch deployments.apps", "patch statefulsets.apps", "patch deployments/scale.apps",
                       "patch statefulsets/scale.apps", "patch jobs.batch", "delete pods", "create pods"});
        SourceDialog *dialog = ask("Kubernetes (stop and bring back)");
        press(Qt::Key_Tab);
        type(file("kube"));
        press(Qt::Key_Return);
        press(Qt::Key_Space); // allow stopping
        press(Qt::Key_Return);
        SourceTest &test = dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::NotUsable, qPrintable(test.summary()), kPatience);
        QTRY_VERIFY(tells(*dialog, QStringLiteral("may not patch deployments")));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("nothing can be stopped with these rights")));
        QVERIFY(!tells(*dialog, QStringLiteral("GPU activity")));
        picture(*dialog, "kubernetes-missing");
    }

    void runsALoginProgramOnlyAfterConsent()
    {
        tests::writeFile(file("login"),
                         "#!/bin/sh\necho x >> \"$0.runs\"\nprintf '{\"kind\":\"ExecCredential\",\"apiVersion\":"
                         "\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"kube-canary-4711\"}}'\n");
        std::filesystem::permissions(path("login"), std::filesystem::perms::owner_all);
        tests::writeFile(
            file("kube"),
            tests::kubeconfig(m_server.url(),
                              "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: "
                              "[get-token, \"<b>of it</b>\"], interactiveMode: Never}}"));
        open({});
        SourceDialog *dialog = ask("Kubernetes (stop and bring back)");
        press(Qt::Key_Tab);
        type(file("kube"));
        press(Qt::Key_Return);
        press(Qt::Key_Return);
        SourceTest &test = dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::NeedsConsent, qPrintable(test.summary()),
                                  kPatience);
        auto *commands = named<QPlainTextEdit>(*dialog, QStringLiteral("Command that would run to log in"));
        QVERIFY(commands->isVisible());
        const QString shown = commands->toPlainText();
        QVERIFY2(shown.contains(file("login")) && shown.contains(QLatin1String("\"get-token\""))
                     && shown.contains(QLatin1String("\"<b>of it</b>\"")),
                 qPrintable(shown));
        QPushButton *agree = button(*dialog, QStringLiteral("Agree to run this command"));
        QVERIFY(agree && !agree->isDefault() && !agree->autoDefault());
        everyControlIsNamed(*dialog);
        picture(*dialog, "consent");
        // A new test asks for consent again; nothing ran, no server was contacted, no consent was stored.
        QTest::mouseClick(button(*dialog, QStringLiteral("Test again")), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::NeedsConsent, qPrintable(test.summary()),
                                  kPatience);
        QVERIFY(!QFile::exists(file("login.runs")) && !QFile::exists(file("agreed")));
        QVERIFY(m_server.requests().empty());
        tabTo(*dialog, agree);
        QVERIFY(agree->hasFocus());
        press(Qt::Key_Space);
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::Usable, qPrintable(test.summary()), kPatience);
        QVERIFY(!agree->isVisible());
        QTRY_VERIFY(tells(*dialog, QStringLiteral("does not allow stopping"))); // it was not ticked
        QVERIFY(QFile::exists(file("login.runs")) && QFile::exists(file("agreed")));
        // Another program with the same name: there is no consent for it.
        QFile::remove(file("login.runs"));
        tests::writeFile(file("login"), "#!/bin/sh\necho y >> \"$0.runs\"\n");
        QTest::mouseClick(button(*dialog, QStringLiteral("Test again")), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::NeedsConsent, qPrintable(test.summary()),
                                  kPatience);
        QCOMPARE(agree->accessibleDescription(), QStringLiteral("It has changed since you agreed to it"));
        QVERIFY(!QFile::exists(file("login.runs")));
    }

    void aCardAsksForConsentToo()
    {
        tests::writeFile(file("login"), "#!/bin/sh\necho x >> \"$0.runs\"\n");
        std::filesystem::permissions(path("login"), std::filesystem::perms::owner_all);
        tests::writeFile(file("kube"),
                         tests::kubeconfig(m_server.url(),
                                           "{exec: {apiVersion: client.authentication.k8s.io/v1, command: "
                                           "./login, interactiveMode: Never}}"));
        open("version: 1\nsources:\n  - { name: prod, kind: kubernetes, kubeconfig: \"" + file("kube").toUtf8()
             + "\" }\n");
        showPage();
        QTest::mouseClick(button(*m_page, QStringLiteral("Test prod")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(button(*m_page, QStringLiteral("Agree to run this command")), kPatience);
        QTRY_VERIFY(tells(*m_page, QStringLiteral("Needs consent")));
        QVERIFY(!tells(*m_page, QStringLiteral("just now"))); // nothing was tested yet
        QVERIFY(!QFile::exists(file("login.runs")));
        picture(*m_page, "card-consent");
        QTest::mouseClick(button(*m_page, QStringLiteral("Agree to run this command")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(tells(*m_page, QStringLiteral("Not usable")), kPatience); // it prints no credential
        QVERIFY(QFile::exists(file("login.runs")));
        QVERIFY(!button(*m_page, QStringLiteral("Agree to run this command")));
    }

    void writesRegionAndProfileOfAws()
    {
        open({});
        SourceDialog *dialog = ask("AWS (EC2, SageMaker)");
        QVERIFY(!named<QLineEdit>(*dialog, QStringLiteral("Kubeconfig"))->isVisible());
        QVERIFY(!named<QLineEdit>(*dialog, QStringLiteral("Context"))->isVisible());
        press(Qt::Key_Return); // nothing is typed yet
        QTRY_VERIFY(tells(*dialog, QStringLiteral("The region is missing, for example eu-central-1")));
        press(Qt::Key_Tab);
        auto *region = named<QLineEdit>(*dialog, QStringLiteral("Region"));
        QVERIFY(region->hasFocus());
        type(QStringLiteral("Frankfurt"));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("A region looks like eu-central-1")));
        picture(*dialog, "aws-problem");
        press(Qt::Key_Return);
        QVERIFY(region->isVisible());
        region->selectAll();
        type(QStringLiteral("us-east-1"));
        QVERIFY(!tells(*dialog, QStringLiteral("A region looks like")));
        press(Qt::Key_Tab);
        type(QStringLiteral("gpu team"));
        press(Qt::Key_Tab);
        QCOMPARE(named<QLineEdit>(*dialog, QStringLiteral("Name"))->text(), QStringLiteral("aws"));
        picture(*dialog, "aws");
        everyControlIsNamed(*dialog);
        QSignalSpy saved(&dialog->draft().saver(), &ui::ConfigurationSaver::saved);
        dialog->draft().save(); // tests never contact AWS itself
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(written(),
                 QByteArray("version: 1\nsources:\n  - name: aws\n    kind: aws\n"
                            "    auth: { type: sigv4, profile: \"gpu team\", region: us-east-1 }\n"));
    }

    void tellsAtOnceThatANameIsTaken()
    {
        open("version: 1\nsources:\n  - { name: prod, kind: aws, auth: { type: sigv4, region: us-east-1 } }\n");
        SourceDialog *dialog = ask("AWS (EC2, SageMaker)");
        auto *name = named<QLineEdit>(*dialog, QStringLiteral("Name"));
        name->setFocus();
        name->selectAll();
        type(QStringLiteral("prod"));
        QTRY_VERIFY(tells(*dialog, QStringLiteral("A source with this name already exists")));
        QCOMPARE(name->accessibleDescription(), QStringLiteral("A source with this name already exists"));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void editsAPlatformAndWritesOnlyThat()
    {
        const QByteArray before = "version: 1\nsources:\n  - name: prod # ours\n    kind: kubernetes\n    kubeconfig: "
            + file("kube").toUtf8()
            + "\n    rights: [read, stop] # agreed with operations\n    every: 10m\n"
              "  - { name: cloud, kind: aws, auth: { type: sigv4, profile: ml, region: us-east-1 } } # theirs\n";
        open(before);
        showPage();
        QTest::mouseClick(button(*m_page, QStringLiteral("Edit prod")), Qt::LeftButton);
        auto *dialog = shownDialog();
        QCOMPARE(named<QLineEdit>(*dialog, QStringLiteral("Kubeconfig"))->text(), file("kube"));
        QTRY_VERIFY2(named<QLineEdit>(*dialog, QStringLiteral("Kubeconfig"))->hasFocus(),
                     dialog->focusWidget()
                         ? qPrintable(dialog->focusWidget()->accessibleName()
                                      + QLatin1String(dialog->focusWidget()->metaObject()->className()))
                         : "nobody");
        QVERIFY(!named<QLineEdit>(*dialog, QStringLiteral("Name"))->isEnabled());
        named<QLineEdit>(*dialog, QStringLiteral("Context"))->setFocus();
        type(QStringLiteral("main"));
        press(Qt::Key_Return);
        QVERIFY(dialog->findChild<QCheckBox *>()->isChecked());
        press(Qt::Key_Space);
        press(Qt::Key_Return);
        SourceTest &test = dialog->draft().tester();
        QTRY_VERIFY2_WITH_TIMEOUT(test.state() == SourceTest::State::Usable, qPrintable(test.summary()), kPatience);
        QSignalSpy saved(&dialog->draft().saver(), &ui::ConfigurationSaver::saved);
        press(Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QByteArray after = before;
        after.replace("[read, stop] #", "[read] #").replace("    every: 10m\n", "    every: 10m\n    context: main\n");
        QCOMPARE(written(), after);
        QVERIFY(!m_workspace->settings().sources[0].mayStop);
    }

    void editsARegionWhereItStands()
    {
        const QByteArray before =
            "version: 1\nsources:\n"
            "  - { name: cloud, kind: aws, auth: { type: sigv4, profile: ml, region: us-east-1 } }\n";
        open(before);
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config, logins());
        draft.edit(m_workspace->settings().sources[0]);
        ui::SourceFields fields = draft.fields();
        QCOMPARE(fields.region, QStringLiteral("us-east-1"));
        QCOMPARE(fields.profile, QStringLiteral("ml"));
        fields.region = QStringLiteral("eu-west-1");
        fields.profile.clear();
        fields.mayStop = true;
        draft.setFields(fields);
        QCOMPARE(draft.problem(ui::SourceDraft::Step::Test), QString());
        QSignalSpy saved(&draft.saver(), &ui::ConfigurationSaver::saved);
        draft.save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        const auto &source = m_workspace->settings().sources[0];
        QCOMPARE(source.auth.region, std::string("eu-west-1"));
        QVERIFY(source.auth.profile.empty() && source.mayStop);
        QVERIFY2(written().contains("rights: [read, stop]"), written().constData());
    }

    void aCardTellsOfThePlatformAndItsTest()
    {
        open("version: 1\nsources:\n  - { name: prod, kind: kubernetes, cluster: eu, kubeconfig: \""
             + file("kube").toUtf8()
             + "\", context: main, rights: [read, stop] }\n"
               "  - { name: cloud, kind: aws, machines: none, auth: { type: sigv4, region: us-east-1 } }\n");
        showPage();
        QCOMPARE(m_page->findChildren<ui::SourceCardView *>().size(), 2);
        QTRY_VERIFY(tells(*m_page, QStringLiteral("Not tested yet")));
        for (const char *fact : {"eu", "main", "us-east-1", "Read and stop", "Read only", "Last test"})
            QTRY_VERIFY2(tells(*m_page, QLatin1String(fact)), fact);
        for (const char *fact : {"Lag", "Covers", "Seen", "Last sync", "Up to date"})
            QVERIFY2(!tells(*m_page, QLatin1String(fact)), fact);
        QVERIFY(button(*m_page, QStringLiteral("Sync prod now")) == nullptr);
        QVERIFY(button(*m_page, QStringLiteral("Edit cloud")) != nullptr);
        QTest::mouseClick(button(*m_page, QStringLiteral("Test prod")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(tells(*m_page, QStringLiteral("just now")), kPatience);
        QTRY_VERIFY(tells(*m_page, QStringLiteral("may patch deployments")));
        QTRY_VERIFY(m_page->settled());
        picture(*m_page, "cards");
    }

    void aCloudAsksForTheRightToStop_data()
    {
        QTest::addColumn<QString>("use");
        for (const char *use : {"Google Cloud (machines, prices)", "Azure (machines, prices)"})
            QTest::newRow(use) << QString::fromLatin1(use);
    }
    void aCloudAsksForTheRightToStop()
    {
        QFETCH(QString, use);
        const bool isAzure = use.startsWith(QLatin1Char('A'));
        open({});
        SourceDialog *dialog = ask(use.toLatin1());
        QVERIFY(tells(*dialog, QStringLiteral("All machines with GPUs are listed")));
        for (const char *field : {"Cluster", isAzure ? "Subscription" : "Project"}) {
            named<QLineEdit>(*dialog, QLatin1String(field))->setFocus();
            type(QStringLiteral("00000000-0000-0000-0000-000000000000"));
        }
        picture(*dialog, isAzure ? "azure" : "gcp");
        press(Qt::Key_Return);
        QTRY_VERIFY(tells(*dialog, QStringLiteral("2 of 3")));
        const auto all = dialog->findChildren<QCheckBox *>();
        QVERIFY(std::any_of(all.begin(), all.end(), [](auto *one) { return one->isVisible(); }));
        picture(*dialog, isAzure ? "azure-access" : "gcp-access");
    }

    void aPlatformThatListsMachinesIsSynced()
    {
        open("version: 1\nsources:\n  - { name: cloud, kind: aws, auth: { type: sigv4, region: us-east-1 } }\n"
             "  - { name: sky, kind: azure, subscription: 00000000-0000-0000-0000-000000000000 }\n");
        showPage();
        for (const char *fact : {"Not synced yet", "Last sync", "us-east-1", "Read only", "Subscription", "00000000-0"})
            QTRY_VERIFY2(tells(*m_page, QLatin1String(fact)), fact);
        for (const char *fact : {"Last test", "Machines with GPUs", "Lag", "Covers", "Kubeconfig"})
            QVERIFY2(!tells(*m_page, QLatin1String(fact)), fact);
        QVERIFY(button(*m_page, QStringLiteral("Sync cloud now")) != nullptr);
    }

private:
    std::filesystem::path path(const char *name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
    QString file(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    ui::LoginPorts logins() const { return {m_consent.get(), m_logins.get(), m_contexts.get()}; }
    void open(const QByteArray &config)
    {
        m_config = path("config.yaml");
        if (!config.isEmpty())
            tests::writeFile(file("config.yaml"), config.toStdString());
        model::Settings settings;
        if (!config.isEmpty()) {
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
    // A dialog after its kind was chosen by keyboard.
    SourceDialog *ask(const char *kind)
    {
        auto *dialog = new SourceDialog(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync,
                                        m_config, logins());
        dialog->open();
        if (!QTest::qWaitForWindowActive(dialog))
            return dialog;
        widgets::ChoiceButton *choice = shownChoice(*dialog);
        choice->setFocus();
        for (int i = 0; i < kMostKinds && choice->text() != QLatin1String(kind); ++i)
            press(Qt::Key_Down);
        if (choice->text() != QLatin1String(kind))
            QTest::qFail(qPrintable(QStringLiteral("not offered, but %1").arg(choice->text())), __FILE__, __LINE__);
        return dialog;
    }
    static widgets::ChoiceButton *shownChoice(const SourceDialog &dialog)
    {
        for (auto *one : dialog.findChildren<widgets::ChoiceButton *>()) {
            if (one->isVisible())
                return one;
        }
        return nullptr;
    }
    void showPage()
    {
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("sources"), {}, {}});
        ui::WindowContext context{*m_workspace, *m_tasks, *m_sync, m_theme, m_config};
        context.logins = logins();
        m_page = std::make_unique<ui::SourcesPage>(ui::PageContext{context, *m_navigator});
        m_page->resize(1200, 1200);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
    }
    SourceDialog *shownDialog() const
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *dialog = qobject_cast<SourceDialog *>(widget); dialog && dialog->isVisible())
                return QTest::qWaitForWindowActive(dialog) ? dialog : nullptr;
        }
        return nullptr;
    }
    static void press(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }
    static void type(const QString &text) { QTest::keyClicks(QApplication::focusWidget(), text); }
    static void tabTo(const QWidget &dialog, const QWidget *wanted)
    {
        for (int i = 0; i < 30 && !wanted->hasFocus(); ++i)
            QTest::keyClick(dialog.focusWidget() ? dialog.focusWidget() : const_cast<QWidget *>(&dialog), Qt::Key_Tab);
    }
    static void verifyRoom(const QWidget &dialog)
    {
        const auto squashed = [&]() -> QString {
            for (const QWidget *widget : dialog.findChildren<QWidget *>()) {
                const bool isControl = widget->focusPolicy() & Qt::TabFocus || qobject_cast<const QLabel *>(widget);
                if (isControl && widget->isVisible() && widget->height() < widget->minimumSizeHint().height())
                    return QLatin1String(widget->metaObject()->className()) + widget->accessibleName();
            }
            return {};
        };
        QTRY_COMPARE(squashed(), QString());
    }
    static void everyControlIsNamed(const QWidget &dialog)
    {
        verifyRoom(dialog);
        for (QWidget *widget : dialog.findChildren<QWidget *>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            QAccessibleInterface *one = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(one && !one->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
        }
        for (const QLabel *label : dialog.findChildren<QLabel *>()) {
            if (label->isVisible() && label->wordWrap())
                QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        }
    }
    // For visual inspection: GPULEDGER_PICTURES names a folder.
    static void picture(QWidget &root, const char *name)
    {
        const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
        QVERIFY(root.grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name))));
    }
    QByteArray written() const
    {
        QFile config(QString::fromStdString(m_config.string()));
        return config.open(QIODevice::ReadOnly) ? config.readAll() : QByteArray();
    }

    tests::KubeServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_config;
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::LoginCommands> m_logins = connectors::makeLoginCommands();
    std::unique_ptr<ports::KubeContexts> m_contexts = connectors::makeKubeContexts();
    std::unique_ptr<ports::CommandConsent> m_consent;
    std::unique_ptr<ports::SecretStore> m_secrets;
    base::FrozenClock m_clock{*base::parseTime("2026-11-21T12:00:00Z")};
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<ui::SourcesPage> m_page;
};

GPULEDGER_WINDOW_SUITE(PlatformDialogTest)

} // namespace tst_platformdialog

#include "tst_platformdialog.moc"
