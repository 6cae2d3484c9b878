// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/tableexport.h"

#include "ui/export/exportfile.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QStandardPaths>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kCsv("csv"), kXlsx("xlsx");

class TableExport {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::TableExport)
public:
    // The dialog is owned by `owner` and destroyed with it.
    static void ask(QWidget &owner, const QString &name, QLatin1String suffix,
                    const std::function<FileMaker()> &content, TaskRunner &tasks)
    {
        const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
        auto *dialog = new QFileDialog(&owner, tr("Export the table"), folder.filePath(name),
                                       suffix == kXlsx ? tr("Workbooks (*.xlsx)") : tr("Tables (*.csv)"));
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(suffix);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QFileDialog::fileSelected, &owner,
                         [&owner, &tasks, content](const QString &file) { save(owner, file, content(), tasks); });
        dialog->open();
    }

private:
    static void save(QWidget &owner, const QString &file, const FileMaker &make, TaskRunner &tasks)
    {
        using Answer = base::Result<void>;
        tasks.run<Answer>(
            &owner,
            [file, make](const std::stop_token &) -> Answer {
                const auto bytes = make();
                GPULEDGER_TRY(bytes);
                return writeExportFile(file, *bytes);
            },
            [&owner](const Answer &answer) {
                if (answer)
                    return;
                auto *box = widgets::plainMessageBox(QMessageBox::Warning, // allowed: created by the factory
                                                     tr("The table was not saved"), LocalText::sentence(answer.error()),
                                                     {}, &owner);
                box->setAttribute(Qt::WA_DeleteOnClose);
                box->open();
            });
    }
};

} // namespace

void offerExports(QWidget &page, const QString &title, const std::function<QDate()> &day, TaskRunner &tasks)
{
    for (widgets::DataTable *table : page.findChildren<widgets::DataTable *>())
        QObject::connect(table, &widgets::DataTable::exportRequested, table, [table, title, day, &tasks] {
            const auto content = [table]() -> FileMaker { return [bytes = table->csv()] { return bytes; }; };
            TableExport::ask(*table, exportFileName({title, table->name()}, day(), kCsv), kCsv, content, tasks);
        });
}

void askForWorkbook(QWidget &owner, const QString &name, const std::function<FileMaker()> &content, TaskRunner &tasks)
{
    TableExport::ask(owner, name, kXlsx, content, tasks);
}

QString workbookSuffix()
{
    return kXlsx;
}

} // namespace gpuledger::ui
