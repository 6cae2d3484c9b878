// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/dialogs/owners/ownerruledialog.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/pages/overview/coveragebar.h"
#include "ui/pages/owners/ownerrulescard.h"
#include "ui/pages/sources/sourcecardview.h"
#include "ui/pages/sources/sourcespage.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace tst_sourcespage {

using namespace gpuledger;
using ui::OwnerRuleDialog;
using ui::OwnerRulesCard;
using ui::SourceDialog;
using ui::SourcesPage;
using widgets::DataTable;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 120000;

const char kConfig[] = "version: 1\n"
                       "sources:\n"
                       "  - { name: \"<b>small</b>\", kind: demo, gpus: 56, days: 2, first_sync: 2d } # toy\n"
                       "  - name: prod # never reached\n"
                       "    kind: prometheus\n"
                       "    url: http://127.0.0.1:9\n"
                       "    auth: { type: bearer, token: env:PROM_TOKEN }\n"
                       "    every: 10m\n"
                       "owners: # in order\n"
                       "  - { label: team }\n"
                       "  - { namespace: \"<img src=x>\", team: \"<i>t</i>\" }\n";

QPushButton *button(const QWidget &parent, const QString &name)
{
    for (QPushButton *one : parent.findChildren<QPushButton *>()) {
        if (one->isVisible() && (one->text() == name || one->accessibleName() == name))
            return one;
    }
    return nullptr;
}

DataTable *table(const QWidget &parent, const QString &name)
{
    for (DataTable *one : parent.findChildren<DataTable *>()) {
        if (one->view()->accessibleName() == name)
            return one;
    }
    return nullptr;
}

template <typename Dialog> Dialog *dialog()
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *one = qobject_cast<Dialog *>(widget);
        if (one && one->isVisible())
            return one;
    }
    return nullptr;
}

} // namespace

