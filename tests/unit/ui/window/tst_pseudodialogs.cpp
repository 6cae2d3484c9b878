// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/commandconsent.h"
#include "tests/support/suite.h"
#include "tests/support/window/datawords.h"
#include "tests/support/window/pseudotranslator.h"
#include "tests/support/window/testwindow.h"
#include "tests/support/window/textfit.h"
#include "ui/dialogs/idle/idleruledialog.h"
#include "ui/dialogs/idle/markdialog.h"
#include "ui/dialogs/owners/ownerruledialog.h"
#include "ui/dialogs/proofdialog.h"
#include "ui/dialogs/showback/closemonthdialog.h"
#include "ui/dialogs/showback/decisiondialog.h"
#include "ui/dialogs/showback/presentation.h"
#include "ui/dialogs/showback/sharingdialog.h"
#include "ui/dialogs/showback/splitlensdialog.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/navigation.h"
#include "widgets/inputs/choicebutton.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace tst_pseudodialogs {

using namespace gpuledger;
using tests::TestWindow;
using widgets::ChoiceButton;
using Kind = model::OwnerRule::Kind;
using Compare = ui::OwnerRuleFields::Compare;

namespace {

constexpr int kPatience = 120'000; // ms
// Examples of files, messages of libcurl and SQLite, and a time zone.
const QString kFromOutside =
    QStringLiteral("client pem key http status buildinfo can reached Failed to connect port after ms Couldn server "
                   "ledger working on the cache preparing statement failed no such table sync state SQLite CET eu "
                   "central nowhere kube config main bin true "
                   "kubeconfig");

// The visible ones, in order of creation.
template <typename Widget> std::vector<Widget *> shown(const QWidget &root)
{
    std::vector<Widget *> all;
    for (Widget *widget : root.findChildren<Widget *>()) {
        if (widget->isVisible())
            all.push_back(widget);
    }
    return all;
}

QPushButton *defaultButton(const QWidget &dialog)
{
    for (QPushButton *button : shown<QPushButton>(dialog)) {
        if (button->isDefault())
            return button;
    }
    return nullptr;
}

} // namespace

