// SPDX-License-Identifier: GPL-3.0-or-later
// The window's dialog is generated from the descriptors of kinds: an unknown kind can be typed, checked and saved.
#include "app/ports/sourcecatalog.h"
#include "app/ports/telemetrysource.h"
#include "app/services/config/config.h"
#include "app/services/workspace/workspace.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "widgets/inputs/choicebutton.h"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_newkind {

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
              {.key = "colour", .title = "Colour", .help = "Of its light", .isRare = true},
              ports::kHeadersField}},
            {"buoy",
             "Buoy",
             {ports::Capability::Stops},
             {{.key = "sea", .isRequired = true, .title = "Sea", .help = "Where it floats", .example = "north"},
              {.key = "url", .type = Type::Url, .title = "Address", .fallback = "that of the sea", .isRare = true},
              {.key = "tls", .type = Type::Authority, .title = "Authority", .isRare = true}},
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

QPushButton *buttonOf(const QWidget &parent, const QString &text)
{
    for (QPushButton *button : parent.findChildren<QPushButton *>()) {
        if (button->text() == text)
            return button;
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
        write("version: 1\nsources: []\n");
    }
    void cleanup()
    {
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void theDialogAsksForItsSettings()
    {
        ui::SourceDialog dialog(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QCOMPARE(dialog.draft().fields().kind, QStringLiteral("lighthouse")); // the first one that can be typed
        auto *const kinds = dialog.findChild<widgets::ChoiceButton *>();
        QVERIFY(kinds);
        QLineEdit *const lamps = lineOf(dialog, QStringLiteral("Lamps")),
                         *const sea = lineOf(dialog, QStringLiteral("Sea"));
        QVERIFY(lamps && sea);
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

    void rareSettingsAreInTheAdvancedPart()
    {
        ui::SourceDialog dialog(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QPushButton *const advanced = buttonOf(dialog, QStringLiteral("Show advanced settings"));
        QLineEdit *const colour = lineOf(dialog, QStringLiteral("Colour")),
                         *const headers = lineOf(dialog, QStringLiteral("Headers"));
        QVERIFY(advanced && advanced->isVisible() && colour && headers);
        QVERIFY(!colour->isVisible() && !headers->isVisible());
        QTest::keyClicks(lineOf(dialog, QStringLiteral("Address")), QStringLiteral("http://127.0.0.1:9"));
        advanced->setFocus();
        QTest::keyClick(advanced, Qt::Key_Space);
        QVERIFY(colour->isVisible() && headers->isVisible());
        QCOMPARE(advanced->text(), QStringLiteral("Hide advanced settings"));
        QCOMPARE(colour->accessibleDescription(), QStringLiteral("Of its light"));
        QVERIFY(headers->accessibleDescription().contains(QLatin1String("NAME=VALUE")));
        QTest::keyClick(advanced, Qt::Key_Tab);
        QVERIFY(colour->hasFocus());
        QTest::keyClicks(colour, QStringLiteral("green"));
        QTest::keyClick(colour, Qt::Key_Tab);
        QVERIFY(headers->hasFocus());
        ui::SourceDraft &draft = dialog.draft();
        QTest::keyClicks(headers, QStringLiteral("Authorization=x"));
        QVERIFY2(draft.problem(Step::Test).contains(QLatin1String("credential")),
                 qPrintable(draft.problem(Step::Test)));
        headers->clear();
        QTest::keyClicks(headers, QStringLiteral("X-Scope-OrgID = ml; X-Two=b=c"));
        QCOMPARE(draft.problem(Step::Test), QString());
        QTest::keyClick(advanced, Qt::Key_Space); // what is hidden still counts
        QVERIFY(!colour->isVisible());
        save(draft);
        const model::SourceSettings source = m_workspace->settings().sources.at(0);
        QCOMPARE(source.options.at("colour"), std::string("green"));
        QCOMPARE(source.headers, (std::map<std::string, std::string>{{"X-Scope-OrgID", "ml"}, {"X-Two", "b=c"}}));
    }

    void rareSettingsAreChangedAndRemoved()
    {
        write("version: 1\nsources:\n"
              "  - name: a\n    kind: lighthouse\n    url: http://127.0.0.1:9\n    colour: red\n"
              "    headers: { X-One: a }\n"
              "  - name: b # in the file\n    kind: buoy\n    sea: north\n    url: https://127.0.0.1:8\n"
              "    tls: { ca: /ca.pem }\n");
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        draft.edit(m_workspace->settings().sources.at(0));
        ui::SourceFields fields = draft.fields();
        QCOMPARE(fields.rare.at("colour"), QStringLiteral("red"));
        QCOMPARE(fields.rare.at("headers"), QStringLiteral("X-One=a"));
        fields.rare.erase("colour");
        fields.rare["headers"] = QStringLiteral("X-One=a; X-Two=b");
        draft.setFields(fields);
        save(draft);
        QVERIFY(m_workspace->settings().sources.at(0).options.empty());
        QCOMPARE(m_workspace->settings().sources.at(0).headers.at("X-Two"), std::string("b"));

        ui::SourceDraft other(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        other.edit(m_workspace->settings().sources.at(1));
        fields = other.fields();
        QCOMPARE(fields.rare.at("url"), QStringLiteral("https://127.0.0.1:8"));
        QCOMPARE(fields.rare.at("tls"), QStringLiteral("/ca.pem"));
        fields.rare["url"] = QStringLiteral("ftp://x");
        other.setFields(fields);
        QVERIFY(!other.problem(Step::Test).isEmpty());
        fields.rare["url"] = QStringLiteral("https://127.0.0.1:7");
        fields.rare.erase("tls");
        other.setFields(fields);
        QCOMPARE(other.problem(Step::Test), QString());
        save(other);
        QCOMPARE(m_workspace->settings().sources.at(1).url, std::string("https://127.0.0.1:7"));
        QVERIFY(m_workspace->settings().sources.at(1).caFile.empty());
        QVERIFY2(written().contains("name: b # in the file\n"), written().constData());
    }

    // A value that the line can't hold stays as it is in the file.
    void aHeaderWithASemicolonStaysInTheFile()
    {
        write("version: 1\nsources:\n"
              "  - name: c\n    kind: lighthouse\n    url: http://127.0.0.1:9\n    headers: { X-One: \"a;b\" }\n");
        ui::SourceDialog dialog(m_theme, m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.edit(m_workspace->settings().sources.at(0));
        dialog.show();
        QLineEdit *const headers = lineOf(dialog, QStringLiteral("Headers"));
        QVERIFY(headers->isVisible() && !headers->isEnabled() && headers->text().isEmpty());
        ui::SourceFields fields = dialog.draft().fields();
        fields.url = QStringLiteral("http://127.0.0.1:19");
        dialog.draft().setFields(fields);
        save(dialog.draft());
        QCOMPARE(m_workspace->settings().sources.at(0).url, std::string("http://127.0.0.1:19"));
        QCOMPARE(m_workspace->settings().sources.at(0).headers.at("X-One"), std::string("a;b"));
    }

    void aPlatformHasItsRowsAndRights()
    {
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), *m_tasks, *m_sync, m_config);
        ui::SourceFields fields;
        fields.kind = QStringLiteral("buoy");
        fields.name = draft.nameFor(fields);
        QCOMPARE(fields.name, QStringLiteral("buoy"));
        draft.setFields(fields);
        QVERIFY(draft.isPlatform());
        QVERIFY(draft.problem(Step::Test).contains(QLatin1String("Missing: Sea, for example north")));
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
    // Opens the workspace with this configuration.
    void write(const char *text)
    {
        cleanup();
        QFile file(QString::fromStdString(m_config.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        model::Settings settings;
        if (!QByteArray(text).contains("sources: []")) {
            const auto read = services::readConfigFile(m_config, m_catalog.kinds());
            QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
            settings = *read;
        }
        auto workspace = services::Workspace::open(settings, {m_folder->path().toStdString(), "UTC", false}, m_catalog,
                                                   *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
    }
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

} // namespace tst_newkind

#include "tst_newkind.moc"
