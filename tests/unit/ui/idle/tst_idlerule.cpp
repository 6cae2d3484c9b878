// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/dialogs/idle/idleruledialog.h"
#include "ui/dialogs/idle/idleruleform.h"
#include "ui/pages/idle/idlepage.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace tst_idlerule {

using namespace gpuledger;
using model::WorkloadKind;
using ui::IdleRuleDialog;
using ui::IdleRuleText;

namespace {

constexpr int kPatience = 120'000;
constexpr char kConfig[] = "version: 1\n"
                           "# a small one\n"
                           "sources: [ { name: demo, kind: demo, gpus: 60, days: 4, first_sync: 4d } ]\n"
                           "idle:\n"
                           "  threshold: 0.05 # ours\n";

} // namespace

// A changed idle rule is applied to the past of the demo fleet, and saved.
class IdleRuleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_theme.setMode(qEnvironmentVariable("GPULEDGER_DARK").isEmpty() ? widgets::Theme::Mode::Light
                                                                         : widgets::Theme::Mode::Dark);
        m_theme.apply();
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("config.yaml")).toStdString();
        QFile file(QString::fromStdString(m_file.string()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kConfig) > 0);
        file.close();
        m_workspace = std::move(services::Workspace::open(services::readConfigFile(m_file, m_catalog->kinds()).value(),
                                                          {m_folder->path().toStdString(), "UTC", false}, *m_catalog,
                                                          *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("idle"), {}, {}});
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void cleanup()
    {
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void thePageOpensIt()
    {
        ui::IdlePage page({{*m_workspace, *m_tasks, *m_sync, m_theme, m_file}, *m_navigator});
        page.resize(1280, 800);
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        QPushButton *rule = button(page, QStringLiteral("Rule…"));
        QVERIFY(rule && rule->isVisible());
        rule->click();
        auto *dialog = page.findChild<IdleRuleDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        QCOMPARE(fileText(), QByteArray(kConfig));
    }

    void comparesTheRuleInUseWithAnotherOne()
    {
        IdleRuleDialog *dialog = open();
        const insight::IdleReplay now = replayed(rule().settings);
        QVERIFY(now.total.stops > 0);
        QCOMPARE(
            cells(*dialog, 0),
            (QStringList{QString::number(now.total.stops), QString::number(now.total.stops), QStringLiteral("0")}));
        QCOMPARE(rows(*dialog, QStringLiteral("money")), static_cast<int>(now.parts.size()));
        QVERIFY(!button(*dialog, QStringLiteral("Save rule"))->isEnabled());
        auto *form = dialog->findChild<ui::IdleRuleForm *>();
        dialog->findChildren<QDoubleSpinBox *>().front()->setValue(30);
        windowOf(*dialog, QStringLiteral("Notebooks idle for"))->setText(QStringLiteral("10 m"));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        model::IdleSettings wanted = rule().settings;
        wanted.threshold = 0.3;
        wanted.grace[WorkloadKind::Notebook] = base::Seconds{600};
        QVERIFY(form->rule() && form->rule()->threshold == 0.3 && form->rule()->grace == wanted.grace);
        const insight::IdleReplay tried = replayed(wanted);
        QVERIFY(tried.total.stops > now.total.stops); // a looser rule stops more
        QCOMPARE(cells(*dialog, 0),
                 (QStringList{QString::number(now.total.stops), QString::number(tried.total.stops),
                              QLatin1Char('+') + QString::number(tried.total.stops - now.total.stops)}));
        QCOMPARE(cells(*dialog, 1).at(1), QString::number(tried.total.falseStops));
        QString back = cells(*dialog, 2).at(1);
        QCOMPARE(back.remove(QLatin1Char(',')), QString::number(tried.total.back.hours(), 'f', 1));
        QCOMPARE(rows(*dialog, QStringLiteral("money")), static_cast<int>(tried.parts.size()));
        QCOMPARE(rows(*dialog, QStringLiteral("after")), static_cast<int>(tried.total.falseStops));
        QVERIFY(tried.total.falseStops > 0);
        keepPicture(*dialog, QStringLiteral("rule-parts"));
        dialog->findChildren<widgets::SegmentedSwitch *>().back()->setCurrentKey(QStringLiteral("false"));
        keepPicture(*dialog, QStringLiteral("rule-false"));
        QCOMPARE(fileText(), QByteArray(kConfig)); // nothing is saved yet
        QVERIFY(m_workspace->settings().idle.threshold == 0.05);
        // And back again.
        button(*dialog, QStringLiteral("Reset to current rule"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        QCOMPARE(cells(*dialog, 0).at(2), QStringLiteral("0"));
        QVERIFY(!button(*dialog, QStringLiteral("Reset to current rule"))->isEnabled());
        dialog->reject();
    }

    void saysWhichRuleIsBetter()
    {
        const auto replayOf = [](double hours, std::int64_t falseStops) {
            auto out = std::make_shared<insight::IdleReplay>();
            out->total.back = {static_cast<std::int64_t>(hours * 3600) * base::GpuTime::kTicksPerSecond};
            out->total.falseStops = falseStops;
            return std::shared_ptr<const insight::IdleReplay>(std::move(out));
        };
        const auto said = [](const auto &now, const auto &tried) {
            return IdleRuleText::notes({{}, now, tried, base::TimeZone()});
        };
        const QString worse = QStringLiteral("The current rule is worse"),
                      better = QStringLiteral("The current rule is better");
        QVERIFY(said(replayOf(10, 5), replayOf(12, 5)).startsWith(worse));
        QVERIFY(said(replayOf(10, 5), replayOf(10, 4)).startsWith(worse));
        QVERIFY(said(replayOf(10, 5), replayOf(9, 5)).startsWith(better));
        // More back and more false stops is a choice, not an improvement.
        for (const auto &tried : {replayOf(12, 6), replayOf(8, 4), replayOf(10, 5)})
            QVERIFY(!said(replayOf(10, 5), tried).contains(QStringLiteral("The current rule")));
    }

    void savesOnlyWhatWasChosen()
    {
        IdleRuleDialog *dialog = open();
        QPushButton *save = button(*dialog, QStringLiteral("Save rule"));
        dialog->findChild<QPlainTextEdit *>()->setPlainText(
            QStringLiteral("namespace:kube-system\nlabel:a=b label:c="));
        windowOf(*dialog, QStringLiteral("Training idle for"))->setText(QStringLiteral("2h30m"));
        QVERIFY(!save->isEnabled()); // not before it was tried
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && save->isEnabled(), kPatience);
        QVERIFY(!save->isDefault() && !save->autoDefault());
        QSignalSpy saved(dialog, &IdleRuleDialog::saved);
        save->click();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(fileText(),
                 QByteArray(kConfig)
                     + "  grace: { training: 150m }\n"
                       "  protect: [ { namespace: kube-system }, { label: { a: b, c: \"\" } } ]\n");
        const model::IdleSettings &idle = m_workspace->settings().idle;
        QVERIFY(idle.grace.at(WorkloadKind::Training) == base::Seconds{9000});
        QCOMPARE(idle.protect.size(), std::size_t{2});
        QCOMPARE(idle.protect[0].nameSpace, std::string("kube-system"));
        QVERIFY((idle.protect[1].labels == model::Labels{{"a", "b"}, {"c", ""}}));
    }

    void saysWhatCantBeRead_data()
    {
        QTest::addColumn<QString>("window");
        QTest::addColumn<QString>("exceptions");
        QTest::addColumn<QString>("said");
        QTest::newRow("no length") << "soon"
                                   << ""
                                   << "soon";
        QTest::newRow("too short") << "4m"
                                   << ""
                                   << "from 5m to 90d";
        QTest::newRow("too long") << "91d"
                                  << ""
                                  << "from 5m to 90d";
        QTest::newRow("empty") << ""
                               << ""
                               << "from 5m to 90d";
        QTest::newRow("word") << "1h"
                              << "kube-system"
                              << "kube-system";
        QTest::newRow("two namespaces") << "1h"
                                        << "namespace:a namespace:b"
                                        << "namespace:NAME";
        QTest::newRow("label without value") << "1h"
                                             << "label:a"
                                             << "label:NAME=VALUE";
        QTest::newRow("hostile") << "1h"
                                 << "<b>x</b>\n"
                                 << "<b>x</b>";
    }
    void saysWhatCantBeRead()
    {
        QFETCH(QString, window);
        QFETCH(QString, exceptions);
        QFETCH(QString, said);
        IdleRuleDialog *dialog = open();
        windowOf(*dialog, QStringLiteral("Batch jobs idle for"))->setText(window);
        dialog->findChild<QPlainTextEdit *>()->setPlainText(exceptions);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        QVERIFY(!button(*dialog, QStringLiteral("Save rule"))->isEnabled());
        const auto labels = dialog->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
            return label->isVisible() && label->text().contains(said) && label->textFormat() == Qt::PlainText;
        }));
        dialog->reject();
    }

    void somebodyElseSavedMeanwhile()
    {
        IdleRuleDialog *dialog = open();
        windowOf(*dialog, QStringLiteral("Others idle for"))->setText(QStringLiteral("3h"));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        const QByteArray theirs = QByteArray(kConfig).replace("0.05", "0.08");
        QFile file(QString::fromStdString(m_file.string()));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(theirs) > 0);
        file.close();
        button(*dialog, QStringLiteral("Save rule"))->click();
        const auto says = [&] {
            const auto labels = dialog->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
                return label->text().contains(QStringLiteral("nothing was written"));
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(says(), kPatience);
        QCOMPARE(fileText(), theirs);
        dialog->reject();
    }

    // The field reads back what is written to the file; what it can't express stays as it is in the file.
    void exceptionsAreReadAsTheyAreWritten()
    {
        QRandomGenerator random(7);
        const QString letters = QStringLiteral("ab.=:/ \n\"-é");
        const auto word = [&] {
            QString text;
            for (int i = random.bounded(4); i > 0; --i)
                text += letters.at(random.bounded(static_cast<int>(letters.size())));
            return text.toStdString();
        };
        int said = 0;
        for (int round = 0; round < 600; ++round) {
            std::vector<model::ProtectRule> rules(static_cast<std::size_t>(random.bounded(3)));
            for (model::ProtectRule &rule : rules) {
                rule.nameSpace = word();
                for (int i = random.bounded(3); i > 0; --i)
                    rule.labels[word()] = word();
            }
            model::IdleSettings before, after;
            before.protect = rules;
            ui::IdleRuleForm form(m_theme, before);
            QVERIFY(form.rule());
            QVERIFY(sameRules(form.rule()->protect, rules)); // unchanged, whatever it contains
            QString bad;
            const auto read = IdleRuleText::exceptions(IdleRuleText::exceptions(rules), bad);
            said += read && sameRules(*read, rules) ? 1 : 0;
        }
        QVERIFY(said > 100);
    }