// Every step of the dialogs, including their errors, and the states of pages that only occur after failures: in a
// language two fifths longer than English no text is truncated and none stays English; and the same from right to left.
class PseudoDialogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        using Mode = widgets::Theme::Mode;
        m_theme.setMode(qEnvironmentVariableIsSet("GPULEDGER_DARK") ? Mode::Dark : Mode::Light);
        m_theme.apply();
        m_world = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::Synced);
        m_data = tests::dataWords(m_world->workspace());
        for (const QString &word : kFromOutside.split(QLatin1Char(' ')))
            m_data.insert(word);
        if (!qEnvironmentVariableIsSet("GPULEDGER_PLAIN")) // otherwise pictures in English
            QVERIFY(QCoreApplication::installTranslator(&m_translator));
    }
    void cleanupTestCase() { m_world.reset(); }
    void cleanup() { QGuiApplication::setLayoutDirection(Qt::LeftToRight); }

    void everyStepOfASource_data() { bothDirections(); }
    void everyStepOfASource()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        ui::SourceDialog dialog(m_theme, context.workspace.config(), context.workspace.sources(), context.tasks,
                                context.sync, context.configFile);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton); // nothing is typed: shows the error
        verify(dialog, QStringLiteral("source-empty"));
        QTest::keyClicks(shown<QLineEdit>(dialog).front(), QStringLiteral("http://127.0.0.1:9"));
        verify(dialog, QStringLiteral("source-address"));
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton);
        ChoiceButton *access = shown<ChoiceButton>(dialog).at(0);
        for (const char *way : {"mtls", "basic", "bearer"}) {
            access->setCurrentKey(QLatin1String(way));
            for (const char *keeper : {"keychain", "env", "file"}) {
                const auto choices = shown<ChoiceButton>(dialog);
                if (choices.size() > 1)
                    choices.at(1)->setCurrentKey(QLatin1String(keeper));
                verify(dialog, QStringLiteral("source-%1-%2").arg(QLatin1String(way), QLatin1String(keeper)));
            }
            QTest::mouseClick(defaultButton(dialog), Qt::LeftButton); // shows what is missing
            verify(dialog, QStringLiteral("source-%1-problem").arg(QLatin1String(way)));
        }
        access->setCurrentKey(QStringLiteral("none"));
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.draft().tester().state() == ui::SourceTest::State::Failed, kPatience);
        verify(dialog, QStringLiteral("source-test-failed"));
    }

    void everyStepOfAPlatform_data() { bothDirections(); }
    void everyStepOfAPlatform()
    {
        mirror();
        qputenv("KUBECONFIG", "/nowhere/config"); // not the kubeconfig of the user who runs the test
        const QTemporaryDir folder;
        const auto consent = connectors::makeCommandConsent(folder.filePath(QStringLiteral("agreed")).toStdString());
        const auto commands = connectors::makeLoginCommands();
        const auto contexts = connectors::makeKubeContexts();
        QFile file(folder.filePath(QStringLiteral("kube")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("current-context: main\nclusters:\n- {name: c, cluster: {server: 'http://127.0.0.1:9'}}\n"
                   "contexts:\n- {name: main, context: {cluster: c, user: u}}\nusers:\n- {name: u, user: {exec: "
                   "{apiVersion: client.authentication.k8s.io/v1, command: /bin/true, interactiveMode: Never}}}\n");
        file.close();
        const ui::WindowContext &context = m_world->context();
        ui::SourceDialog dialog(m_theme, context.workspace.config(), context.workspace.sources(), context.tasks,
                                context.sync, context.configFile, {consent.get(), commands.get(), contexts.get()});
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        ChoiceButton *kind = shown<ChoiceButton>(dialog).front();
        kind->setCurrentKey(QStringLiteral("aws"));
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton); // shows what is missing
        verify(dialog, QStringLiteral("aws-empty"));
        QTest::keyClicks(shown<QLineEdit>(dialog).front(), QStringLiteral("A"));
        verify(dialog, QStringLiteral("aws-wrong"));
        kind->setCurrentKey(QStringLiteral("kubernetes"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.draft().contexts().problem().isEmpty(), kPatience);
        verify(dialog, QStringLiteral("kubernetes-empty"));
        QTest::keyClicks(shown<QLineEdit>(dialog).front(), QStringLiteral("kube"));
        verify(dialog, QStringLiteral("kubernetes-relative"));
        shown<QLineEdit>(dialog).front()->clear();
        QTest::keyClicks(shown<QLineEdit>(dialog).front(), file.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.draft().contexts().names().isEmpty(), kPatience);
        QTest::keyClicks(shown<QLineEdit>(dialog).at(1), QStringLiteral("x"));
        verify(dialog, QStringLiteral("kubernetes-wrong"));
        QTest::keyClick(shown<QLineEdit>(dialog).at(1), Qt::Key_Backspace);
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton);
        verify(dialog, QStringLiteral("rights"));
        QTest::mouseClick(defaultButton(dialog), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.draft().tester().state() == ui::SourceTest::State::NeedsConsent,
                                  qPrintable(dialog.draft().tester().summary()), kPatience);
        verify(dialog, QStringLiteral("consent"));
    }

    void everyStepOfABill_data() { bothDirections(); }
    void everyStepOfABill()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        // The kinds, and what is typed into the first lines.
        const std::vector<std::pair<const char *, std::vector<const char *>>> kinds{
            {"focus", {}},
            {"aws-costs", {"us-east-1"}},
            {"aws-export", {"b", "", "us-east-1"}},
            {"azure", {"00000000-0000-0000-0000-000000000000"}},
            {"azure-costs", {"/subscriptions/1"}},
            {"azure-export", {"companybills", "exports"}},
            {"gcp", {"ml-training"}},
            {"gcp-billing", {"lab-billing", "billing", "gcp_billing_export_v1_01AB23_CD45EF_678901"}},
            {"runpod", {}},
            {"vastai", {}},
            {"lambda", {}},
            {"coreweave", {}},
            {"nebius", {"project-e00lab"}},
            {"infracost", {}},
            {"claims", {}}};
        for (const auto &[kind, typed] : kinds) {
            ui::SourceDialog dialog(m_theme, context.workspace.config(), context.workspace.sources(), context.tasks,
                                    context.sync, context.configFile);
            dialog.setAttribute(Qt::WA_DeleteOnClose, false);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            shown<ChoiceButton>(dialog).front()->setCurrentKey(QLatin1String(kind));
            QTest::mouseClick(defaultButton(dialog), Qt::LeftButton); // shows what is missing
            verify(dialog, QLatin1String(kind) + QStringLiteral("-empty"));
            for (std::size_t i = 0; i < typed.size(); ++i)
                QTest::keyClicks(shown<QLineEdit>(dialog).at(i), QLatin1String(typed[i]));
            if (typed.empty())
                continue;
            QTest::mouseClick(defaultButton(dialog), Qt::LeftButton);
            verify(dialog, QLatin1String(kind) + QStringLiteral("-access"));
        }
    }

    void everyKindOfOwnerRule_data() { bothDirections(); }
    void everyKindOfOwnerRule()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        ui::OwnerRulesViewModel rules(context.workspace.config(), context.workspace.fleet(),
                                      context.workspace.sources(), context.tasks, context.sync, context.configFile);
        rules.setActive(true);
        for (const Kind kind : {Kind::Label, Kind::NamespaceLabel, Kind::Namespace, Kind::NodePool, Kind::CloudTag,
                                Kind::Account, Kind::Default}) {
            for (const Compare compare : {Compare::Any, Compare::Equals, Compare::Prefix, Compare::Regex}) {
                ui::OwnerRuleFields fields;
                fields.kind = kind;
                fields.compare = compare;
                ui::OwnerRuleDialog dialog(m_theme, rules, 0, 0, fields);
                dialog.setAttribute(Qt::WA_DeleteOnClose, false);
                dialog.show();
                QVERIFY(QTest::qWaitForWindowExposed(&dialog));
                const QString name = QStringLiteral("rule-%1-%2").arg(int(kind)).arg(int(compare));
                QTest::mouseClick(defaultButton(dialog), Qt::LeftButton); // shows what is missing
                verify(dialog, name);
                if (!dialog.isVisible())
                    continue; // nothing was missing
                for (QLineEdit *edit : shown<QLineEdit>(dialog))
                    QTest::keyClicks(edit, QStringLiteral("a[z-a]"));
                verify(dialog, name + QStringLiteral("-wrong"));
                dialog.reject();
            }
        }
    }

    void whatARuleClaims_data() { bothDirections(); }
    void whatARuleClaims()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        ui::OwnerRulesViewModel rules(context.workspace.config(), context.workspace.fleet(),
                                      context.workspace.sources(), context.tasks, context.sync, context.configFile);
        rules.setActive(true);
        ui::OwnerRuleFields fields;
        fields.kind = Kind::Namespace;
        fields.compare = Compare::Regex;
        fields.pattern = QStringLiteral(".*");
        fields.team = QStringLiteral("vision");
        ui::OwnerRuleDialog dialog(m_theme, rules, 0, 0, fields);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(rules.isPreviewOfRows() && !rules.isAsking(), kPatience);
        verify(dialog, QStringLiteral("rule-claims"));
        dialog.reject();
    }

    void closingAMonth_data() { bothDirections(); }
    void closingAMonth()
    {
        mirror();
        using Objection = reports::Objection;
        using ObjectionKind = reports::ObjectionKind;
        reports::MonthStatus status;
        status.month = {2026, 10};
        status.isOver = true;
        const QString total = QStringLiteral("945,813.02 USD");
        const auto show = [&](const QString &picture) {
            ui::CloseMonthDialog dialog(m_theme, status, total);
            dialog.setAttribute(Qt::WA_DeleteOnClose, false);
            dialog.show();
            verify(dialog, picture);
            QVERIFY(defaultButton(dialog) != nullptr);
        };
        show(QStringLiteral("close-clean"));
        Objection unexplained;
        unexplained.kind = ObjectionKind::Unexplained;
        unexplained.amount = base::Money(312'400'000'000, base::Currency::usd());
        Objection earlier;
        earlier.kind = ObjectionKind::EarlierOpen;
        earlier.month = {2026, 8};
        earlier.count = 2;
        Objection missing;
        missing.kind = ObjectionKind::NotFetched;
        missing.source = "demo";
        missing.range = {base::parseTime("2026-10-01T00:00:00Z").value(),
                         base::parseTime("2026-10-02T00:00:00Z").value()};
        missing.count = 1;
        Objection twice;
        twice.kind = ObjectionKind::CountedTwice;
        twice.account = "lab-billing";
        twice.count = 3;
        status.objections = {unexplained, earlier, missing, twice};
        show(QStringLiteral("close-objections"));
        Objection running;
        running.kind = ObjectionKind::Running;
        status.objections.insert(status.objections.begin(), running);
        show(QStringLiteral("close-running"));
    }

    void deciding_data() { bothDirections(); }
    void deciding()
    {
        mirror();
        reports::DecisionDraft draft;
        draft.month = {2026, 10};
        draft.team = "demo";
        draft.due = base::dayOf(base::parseTime("2026-11-15").value());
        draft.before.total = draft.before.idle = base::Money(312'400'000'000, base::Currency::usd());
        ui::DecisionDialog dialog(m_theme, draft);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        verify(dialog, QStringLiteral("decision-empty"));
        const auto fields = shown<QLineEdit>(dialog);
        for (QLineEdit *field : fields)
            field->setText(QString(400, QLatin1Char('7'))); // too long
        verify(dialog, QStringLiteral("decision-long"));
    }

    void stoppingLater_data() { bothDirections(); }
    void stoppingLater()
    {
        mirror();
        const base::UtcTime now = base::parseTime("2026-10-04T15:00:00Z").value();
        ui::MarkDialog dialog(m_theme, QStringLiteral("demo"), now, m_world->context().workspace.timeZone());
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        verify(dialog, QStringLiteral("mark"));
    }

    void meeting_data() { bothDirections(); }
    void meeting()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        ui::ShowbackViewModel model(context.workspace.config(), context.workspace.spend(), context.workspace.billing(),
                                    context.tasks);
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(model.state() == ui::PageState::Data, kPatience);
        ui::Presentation slides(m_theme, model, std::nullopt, ui::Presentation::Rights::Decide);
        slides.setAttribute(Qt::WA_DeleteOnClose, false);
        slides.resize(1280, 800);
        slides.show();
        for (int i = 0; i < std::min(2, slides.slideCount()); ++i) {
            slides.showSlide(i);
            verify(slides, QStringLiteral("slide-%1").arg(i));
        }
    }

    void whatIf_data() { bothDirections(); }
    void whatIf()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        const insight::Month month = context.workspace.billing().months()->back().month;
        ui::SplitLensDialog lens(m_theme, context.workspace.spend(), context.tasks, month,
                                 reports::CostView::Effective);
        lens.setAttribute(Qt::WA_DeleteOnClose, false);
        lens.show();
        QTRY_VERIFY_WITH_TIMEOUT(lens.settled(), kPatience);
        verify(lens, QStringLiteral("lens"));
        ui::SharingDialog sharing({m_theme,
                                   context.workspace.config(),
                                   context.workspace.sources(),
                                   context.workspace.billing(),
                                   context.tasks,
                                   context.sync,
                                   {}},
                                  month, reports::CostView::Effective);
        sharing.setAttribute(Qt::WA_DeleteOnClose, false);
        sharing.show();
        const auto boxes = shown<QComboBox>(sharing);
        for (int rule = 0; rule < boxes.front()->count(); ++rule) {
            boxes.front()->setCurrentIndex(rule);
            boxes.back()->setCurrentIndex(rule);
            QTRY_VERIFY_WITH_TIMEOUT(sharing.settled(), kPatience);
            verify(sharing, QStringLiteral("sharing-%1").arg(rule));
        }
    }

    void idleRule_data() { bothDirections(); }
    void idleRule()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        const auto now = std::make_shared<const insight::IdleRule>(context.workspace.fleet().idleRule().value());
        ui::IdleRuleDialog rule({m_theme,
                                 context.workspace.config(),
                                 context.workspace.fleet(),
                                 context.workspace.sources(),
                                 context.tasks,
                                 context.sync,
                                 {},
                                 now});
        rule.setAttribute(Qt::WA_DeleteOnClose, false);
        rule.show();
        QTRY_VERIFY_WITH_TIMEOUT(rule.settled(), kPatience);
        verify(rule, QStringLiteral("idle-rule"));
        shown<QLineEdit>(rule).back()->setText(QStringLiteral("?")); // shows that it can't be read
        QTRY_VERIFY_WITH_TIMEOUT(rule.settled(), kPatience);
        verify(rule, QStringLiteral("idle-rule-unread"));
    }

    // Formulas and tables come from the engine in English; none of them is truncated.
    void explaining_data() { bothDirections(); }
    void explaining()
    {
        mirror();
        const ui::WindowContext &context = m_world->context();
        const auto covered = context.workspace.fleet().coveredRange().value();
        const base::TimeRange range{covered.end - base::kDay, covered.end};
        explain(insight::summaryFigure({range, {}}, insight::Dimension::Team, std::nullopt, "cost.idle"),
                QStringLiteral("rate x idle time"), QStringLiteral("proof"));
        insight::Figure change; // with many inputs with long names
        change.kind = insight::FigureKind::Change;
        change.measure = "price";
        change.range = range;
        change.before = {range.start - base::kDay, range.start};
        explain(change, QStringLiteral("mean effect of the rates"), QStringLiteral("proof-change"));
    }

    void pagesWithoutAnswer_data() { everyPage(); }
    void pagesWithoutAnswer()
    {
        QFETCH(QString, page);
        mirror();
        TestWindow world(m_theme, TestWindow::Fleet::Synced);
        world.open(QStringLiteral("gpuledger://") + page);
        world.breakCache();
        world.refresh();
        verify(world.window(), page + QStringLiteral("-error"));
    }

    void pagesWithNothing_data() { everyPage(); }
    void pagesWithNothing()
    {
        QFETCH(QString, page);
        mirror();
        TestWindow world(m_theme, TestWindow::Fleet::Synced);
        world.open(QStringLiteral("gpuledger://%1?team=vision&not.team=vision").arg(page));
        verify(world.window(), page + QStringLiteral("-empty"));
    }

