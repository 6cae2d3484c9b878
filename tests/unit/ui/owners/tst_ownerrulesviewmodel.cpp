// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/overview/summary.h"
#include "app/insight/query/query.h"
#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/owners/ownerrulesviewmodel.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_ownerrulesviewmodel {

using namespace gpuledger;
using model::OwnerRule;
using ui::OwnerRuleFields;
using ui::OwnerRulesViewModel;
using ui::OwnerRuleText;
using ui::PageState;
using Compare = OwnerRuleFields::Compare;
using Field = OwnerRuleFields::Field;
using Kind = OwnerRule::Kind;

namespace {

constexpr int kPatience = 120000;

const char kConfig[] = "# ours\n"
                       "version: 1\n"
                       "sources:\n"
                       "  - { name: small, kind: demo, gpus: 56, days: 2, first_sync: 2d } # toy\n"
                       "owners:\n"
                       "  - { label: team } # first\n"
                       "  # the rest\n"
                       "  - { namespace: \"nothing-\", prefix: true, team: nobody }\n";

OwnerRuleFields fields(Kind kind, const QString &key, Compare compare = Compare::Any, const QString &pattern = {},
                       const QString &team = {})
{
    return {kind, key, compare, pattern, team, {}, {}};
}

} // namespace

// The owner rules before and after they are saved, over the real engine and a real file; without widgets.
class OwnerRulesViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // One synced cache for all tests.
        open(kConfig);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }
    void init() { open(kConfig); }
    void cleanup()
    {
        m_model.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void showsTheRulesInUse()
    {
        QCOMPARE(m_model->rows().size(), std::size_t{2});
        QVERIFY(!m_model->isBuiltIn() && !m_model->isChanged() && m_model->canSave());
        QVERIFY(m_model->state() == PageState::Loading);
        refresh();
        QCOMPARE(m_model->preview()->rules.size(), std::size_t{3});
        QVERIFY(m_model->preview()->owned.nanos > 0);
        for (const auto &team : m_model->preview()->teams)
            QVERIFY(team.before == team.after);
        const auto &preview = *m_model->preview();
        QVERIFY(preview.owned.time + preview.unowned.time + preview.shared.time == preview.all.time);
    }

    void previewsWhatIsNotSavedYet()
    {
        refresh();
        const auto before = m_model->preview();
        OwnerRule all;
        all.kind = Kind::Default;
        all.team = "everybody";
        const int id = m_model->insert(0, all);
        QVERIFY(m_model->isChanged());
        QVERIFY(!m_model->isPreviewOfRows()); // the preview is outdated
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        const auto after = m_model->preview();
        QCOMPARE(after->unowned.nanos, std::int64_t{0});
        QVERIFY(after->owned.nanos > before->owned.nanos || before->unowned.nanos == 0);
        QVERIFY(after->ownedBefore == before->owned);
        QCOMPARE(after->rules[0].teams, std::vector<std::string>{"everybody"});
        m_model->move(id, 2);
        QCOMPARE(m_model->indexOf(id), 2);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        QVERIFY(m_model->preview()->rules[0].all == before->rules[0].all); // the label takes precedence again
        m_model->move(id, 1); // it can't move further down
        QCOMPARE(m_model->indexOf(id), 2);
        m_model->discard();
        QVERIFY(!m_model->isChanged());
        QCOMPARE(read(), QByteArray(kConfig));
    }

    void savingChangesTheFigures()
    {
        refresh();
        const auto summary = [this] {
            const auto covered = m_workspace->fleet().coveredRange().value();
            return m_workspace->fleet().summary({covered, {}}, insight::Dimension::Team).value();
        };
        std::map<std::string, std::int64_t> before;
        for (const auto &row : summary().rows)
            before[row.key] = row.cost.total();
        const std::string team = m_model->preview()->rules[0].teams.front();
        OwnerRule mine = OwnerRuleText::ruleOf(fields(Kind::Label, QStringLiteral("team"), Compare::Equals,
                                                      QString::fromStdString(team), QStringLiteral("renamed: #1")));
        m_model->insert(0, mine);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        std::map<std::string, std::int64_t> expected;
        for (const auto &one : m_model->preview()->teams) {
            if (one.after.time.ticks > 0)
                expected[one.team] = one.after.nanos;
        }
        QSignalSpy saved(&m_model->saver(), &ui::ConfigurationSaver::saved);
        m_model->save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QVERIFY(!m_model->isChanged());
        m_sync->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
        // The ledger equals the preview, to the last nano-unit.
        std::map<std::string, std::int64_t> after;
        for (const auto &row : summary().rows)
            after[row.key] = row.cost.total();
        QVERIFY(after == expected);
        QVERIFY(after != before);
        QCOMPARE(after["renamed: #1"], before[team]);
        // Only one line was added to the file.
        QByteArray file = read();
        const QByteArray line =
            "  - { label: { team: " + QByteArray::fromStdString(team) + " }, team: \"renamed: #1\" }\n";
        QVERIFY2(file.contains(line), file.constData());
        QCOMPARE(file.replace(line, ""), QByteArray(kConfig));
        // And it is removed again, byte for byte.
        m_model->saver().undo(m_model->saver().lastChange());
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, kPatience);
        QCOMPARE(read(), QByteArray(kConfig));
        QCOMPARE(m_model->rows().size(), std::size_t{2});
        m_sync->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
        std::map<std::string, std::int64_t> again;
        for (const auto &row : summary().rows)
            again[row.key] = row.cost.total();
        QVERIFY(again == before);
    }

    void keepsWhatOthersWroteMeanwhile()
    {
        const QByteArray theirs = QByteArray(kConfig).replace("label: team", "label: squad");
        m_model->insert(0, OwnerRuleText::ruleOf(fields(Kind::Label, QStringLiteral("owner"))));
        write(theirs);
        QSignalSpy failed(&m_model->saver(), &ui::ConfigurationSaver::failed);
        m_model->save();
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
        QVERIFY(failed.first().at(1).toBool());
        QVERIFY2(failed.first().at(0).toString().contains(QLatin1String("in the meantime")),
                 qPrintable(failed.first().at(0).toString()));
        QCOMPARE(read(), theirs);
        QCOMPARE(m_model->rows().size(), std::size_t{3}); // the draft is kept, too
        QSignalSpy saved(&m_model->saver(), &ui::ConfigurationSaver::saved);
        m_model->saver().reload();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QCOMPARE(m_model->rows().front().rule.key, std::string("squad"));
        QCOMPARE(read(), theirs);
        stopSync();
    }

    void builtInRulesAreWrittenOutOnceChanged()
    {
        const QByteArray bare = QByteArray(kConfig).left(QByteArray(kConfig).indexOf("owners:"));
        cleanup();
        open(bare.constData());
        QVERIFY(m_model->isBuiltIn());
        QCOMPARE(m_model->rows().size(), std::size_t{7});
        QVERIFY(!m_model->isChanged());
        refresh();
        const auto before = m_model->preview();
        m_model->remove(m_model->rows().front().id);
        QVERIFY(m_model->isChanged());
        QSignalSpy saved(&m_model->saver(), &ui::ConfigurationSaver::saved);
        m_model->save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QVERIFY(!m_model->isBuiltIn());
        QCOMPARE(m_model->rows().size(), std::size_t{6});
        QVERIFY(read().startsWith(bare));
        stopSync();
        // Without own rules, the built-in ones apply again.
        while (!m_model->rows().empty())
            m_model->remove(m_model->rows().front().id);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        QVERIFY(m_model->preview()->owned == before->owned);
        m_model->save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, kPatience);
        QVERIFY(m_model->isBuiltIn());
        stopSync();
    }

    void hiddenPageAsksNothingAndLateAnswersAreDropped()
    {
        m_model->setActive(false);
        QSignalSpy changed(m_model.get(), &OwnerRulesViewModel::changed);
        m_model->refresh();
        QTest::qWait(50);
        QVERIFY(m_model->preview() == nullptr);
        m_model->setActive(true);
        for (int i = 0; i < 5; ++i)
            m_model->insert(0, OwnerRuleText::ruleOf(fields(Kind::Label, QStringLiteral("k%1").arg(i))));
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        QCOMPARE(m_model->preview()->rules.size(), std::size_t{8});
        QVERIFY(changed.size() >= 2);
    }

    void saysEmptyWhereNothingWasRead()
    {
        cleanup();
        const QTemporaryDir other;
        open(kConfig, other.path());
        m_model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_model->state() == PageState::Empty, kPatience);
    }

    void tellsTheFieldThatIsWrong_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QStringList>("typed"); // key, pattern, team, from, until
        QTest::addColumn<int>("compare");
        QTest::addColumn<int>("field");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, Kind kind, Compare compare, const char *typed, Field field,
                            const char *says) {
            QTest::newRow(name) << static_cast<int>(kind) << QString::fromUtf8(typed).split(QLatin1Char('|'))
                                << static_cast<int>(compare) << static_cast<int>(field) << QString::fromLatin1(says);
        };
        row("label without name", Kind::Label, Compare::Any, "||||", Field::Key, "team");
        row("nothing to compare", Kind::Namespace, Compare::Prefix, "| |||", Field::Pattern, "compare with");
        row("bad expression", Kind::Namespace, Compare::Regex, "|ü[z-a]|||", Field::Pattern, "at character 3");
        row("pool without team", Kind::NodePool, Compare::Equals, "|gpu|||", Field::Team, "owns it");
        row("default without team", Kind::Default, Compare::Any, "||||", Field::Team, "owns it");
        row("no date", Kind::Label, Compare::Any, "team|||31.1.2026|", Field::From, "2026-01-31");
        row("ends before", Kind::Label, Compare::Any, "team|||2026-02-01|2026-02-01", Field::Until, "after");
    }

    void tellsTheFieldThatIsWrong()
    {
        QFETCH(int, kind);
        QFETCH(int, compare);
        QFETCH(int, field);
        QFETCH(QStringList, typed);
        QFETCH(QString, says);
        const OwnerRuleFields wrong{
            static_cast<Kind>(kind), typed[0], static_cast<Compare>(compare), typed[1], typed[2], typed[3], typed[4]};
        const auto problem = OwnerRuleText::problem(wrong);
        QVERIFY(problem.has_value());
        QCOMPARE(static_cast<int>(problem->field), field);
        QVERIFY2(problem->text.contains(says), qPrintable(problem->text));
    }

    void fieldsAndRulesAreTheSame()
    {
        OwnerRuleFields dated = fields(Kind::Account, {}, Compare::Equals, QStringLiteral("42"), QStringLiteral("x"));
        dated.from = QStringLiteral("2026-01-31");
        dated.until = QStringLiteral("2026-02-01T08:30:00Z");
        for (const OwnerRuleFields &one :
             {fields(Kind::Label, QStringLiteral("team")),
              fields(Kind::Label, QStringLiteral("app"), Compare::Regex, QStringLiteral("^a(?<team>b)"), {}),
              fields(Kind::Namespace, {}), fields(Kind::NodePool, {}, Compare::Any, {}, QStringLiteral("lab")),
              fields(Kind::Namespace, {}, Compare::Prefix, QStringLiteral("ml-")), dated}) {
            QVERIFY(!OwnerRuleText::problem(one));
            QVERIFY2(OwnerRuleText::fieldsOf(OwnerRuleText::ruleOf(one)) == one,
                     qPrintable(OwnerRuleText::what(OwnerRuleText::ruleOf(one))));
        }
    }

    void removesASourceAndUndoesIt()
    {
        ui::SourcesViewModel sources(m_workspace->config(), m_workspace->sources(), m_workspace->spend(), *m_tasks,
                                     *m_sync, m_config);
        sources.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(sources.state() == PageState::Data, kPatience);
        QVERIFY(sources.removalText("small").contains(QLatin1String("stays in all figures")));
        QVERIFY(!sources.settingsOf("nobody"));
        const auto paid = [this] {
            const auto covered = m_workspace->fleet().coveredRange().value();
            return m_workspace->fleet().summary({covered, {}}, insight::Dimension::Team).value().total.cost.total();
        };
        const std::int64_t before = paid();
        QSignalSpy saved(&sources.saver(), &ui::ConfigurationSaver::saved);
        sources.remove("small");
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        QVERIFY(m_workspace->settings().sources.empty());
        QCOMPARE(paid(), before); // as the text promised
        QVERIFY(read().contains("sources: []"));
        const auto change = sources.saver().lastChange();
        write(read() + "# theirs\n");
        QSignalSpy failed(&sources.saver(), &ui::ConfigurationSaver::failed);
        sources.saver().undo(change);
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
        QVERIFY(read().endsWith("# theirs\n"));
        write(QByteArray::fromStdString(change.after));
        sources.saver().undo(change);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, kPatience);
        QCOMPARE(read(), QByteArray(kConfig));
        QCOMPARE(m_workspace->settings().sources.size(), std::size_t{1});
        stopSync();
    }

private:
    void open(const char *config, const QString &data = {})
    {
        m_config = std::filesystem::path(m_folder.path().toStdString()) / "config.yaml";
        write(config);
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
        m_model = std::make_unique<OwnerRulesViewModel>(m_workspace->config(), m_workspace->fleet(),
                                                        m_workspace->sources(), *m_tasks, *m_sync, m_config);
    }
    void refresh()
    {
        m_model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_model->isPreviewOfRows(), kPatience);
        QVERIFY(m_model->state() == PageState::Data);
    }
    void stopSync()
    {
        m_sync->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
    }
    void write(const QByteArray &text) const
    {
        QFile file(QString::fromStdString(m_config.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
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
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<OwnerRulesViewModel> m_model;
};

GPULEDGER_SUITE(OwnerRulesViewModelTest)

} // namespace tst_ownerrulesviewmodel

#include "tst_ownerrulesviewmodel.moc"
