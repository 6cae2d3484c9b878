// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"
#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"
#include "widgets/inputs/choicebutton.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace tst_sources {

using namespace gpuledger;
using ui::SourceCard;
using ui::SourceDialog;
using ui::SourcesViewModel;
using ui::SourceTest;

namespace {

constexpr int kPatience = 60000;

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "<b>demo</b>\nsecond line";
    source.kind = "demo";
    source.options = {{"gpus", "56"}, {"days", "2"}};
    source.firstSync = 2 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

model::SourceSettings unreachable(const std::string &url)
{
    model::SourceSettings source;
    source.name = "gone";
    source.kind = "prometheus";
    source.url = url;
    return source;
}

// A local port that accepts connections but never answers; the port is closed when this is destroyed.
class SilentServer {
public:
    SilentServer()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        m_good = bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) == 0 && listen(m_socket, 8) == 0
            && getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) == 0;
        m_port = ntohs(address.sin_port);
    }
    ~SilentServer() { close(m_socket); }
    SilentServer(const SilentServer &) = delete;
    bool isGood() const { return m_good; }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }

private:
    int m_socket = socket(AF_INET, SOCK_STREAM, 0);
    bool m_good = false;
    int m_port = 0;
};

std::string closedPort()
{
    return SilentServer().url();
}

template <typename Widget> Widget *named(QWidget &parent, const QString &name)
{
    for (Widget *widget : parent.findChildren<Widget *>()) {
        if (widget->accessibleName() == name)
            return widget;
    }
    return nullptr;
}

QPushButton *button(QWidget &parent, const QString &text)
{
    for (QPushButton *one : parent.findChildren<QPushButton *>()) {
        if (one->text() == text)
            return one;
    }
    return nullptr;
}

} // namespace

