// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/statementexport.h"

#include "app/reports/documents/documents.h"
#include "app/services/billing/foundsavings.h"
#include "ui/export/exportfile.h"
#include "ui/export/statementprint.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QPrintDialog>
#include <QPrinter>
#include <QStandardPaths>
#include <QWidget>

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::ui {

using base::Result;

namespace {

constexpr QLatin1String kPdf("pdf");

QString folderOfDocuments()
{
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

reports::Statement statementOf(const StatementExport::What &what)
{
    return what.team ? reports::ofTeam(what.snapshot->statement, *what.team) : what.snapshot->statement;
}

// Every team of any currency once, most expensive first.
std::vector<std::string> teamsOf(const reports::Statement &statement)
{
    std::vector<std::string> teams;
    std::set<std::string> seen;
    for (const reports::CurrencyStatement &currency : statement.currencies) {
        for (const reports::TeamStatement &team : currency.teams) {
            if (seen.insert(team.team).second)
                teams.push_back(team.team);
        }
    }
    return teams;
}

// A file to be written.
struct Job {
    QString file;
    reports::Statement statement;
    std::vector<StatementSheet> sheets;
};

} // namespace

StatementExport::StatementExport(TaskRunner &tasks, services::SavingsService &savings, QWidget &page)
    : QObject(&page)
    , m_tasks(tasks)
    , m_savings(savings)
    , m_page(page)
{
}

Result<StatementExport::What> StatementExport::withFoundSavings(services::SavingsService &savings, What what)
{
    auto all = withFoundSavings(savings, std::vector<What>{std::move(what)}, {});
    GPULEDGER_TRY(all);
    return std::move(all->front());
}

Result<std::vector<StatementExport::What>>
StatementExport::withFoundSavings(services::SavingsService &savings, std::vector<What> all, const std::stop_token &stop)
{
    const auto isNobody = [](const What &one) { return one.team && one.team->empty(); };
    if (std::all_of(all.begin(), all.end(), isNobody))
        return all;
    const auto known = services::savingsOfMonth(savings, all.front().snapshot->statement, stop);
    GPULEDGER_TRY(known);
    for (What &one : all) {
        if (isNobody(one)) // else it would be those of all
            continue;
        auto found = services::foundSavings(*known, one.snapshot->statement, one.team.value_or(std::string()));
        GPULEDGER_TRY(found);
        auto snapshot = std::make_shared<ShowbackSnapshot>(*one.snapshot);
        snapshot->statement.savings = std::move(*found);
        one.snapshot = std::move(snapshot);
    }
    return all;
}

void StatementExport::prepare(std::vector<What> all, std::function<void(const std::vector<What> &)> then)
{
    using Answer = Result<std::vector<What>>;
    if (all.empty() || !all.front().withSavings) {
        then(all);
        return;
    }
    Q_EMIT preparing();
    m_stop = {};
    m_tasks.run<Answer>(
        this,
        [all = std::move(all), &savings = m_savings, mine = m_stop.get_token()](const std::stop_token &stop) -> Answer {
            std::stop_source either;
            const std::stop_callback byUser(mine, [&either] { either.request_stop(); });
            const std::stop_callback byTasks(stop, [&either] { either.request_stop(); });
            return withFoundSavings(savings, all, either.get_token());
        },
        [this, then = std::move(then)](const Answer &answer) {
            if (answer)
                then(*answer);
            else
                Q_EMIT failed(answer.error(), 0);
        });
}

QString StatementExport::suffixOf(StatementFormat format)
{
    switch (format) {
    case StatementFormat::PdfA4:
    case StatementFormat::PdfLetter:
        return kPdf;
    case StatementFormat::Workbook:
        return QStringLiteral("xlsx");
    case StatementFormat::Csv:
        return QStringLiteral("csv");
    case StatementFormat::Html:
        return QStringLiteral("html");
    }
    return {};
}

QString StatementExport::fileName(const What &what, StatementFormat format)
{
    const QString team = what.team ? statementTeamName(*what.team) : tr("all-teams", "part of a file's name");
    return statementFileName({tr("statement", "part of a file's name"),
                              QString::fromStdString(insight::toString(what.snapshot->month)), team},
                             suffixOf(format));
}

std::vector<StatementSheet> StatementExport::sheetsOf(const What &what)
{
    std::vector<StatementSheet> sheets{statementSheet(*what.snapshot, what.team)};
    if (!what.team) {
        for (const std::string &team : teamsOf(what.snapshot->statement))
            sheets.push_back(statementSheet(*what.snapshot, team));
    }
    return sheets;
}

Result<QByteArray> StatementExport::bytesOf(const reports::Statement &statement,
                                            const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                            StatementFormat format, const std::stop_token &stop)
{
    switch (format) {
    case StatementFormat::PdfA4:
        return statementPdf(sheets, look, QPageSize::A4, stop);
    case StatementFormat::PdfLetter:
        return statementPdf(sheets, look, QPageSize::Letter, stop);
    case StatementFormat::Workbook: {
        auto bytes = reports::toXlsx(statement);
        GPULEDGER_TRY(bytes);
        return QByteArray::fromStdString(*bytes);
    }
    case StatementFormat::Csv:
        return QByteArray::fromStdString(reports::toCsv(statement));
    case StatementFormat::Html:
        return QByteArray::fromStdString(reports::toHtml(statement));
    }
    return QByteArray();
}

void StatementExport::save(const What &what, StatementFormat format)
{
    const QString suffix = suffixOf(format);
    auto *dialog =
        new QFileDialog(&m_page, tr("Export the statement"), QDir(folderOfDocuments()).filePath(fileName(what, format)),
                        QStringLiteral("*.") + suffix);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, what, format](const QString &file) {
        What wanted = what;
        wanted.withSavings = what.withSavings && format != StatementFormat::Csv; // which has no place for them
        prepare({wanted}, [this, format, file](const std::vector<What> &all) { write(all.front(), format, file); });
    });
    dialog->open();
}