private:
    static bool sameRules(const std::vector<model::ProtectRule> &a, const std::vector<model::ProtectRule> &b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &one, const auto &other) {
            return one.nameSpace == other.nameSpace && one.labels == other.labels;
        });
    }

    insight::IdleRule rule() { return m_workspace->fleet().idleRule().value(); }

    IdleRuleDialog *shownAtOnce()
    {
        auto *dialog =
            new IdleRuleDialog({m_theme, m_workspace->config(), m_workspace->fleet(), m_workspace->sources(), *m_tasks,
                                *m_sync, m_file, std::make_shared<const insight::IdleRule>(rule())});
        dialog->show();
        return dialog;
    }

    IdleRuleDialog *open()
    {
        auto *dialog = shownAtOnce();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience); }();
        return dialog;
    }

    insight::IdleReplay replayed(const model::IdleSettings &rule)
    {
        insight::ReplayQuery query;
        query.range = m_workspace->fleet().coveredRange().value();
        query.rule = rule;
        return m_workspace->fleet().replayIdle(query).value();
    }

    // Current, tried and changed value of a row of the comparison.
    static QStringList cells(const IdleRuleDialog &dialog, int row)
    {
        const auto *panel = dialog.findChild<widgets::StatePanel *>();
        const QString first = row == 0 ? QStringLiteral("Stops")
            : row == 1                 ? QStringLiteral("False stops")
                                       : QStringLiteral("Recovered, GPU-hours");
        const auto labels = panel->findChildren<QLabel *>();
        for (int i = 0; i + 3 < labels.size(); ++i) {
            if (labels[i]->text() == first)
                return {labels[i + 1]->text(), labels[i + 2]->text(), labels[i + 3]->text()};
        }
        return {};
    }

    static int rows(const IdleRuleDialog &dialog, const QString &key)
    {
        for (const auto *table : dialog.findChildren<widgets::DataTable *>()) {
            if (static_cast<const ui::TableModel &>(table->model()).columnOf(key) >= 0)
                return table->view()->model()->rowCount();
        }
        return -1;
    }

    static QLineEdit *windowOf(const IdleRuleDialog &dialog, const QString &name)
    {
        const auto fields = dialog.findChildren<QLineEdit *>();
        const auto it = std::find_if(fields.begin(), fields.end(),
                                     [&](const QLineEdit *one) { return one->accessibleName() == name; });
        return it == fields.end() ? nullptr : *it;
    }

    static QPushButton *button(const QWidget &widget, const QString &text)
    {
        const auto all = widget.findChildren<QPushButton *>();
        const auto it =
            std::find_if(all.begin(), all.end(), [&](const QPushButton *one) { return one->text() == text; });
        return it == all.end() ? nullptr : *it;
    }

    QByteArray fileText() const
    {
        QFile file(QString::fromStdString(m_file.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    // For visual inspection, if the environment names a folder.
    static void keepPicture(QWidget &widget, const QString &name)
    {
        if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
            widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    widgets::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
};

GPULEDGER_WINDOW_SUITE(IdleRuleTest)

} // namespace tst_idlerule

#include "tst_idlerule.moc"