private:
    void explain(const insight::Figure &figure, const QString &formula, const QString &picture)
    {
        const ui::WindowContext &context = m_world->context();
        ui::ProofDialog dialog(m_theme, context.workspace.config(), context.workspace.proof(), context.tasks, figure,
                               QStringLiteral("demo"));
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.settled(), kPatience);
        QCoreApplication::processEvents();
        const QStringList cut = tests::cutTextsAtRest(dialog);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        QStringList labels;
        for (const QLabel *label : shown<QLabel>(dialog))
            labels << label->text();
        QVERIFY2(labels.join(QLatin1Char(' ')).contains(formula), qPrintable(labels.join(QLatin1Char('|'))));
        if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
            QVERIFY(dialog.grab().save(QDir(folder).filePath(picture + QStringLiteral(".png"))));
    }
    static void bothDirections()
    {
        QTest::addColumn<bool>("mirrored");
        QTest::addRow("left to right") << false;
        QTest::addRow("right to left") << true;
    }
    static void everyPage()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("mirrored");
        for (const ui::PageEntry &page : ui::pages()) {
            QTest::addRow("%s", qPrintable(page.id)) << page.id << false;
            QTest::addRow("%s, mirrored", qPrintable(page.id)) << page.id << true;
        }
    }
    static void mirror()
    {
        QFETCH(bool, mirrored);
        QGuiApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    }

    void verify(QWidget &root, const QString &picture)
    {
        QCoreApplication::processEvents(); // layouts
        int seen = 0;
        const bool plain = qEnvironmentVariableIsSet("GPULEDGER_PLAIN");
        QStringList faults = tests::cutTextsAtRest(root);
        if (!plain)
            faults << tests::untranslatedTexts(root, m_data, seen);
        const bool mirrored = QGuiApplication::layoutDirection() == Qt::RightToLeft;
        if (qEnvironmentVariableIsSet("GPULEDGER_PICTURES"))
            root.grab().save(QStringLiteral("%1/%2%3.png")
                                 .arg(qEnvironmentVariable("GPULEDGER_PICTURES"), picture,
                                      mirrored ? QStringLiteral("-mirrored") : QString()));
        QVERIFY2(faults.isEmpty(), qPrintable(picture + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
        QVERIFY(plain || seen > 0);
    }

    tests::PseudoTranslator m_translator;
    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_world;
    QSet<QString> m_data;
};

GPULEDGER_WINDOW_SUITE(PseudoDialogsTest)

} // namespace tst_pseudodialogs

#include "tst_pseudodialogs.moc"
