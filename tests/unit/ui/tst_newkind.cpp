// SPDX-License-Identifier: GPL-3.0-or-later
// The window's dialog is generated from the descriptors of kinds: an unknown kind can be typed, checked and saved.
#include "app/ports/sourcecatalog.h"
#include "app/ports/telemetrysource.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "widgets/inputs/choicebutton.h"

#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gpuledger;
using Step = ui::SourceDraft::Step;
using Type = ports::SourceField::Type;

namespace {

constexpr int kPatience = 60000;

class Catalog final : public ports::SourceCatalog {
public:
    ports::SourceKinds kinds() const override
    {
        return {
            {"lighthouse",
             "Lighthouse",
             {ports::Capability::Telemetry},
             {{.key = "url", .type = Type::Url, .isRequired = true, .title = "Address"},
              ports::kAccessField,
              {.key = "lamps",
               .type = Type::Whole,
               .title = "Lamps",
               .help = "How many lamps are asked at once",
               .example = "8",
               .low = 1,
               .high = 64},
              {.key = "colour", .title = "Colour", .isRare = true}}},
            {"buoy",
             "Buoy",
             {ports::Capability::Stops},
             {{.key = "sea", .isRequired = true, .title = "Sea", .help = "Where it floats", .example = "north"}},
             {},
             "Buoy (of a sea)"},
            {"paper", "Paper", {ports::Capability::Bills}, {{.key = "path", .type = Type::Path, .isRequired = true}}}};
    }
    base::Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &,
                                                                 const std::vector<model::ExporterMappingText> &,
                                                                 ports::SecretStore &,
                                                                 const base::Clock &) const override
    {
        return base::fail(base::ErrorCode::Unsupported, "made up");
    }
};

QLineEdit *lineOf(const QWidget &parent, const QString &name)
{
    for (QLineEdit *line : parent.findChildren<QLineEdit *>()) {
        if (line->accessibleName() == name)
            return line;
    }
    return nullptr;
}

} // namespace

class NewKindTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_config = std::filesystem::path(m_folder->path().toStdString()) / "config.yaml";
        QFile file(QString::fromStdString(m_config.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("version: 1\nsources: []\n");
        file.close();
        auto workspace = services::Workspace::open({}, {m_folder->path().toStdString(), "UTC", false}, m_catalog,
                                                   *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(*m_workspace, *m_tasks);
    }
    void cleanup()
    {
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void theDialogAsksForItsSettings()
    {
        ui::SourceDialog dialog(m_theme, *m_workspace, *m_tasks, *m_sync, m_config);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QCOMPARE(dialog.draft().fields().kind, QStringLiteral("lighthouse")); // the first one that can be typed
        auto *const kinds = dialog.findChild<widgets::ChoiceButton *>();
        QVERIFY(kinds);
        QLineEdit *const lamps = lineOf(dialog, QStringLiteral("Lamps")),
                         *const sea = lineOf(dialog, QStringLiteral("Sea"));
        QVERIFY(lamps && sea && !lineOf(dialog, QStringLiteral("Colour")));
        QCOMPARE(lamps->accessibleDescription(), QStringLiteral("How many lamps are asked at once"));
        QCOMPARE(lamps->placeholderText(), QStringLiteral("8"));
        QVERIFY(lamps->isVisible() && !sea->isVisible());
        QTest::keyClicks(lineOf(dialog, QStringLiteral("Address")), QStringLiteral("http://127.0.0.1:9"));
        QTest::keyClicks(lamps, QStringLiteral("65"));
        ui::SourceDraft &draft = dialog.draft();
        QVERIFY2(draft.problem(Step::Test).contains(QLatin1String("lamps - must be a whole number from 1 to 64")),
                 qPrintable(draft.problem(Step::Test)));
        QTest::keyClick(lamps, Qt::Key_Backspace);
        QCOMPARE(draft.problem(Step::Test), QString());
        save(draft);
        QCOMPARE(m_workspace->settings().sources.at(0).options.at("lamps"), std::string("6"));
        QVERIFY2(written().contains("lamps: 6"), written().constData());
        // The same field of the changed source.
        draft.edit(m_workspace->settings().sources[0]);
        ui::SourceFields fields = draft.fields();
        QCOMPARE(fields.options.at("lamps"), QStringLiteral("6"));
        fields.options.clear();
        draft.setFields(fields);
        save(draft);
        QVERIFY(m_workspace->settings().sources.at(0).options.empty());
        QVERIFY2(!written().contains("lamps"), written().constData());
    }

    void aPlatformHasItsRowsAndRights()
    {
        ui::SourceDraft draft(*m_workspace, *m_tasks, *m_sync, m_config);
        ui::SourceFields fields;
        fields.kind = QStringLiteral("buoy");
        fields.name = draft.nameFor(fields);
        QCOMPARE(fields.name, QStringLiteral("buoy"));
        draft.setFields(fields);
        QVERIFY(draft.isPlatform());
        QVERIFY(draft.problem(Step::Test).contains(QLatin1String("sea - is missing")));
        fields.options["sea"] = QStringLiteral("north");
        fields.mayStop = true;
        draft.setFields(fields);
        QCOMPARE(draft.problem(Step::Test), QString());
        save(draft);
        const model::SourceSettings source = m_workspace->settings().sources.at(0);
        QCOMPARE(source.options.at("sea"), std::string("north"));
        QVERIFY(source.mayStop && source.auth.kind == model::AuthSettings::Kind::None);
    }

private:
    void save(ui::SourceDraft &draft)
    {
        QSignalSpy saved(&draft.saver(), &ui::ConfigurationSaver::saved);
        draft.save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        m_sync->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
    }
    QByteArray written() const
    {
        QFile file(QString::fromStdString(m_config.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    widgets::Theme m_theme;
    Catalog m_catalog;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_config;
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{*base::parseTime("2026-11-21T12:00:00Z")};
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
};

GPULEDGER_WINDOW_SUITE(NewKindTest)
#include "tst_newkind.moc"