void StatementExport::write(const What &what, StatementFormat format, const QString &file)
{
    using Answer = Result<void>;
    m_tasks.run<Answer>(
        this,
        [file, format, statement = statementOf(what), sheets = sheetsOf(what),
         look = DocumentLook::onPaper(kPdfDotsPerInch)](const std::stop_token &stop) -> Answer {
            const auto bytes = bytesOf(statement, sheets, look, format, stop);
            GPULEDGER_TRY(bytes);
            return writeExportFile(file, *bytes);
        },
        [this, file](const Answer &answer) {
            if (answer)
                Q_EMIT saved(file, 1);
            else
                Q_EMIT failed(answer.error(), 0);
        });
}

void StatementExport::saveAll(const What &what, StatementFormat format)
{
    auto *dialog = new QFileDialog(&m_page, tr("Choose a folder for the statements"), folderOfDocuments());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, what, format](const QString &folder) { writeAll(what, format, folder); });
    dialog->open();
}

void StatementExport::writeAll(const What &what, StatementFormat format, const QString &folder)
{
    std::vector<What> all;
    for (const std::string &team : teamsOf(what.snapshot->statement))
        all.push_back({what.snapshot, team, what.withSavings});
    prepare(std::move(all), [this, format, folder](const std::vector<What> &each) { writeEach(each, format, folder); });
}

void StatementExport::writeEach(const std::vector<What> &each, StatementFormat format, const QString &folder)
{
    std::vector<Job> jobs;
    std::set<QString> names; // two teams may have the same file name
    for (const What &one : each) {
        QString name = fileName(one, format);
        for (int i = 2; !names.insert(name.toCaseFolded()).second; ++i)
            name = statementFileName({fileName(one, format).chopped(suffixOf(format).size() + 1), QString::number(i)},
                                     suffixOf(format));
        jobs.push_back({QDir(folder).filePath(name), statementOf(one), {statementSheet(*one.snapshot, one.team)}});
    }
    struct Done {
        int files = 0;
        std::optional<base::Error> error;
    };
    m_stop = {};
    const int all = static_cast<int>(jobs.size());
    const QPointer<StatementExport> self(this);
    m_tasks.run<Done>(
        this,
        [jobs = std::move(jobs), format, all, self, mine = m_stop.get_token(),
         look = DocumentLook::onPaper(kPdfDotsPerInch)](const std::stop_token &stop) {
            Done done;
            for (const Job &job : jobs) {
                auto bytes = mine.stop_requested() || stop.stop_requested()
                    ? Result<QByteArray>(base::fail(base::ErrorCode::Cancelled, "stopped"))
                    : bytesOf(job.statement, job.sheets, look, format, stop);
                const Result<void> written = bytes ? writeExportFile(job.file, *bytes) : base::fail(bytes.error());
                if (!written) {
                    done.error = written.error();
                    break;
                }
                ++done.files;
                QMetaObject::invokeMethod(
                    QCoreApplication::instance(),
                    [self, files = done.files, all] {
                        if (self)
                            Q_EMIT self->advanced(files, all);
                    },
                    Qt::QueuedConnection);
            }
            return done;
        },
        [this, folder](const Done &done) {
            if (done.error)
                Q_EMIT failed(*done.error, done.files);
            else
                Q_EMIT saved(folder, done.files);
        });
}

void StatementExport::print(const What &what)
{
    prepare({what}, [this](const std::vector<What> &all) {
        if (all.front().withSavings)
            Q_EMIT prepared();
        printNow(all.front());
    });
}

void StatementExport::printNow(const What &what)
{
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(fileName(what, StatementFormat::PdfA4));
    printer->setCreator(QStringLiteral("GPU Ledger"));
    printer->setFullPage(true);
    auto *dialog = new QPrintDialog(printer.get(), &m_page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // The printer must be destroyed after the dialog that uses it.
    connect(dialog, &QObject::destroyed, this, [printer] {});
    connect(dialog, qOverload<QPrinter *>(&QPrintDialog::accepted), this, [this, what, printer](QPrinter *) {
        const auto printed = printStatements(sheetsOf(what), DocumentLook::onPaper(printer->resolution()), *printer);
        if (!printed)
            Q_EMIT failed(printed.error(), 0);
    });
    dialog->open();
}

} // namespace gpuledger::ui