// The Sources page in a window, over the real engine and a real file.
class SourcesPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        open(kConfig);
        QVERIFY(m_workspace->sources().sync(std::string("<b>small</b>"), {}, {}).has_value());
    }
    void init() { open(kConfig); }
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

    void saysFirstRunWithoutSources()
    {
        cleanup();
        open("version: 1\nsources: []\n");
        m_page->show();
        QTRY_COMPARE_WITH_TIMEOUT(m_page->findChild<StatePanel *>()->state(), StatePanel::State::FirstRun, kPatience);
        QVERIFY(!rules().isVisible());
    }

    void loadsBehindASkeletonOnlyWhenShown()
    {
        QTest::qWait(50);
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Loading);
        QVERIFY(!m_page->settled());
        show();
        QCOMPARE(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Data);
        QCOMPARE(rulesPanel().state(), StatePanel::State::Data);
        QCOMPARE(m_page->findChildren<ui::SourceCardView *>().size(), 2);
        QCOMPARE(m_page->findChild<ui::CoverageBar *>()->parts().size(), std::size_t{3});
    }

    void saysWhereNothingWasReadYet()
    {
        cleanup();
        const QTemporaryDir other;
        open(kConfig, other.path());
        m_page->show();
        QTRY_COMPARE_WITH_TIMEOUT(rulesPanel().state(), StatePanel::State::Empty, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->findChild<StatePanel *>()->state(), StatePanel::State::Data, kPatience);
        cleanup();
    }

    void keepsWhatIsShownWhenTheEngineRefuses()
    {
        ui::OwnerRulesViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->sources(), *m_tasks,
                                      *m_sync, m_config);
        OwnerRulesCard card(m_theme, model);
        auto *panel = card.findChild<StatePanel *>();
        QCOMPARE(panel->state(), StatePanel::State::Loading);
        card.show();
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Data, kPatience);
        model::OwnerRule bad;
        bad.kind = model::OwnerRule::Kind::Label;
        bad.key = "team";
        bad.match = model::OwnerRule::Match::Regex;
        bad.pattern = "(";
        model.insert(0, bad);
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Error, kPatience);
        QVERIFY(panel->isContentShown()); // outdated, and marked as such
        QVERIFY(card.settled());
        model.discard();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Data, kPatience);
    }

    void rulesKeepTheirOrderWhenATitleIsClicked()
    {
        show();
        DataTable *list = table(*m_page, QStringLiteral("Owner rules in their order"));
        const QString first = ruleAt(0);
        QHeaderView *header = list->view()->header();
        for (int click = 0; click < 2; ++click)
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              QPoint(header->sectionViewportPosition(1) + 10, header->height() / 2));
        QCOMPARE(list->model().sortColumn(), -1);
        QCOMPARE(ruleAt(0), first);
    }

    // "Connect your own…" of the demo opens the page with this place.
    void aPlaceOpensTheDialogThatAddsASource()
    {
        show();
        QSignalSpy moved(m_page.get(), &ui::Page::placeChanged);
        QUrlQuery place;
        place.addQueryItem(QStringLiteral("add"), QStringLiteral("1"));
        m_page->restore(place);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<SourceDialog>(), kPatience);
        QCOMPARE(moved.size(), 1);
        QVERIFY(m_page->place().isEmpty()); // so that it does not open again
        m_page->restore({});
        QTest::qWait(50);
        QCOMPARE(moved.size(), 1);
    }

    void thePaletteMovesToTheRules()
    {
        show();
        QVERIFY(!m_page->perform(ui::PageAction::Present));
        QVERIFY(m_page->perform(ui::PageAction::OwnerRules));
        QVERIFY(table(*m_page, QStringLiteral("Owner rules in their order"))->view()->hasFocus());
    }

    void editsRulesByKeysAlone()
    {
        show();
        DataTable *list = table(*m_page, QStringLiteral("Owner rules in their order"));
        QVERIFY(list != nullptr);
        QCOMPARE(list->model().totalRows(), 3);
        list->view()->setFocus();
        list->view()->setCurrentIndex(list->model().index(0, 0));
        QTest::keyClick(list->view(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(ruleAt(1), QStringLiteral("Label team"));
        QVERIFY(button(*m_page, QStringLiteral("Save rules")) != nullptr);
        QTest::keyClick(list->view(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(ruleAt(0), QStringLiteral("Label team"));
        QVERIFY(button(*m_page, QStringLiteral("Save rules")) == nullptr); // unchanged
        QTest::keyClick(list->view(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<OwnerRuleDialog>(), kPatience);
        auto *edit = named<QLineEdit>(*dialog<OwnerRuleDialog>(), QStringLiteral("Name of the label"));
        QVERIFY(edit != nullptr);
        QCOMPARE(edit->text(), QStringLiteral("team"));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClick(edit, Qt::Key_Return); // nothing is typed
        QVERIFY(dialog<OwnerRuleDialog>() != nullptr);
        QVERIFY(shows(*dialog<OwnerRuleDialog>(), QStringLiteral("Name the label, for example team")));
        QTest::keyClicks(edit, QStringLiteral("squad"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog<OwnerRuleDialog>(), kPatience);
        QCOMPARE(ruleAt(0), QStringLiteral("Label squad"));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QVERIFY(table(*m_page, QStringLiteral("What changes for each team"))->isVisible());
        QVERIFY(table(*m_page, QStringLiteral("Unowned workloads"))->model().totalRows() > 0);
        // The label found in the data is offered.
        QTRY_VERIFY_WITH_TIMEOUT(button(*m_page, QStringLiteral("Add a rule for Label team")) != nullptr, kPatience);
        m_page->activateWindow(); // the dialog was active
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        list->view()->setFocus();
        list->setCurrentRow(list->model().index(0, 0).data(widgets::kRowIdRole).toString());
        QTest::keyClick(list->view(), Qt::Key_Delete);
        QCOMPARE(list->model().totalRows(), 2);
        QTest::mouseClick(button(*m_page, QStringLiteral("Discard changes")), Qt::LeftButton);
        QCOMPARE(list->model().totalRows(), 3);
        QCOMPARE(read(), QByteArray(kConfig));
    }

    void cancelPutsTheRulesBack()
    {
        show();
        QTest::mouseClick(button(*m_page, QStringLiteral("Add rule…")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<OwnerRuleDialog>(), kPatience);
        auto *edit = named<QLineEdit>(*dialog<OwnerRuleDialog>(), QStringLiteral("Name of the label"));
        QTest::keyClicks(edit, QStringLiteral("x"));
        DataTable *list = table(*m_page, QStringLiteral("Owner rules in their order"));
        QCOMPARE(list->model().totalRows(), 4); // updated while it is typed
        auto *choice = dialog<OwnerRuleDialog>()->findChildren<widgets::ChoiceButton *>().last();
        choice->setCurrentKey(QString::number(static_cast<int>(ui::OwnerRuleFields::Compare::Regex)));
        auto *value = named<QLineEdit>(*dialog<OwnerRuleDialog>(), QStringLiteral("Value"));
        QTest::keyClicks(value, QStringLiteral("a[z-a]"));
        QVERIFY2(value->accessibleDescription().contains(QLatin1String("at character 3")),
                 qPrintable(value->accessibleDescription()));
        QVERIFY(shows(*dialog<OwnerRuleDialog>(), value->accessibleDescription()));
        QTest::keyClick(dialog<OwnerRuleDialog>(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog<OwnerRuleDialog>(), kPatience);
        QCOMPARE(list->model().totalRows(), 3);
        QVERIFY(button(*m_page, QStringLiteral("Save rules")) == nullptr);
    }

    void savesAndOffersUndo()
    {
        show();
        std::vector<ui::PageNotice> notices;
        connect(m_page.get(), &ui::Page::noticeWanted, this, [&](const ui::PageNotice &n) { notices.push_back(n); });
        DataTable *list = table(*m_page, QStringLiteral("Owner rules in their order"));
        list->view()->setCurrentIndex(list->model().index(1, 0));
        QTest::mouseClick(button(*m_page, QStringLiteral("Delete rule")), Qt::LeftButton);
        QTest::mouseClick(button(*m_page, QStringLiteral("Save rules")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(notices.size(), std::size_t{1}, kPatience);
        QVERIFY(!notices[0].isWarning);
        QCOMPARE(read().count("<img"), 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        notices[0].run();
        QTRY_COMPARE_WITH_TIMEOUT(read(), QByteArray(kConfig), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(list->model().totalRows(), 3, kPatience);
    }

    void editsASourceAndWritesOnlyThat()
    {
        show();
        QTest::mouseClick(button(*m_page, QStringLiteral("Edit prod")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<SourceDialog>(), kPatience);
        auto *edit = dialog<SourceDialog>();
        auto *address = named<QLineEdit>(*edit, QStringLiteral("Address"));
        QCOMPARE(address->text(), QStringLiteral("http://127.0.0.1:9"));
        QVERIFY(!named<QLineEdit>(*edit, QStringLiteral("Name"))->isEnabled());
        QCOMPARE(named<QLineEdit>(*edit, QStringLiteral("Where the credential is"))->text(),
                 QStringLiteral("PROM_TOKEN")); // its location, never its value
        address->setFocus();
        address->selectAll();
        QTest::keyClicks(address, QStringLiteral("http://127.0.0.1:19"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTest::keyClick(edit, Qt::Key_Return);
        auto &test = edit->draft().tester();
        QTRY_VERIFY_WITH_TIMEOUT(test.state() == ui::SourceTest::State::Failed, kPatience);
        QSignalSpy saved(&edit->draft().saver(), &ui::ConfigurationSaver::saved);
        QTest::mouseClick(button(*edit, QStringLiteral("Save anyway")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(read(), QByteArray(kConfig).replace("127.0.0.1:9\n", "127.0.0.1:19\n"));
        const auto &sources = m_workspace->settings().sources;
        QCOMPARE(sources[1].url, std::string("http://127.0.0.1:19"));
        QCOMPARE(sources[1].auth.token.value, std::string("PROM_TOKEN"));
        QVERIFY(sources[1].every == base::Seconds{600});
    }

    void removesASourceAfterAsking()
    {
        show();
        std::vector<ui::PageNotice> notices;
        connect(m_page.get(), &ui::Page::noticeWanted, this, [&](const ui::PageNotice &n) { notices.push_back(n); });
        QTest::mouseClick(button(*m_page, QStringLiteral("Remove prod")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<QMessageBox>(), kPatience);
        auto *box = dialog<QMessageBox>();
        QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel)); // never the destructive one
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog<QMessageBox>(), kPatience);
        QCOMPARE(read(), QByteArray(kConfig));
        QTest::mouseClick(button(*m_page, QStringLiteral("Remove prod")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<QMessageBox>(), kPatience);
        QTest::mouseClick(button(*dialog<QMessageBox>(), QStringLiteral("Remove source")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(notices.size(), std::size_t{1}, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->findChildren<ui::SourceCardView *>().size(), 1, kPatience);
        QCOMPARE(notices[0].action, QStringLiteral("Undo"));
        QVERIFY(!read().contains("PROM_TOKEN"));
        notices[0].run();
        QTRY_COMPARE_WITH_TIMEOUT(read(), QByteArray(kConfig), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(m_page->findChildren<ui::SourceCardView *>().size(), 2, kPatience);
    }

    void everyControlHasANameAndNothingIsMarkup()
    {
        show();
        for (QWidget *widget : m_page->findChildren<QWidget *>()) {
            if (!widget->isVisible())
                continue;
            if (widget->focusPolicy() & Qt::TabFocus) {
                QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
                QVERIFY(interface != nullptr);
                QVERIFY2(!interface->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
                QVERIFY(interface->role() != QAccessible::NoRole);
            }
            if (auto *label = qobject_cast<QLabel *>(widget))
                QCOMPARE(label->textFormat(), Qt::PlainText);
        }
        QVERIFY(shows(*m_page, QStringLiteral("<b>small</b>")));
        QCOMPARE(ruleAt(1), QStringLiteral("Namespace is <img src=x>"));
    }

private:
    void open(const char *config, const QString &data = {})
    {
        m_config = std::filesystem::path(m_folder.path().toStdString()) / "config.yaml";
        QFile file(QString::fromStdString(m_config.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(config);
        file.close();
        auto settings = services::readConfigFile(m_config, m_catalog->kinds());
        QVERIFY2(settings.has_value(), settings ? "" : settings.error().text.c_str());
        auto workspace = services::Workspace::open(
            std::move(*settings), {(data.isEmpty() ? m_folder.path() : data).toStdString(), "UTC", false}, *m_catalog,
            *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("sources"), {}, {}});
        m_page = std::make_unique<SourcesPage>(
            ui::PageContext{{*m_workspace, *m_tasks, *m_sync, m_theme, m_config, {}}, *m_navigator});
        m_page->resize(1200, 1400);
    }
    void show()
    {
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
    }
    OwnerRulesCard &rules() const { return *m_page->findChild<OwnerRulesCard *>(); }
    StatePanel &rulesPanel() const { return *rules().findChild<StatePanel *>(); }
    QString ruleAt(int row) const
    {
        return table(*m_page, QStringLiteral("Owner rules in their order"))->model().index(row, 1).data().toString();
    }
    template <typename Widget> static Widget *named(const QWidget &parent, const QString &name)
    {
        for (Widget *widget : parent.findChildren<Widget *>()) {
            if (widget->accessibleName() == name)
                return widget;
        }
        return nullptr;
    }
    static bool shows(const QWidget &parent, const QString &text)
    {
        const auto labels = parent.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
    }
    QByteArray read() const
    {
        QFile file(QString::fromStdString(m_config.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
    std::filesystem::path m_config;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{*base::parseTime("2026-11-21T12:00:00Z")};
    widgets::Theme m_theme;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<SourcesPage> m_page;
};

GPULEDGER_WINDOW_SUITE(SourcesPageTest)

} // namespace tst_sourcespage

#include "tst_sourcespage.moc"