// The Sources page's state, the connection test and the dialog, over the real engine and a real Prometheus.
class SourcesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_config = std::filesystem::path(m_folder->path().toStdString()) / "config" / "config.yaml";
    }
    void cleanup() { m_workspace.reset(); }

    void tellsOfEachSource()
    {
        open(smallFleet());
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        SourcesViewModel model(m_workspace->config(), m_workspace->sources(), m_workspace->spend(), tasks, sync, {});
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        QCOMPARE(model.cards().size(), std::size_t{1});
        QVERIFY(model.cards().front().standing == SourceCard::Standing::NeverSynced);
        model.sync(model.cards().front().name);
        QVERIFY(model.cards().front().standing == SourceCard::Standing::Syncing);
        QTRY_VERIFY_WITH_TIMEOUT(model.cards().front().standing == SourceCard::Standing::Fresh, kPatience);
        const SourceCard card = model.cards().front();
        QVERIFY(card.error.isEmpty());
        const auto seen = std::find_if(card.facts.begin(), card.facts.end(),
                                       [](const auto &fact) { return fact.label == QLatin1String("Seen"); });
        QVERIFY(seen != card.facts.end());
        QVERIFY2(seen->value.startsWith(QLatin1String("56 GPUs")), qPrintable(seen->value));
    }

    void saysWhatFailedAndWhatToDo()
    {
        model::Settings settings;
        settings.sources = {unreachable(closedPort())};
        open(settings);
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        SourcesViewModel model(m_workspace->config(), m_workspace->sources(), m_workspace->spend(), tasks, sync, {});
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        SourceTest *test = model.testOf("gone");
        QVERIFY(test != nullptr);
        QVERIFY(model.testOf("nobody") == nullptr);
        model.test("gone");
        QVERIFY(test->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(test->state() == SourceTest::State::Failed, kPatience);
        QVERIFY2(test->summary().contains(QLatin1String("can't be reached")), qPrintable(test->summary()));
    }

    void dropsTheAnswerOfAStoppedTest()
    {
        const SilentServer silent;
        QVERIFY(silent.isGood());
        open({});
        ui::TaskRunner tasks;
        SourceTest test(m_workspace->clock(), m_workspace->sources(), tasks);
        QSignalSpy changed(&test, &SourceTest::changed);
        test.start(unreachable(silent.url()));
        QVERIFY(test.isRunning());
        test.stop();
        QVERIFY(test.state() == SourceTest::State::Stopped);
        test.start(unreachable(closedPort()));
        QTRY_VERIFY_WITH_TIMEOUT(test.state() == SourceTest::State::Failed, kPatience);
        QCOMPARE(changed.size(), 4); // running, stopped, running, failed: nothing from the first test
    }

    void saysFirstRunWithoutSources()
    {
        open({});
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        SourcesViewModel model(m_workspace->config(), m_workspace->sources(), m_workspace->spend(), tasks, sync, {});
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::FirstRun, kPatience);
    }

    void addsARealPrometheusByKeys()
    {
        tests::RealServer server;
        QVERIFY(server.start(QStringLiteral("prometheus"), samples()));
        open({});
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        widgets::Theme theme;
        auto *dialog = new SourceDialog(theme, m_workspace->config(), m_workspace->sources(), tasks, sync, m_config);
        QSignalSpy accepted(dialog, &QDialog::accepted);
        dialog->open();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QTest::keyClick(dialog, Qt::Key_Return); // nothing is typed yet
        QVERIFY(told(*dialog, QStringLiteral("The address is missing, for example https://prometheus.example.org")));
        auto *address = named<QLineEdit>(*dialog, QStringLiteral("Address"));
        QVERIFY(address != nullptr);
        QVERIFY(address->hasFocus());
        QTest::keyClicks(address, QString::fromStdString(server.url()));
        auto *name = named<QLineEdit>(*dialog, QStringLiteral("Name"));
        QCOMPARE(name->text(), QStringLiteral("prometheus")); // an IP address is not suggested as a name
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("prod"));
        QTest::keyClick(name, Qt::Key_Return);
        QTest::keyClick(dialog, Qt::Key_Return); // no authentication is needed
        auto &test = dialog->draft().tester();
        QTRY_VERIFY_WITH_TIMEOUT(test.state() == SourceTest::State::Usable, kPatience);
        QVERIFY(!test.checks().empty());
        for (const QLabel *label : dialog->findChildren<QLabel *>()) {
            if (label->isVisible() && label->wordWrap())
                QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        }
        QVERIFY(!QFile::exists(QString::fromStdString(m_config.string())));
        QTest::mouseClick(button(*dialog, QStringLiteral("Add source")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(accepted.size(), 1, kPatience);
        QCOMPARE(m_workspace->settings().sources.size(), std::size_t{1});
        QCOMPARE(m_workspace->settings().sources.front().name, std::string("prod"));
        const auto rights = std::filesystem::status(m_config).permissions();
        QVERIFY((rights & (std::filesystem::perms::group_all | std::filesystem::perms::others_all))
                == std::filesystem::perms::none);
        // The new source is synced at once, which may already be over.
        QTRY_VERIFY_WITH_TIMEOUT(sync.running() || !sync.lastReports().empty(), kPatience);
        sync.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!sync.running(), kPatience);
    }

    void keepsTheRestOfTheFileByteForByte()
    {
        const QByteArray before = "# ours\nversion: 1\r\nsources: # all of them\n  - { name: a, kind: demo } # small\n"
                                  "\n# who pays\nowners:\n  - { label: team }\n";
        std::filesystem::create_directories(m_config.parent_path());
        write(before);
        open({});
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), tasks, sync, m_config);
        ui::SourceFields fields;
        fields.url = QStringLiteral("http://127.0.0.1:9");
        fields.name = QStringLiteral("<i>\"hostile\": #name</i>");
        fields.access = ui::SourceFields::Access::Bearer;
        draft.setFields(fields);
        QVERIFY(!draft.problem(ui::SourceDraft::Step::Access).isEmpty());
        fields.keeper = ui::SourceFields::Keeper::Environment;
        fields.kept = QStringLiteral("PROM_TOKEN");
        draft.setFields(fields);
        QCOMPARE(draft.problem(ui::SourceDraft::Step::Test), QString());
        QSignalSpy saved(&draft.saver(), &ui::ConfigurationSaver::saved);
        draft.save();
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
        sync.cancel();
        const QByteArray after = read();
        const qsizetype at = before.indexOf("\n\n# who pays") + 1;
        QVERIFY2(after.startsWith(before.left(at)) && after.endsWith(before.mid(at)), after.constData());
        QCOMPARE(m_workspace->settings().sources.back().name, fields.name.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(!sync.running(), kPatience);
    }

    void changesNothingWhereTheFileIsWrong()
    {
        std::filesystem::create_directories(m_config.parent_path());
        write("version: 1\nsources:\n  - { nam: a }\n");
        open({});
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        ui::SourceDraft draft(m_workspace->config(), m_workspace->sources(), tasks, sync, m_config);
        ui::SourceFields fields;
        fields.url = QStringLiteral("http://127.0.0.1:9");
        fields.name = QStringLiteral("prod");
        draft.setFields(fields);
        QSignalSpy failed(&draft.saver(), &ui::ConfigurationSaver::failed);
        draft.save();
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
        QCOMPARE(read(), QByteArray("version: 1\nsources:\n  - { nam: a }\n"));
        QVERIFY(m_workspace->settings().sources.empty());
    }

private:
    void open(model::Settings settings)
    {
        auto workspace = services::Workspace::open(std::move(settings), {m_folder->path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
    }
    bool told(const QWidget &dialog, const QString &text) const
    {
        const auto labels = dialog.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
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
    // One device of dcgm-exporter, until now.
    QByteArray samples() const
    {
        QByteArray text = "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n";
        const qint64 now = base::toUnix(m_clock.now());
        for (int minute = 90; minute >= 0; --minute)
            text += "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",modelName=\"Tesla "
                    "V100\",Hostname=\"n1\",job=\"dcgm\",instance=\"10.0.0.1:9400\"} 40 "
                + QByteArray::number(now - 60 * minute) + "\n";
        return text + "# EOF\n";
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_config;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{*base::parseTime("2026-11-21T12:00:00Z")};
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_WINDOW_SUITE(SourcesTest)

} // namespace tst_sources

#include "tst_sources.moc"
