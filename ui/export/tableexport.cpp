// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/tableexport.h"

#include "ui/export/exportfile.h"
#include "ui/format/localtext.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QStandardPaths>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kCsv("csv");

class TableExport {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::TableExport)
public:
    // The dialog is owned by the table and destroyed with it.
    static void ask(widgets::DataTable &table, const QString &name, TaskRunner &tasks)
    {
        const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
        auto *dialog = new QFileDialog(&table, tr("Export the table"), folder.filePath(name), tr("Tables (*.csv)"));
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(kCsv);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QFileDialog::fileSelected, &table,
                         [&table, &tasks](const QString &file) { save(table, file, tasks); });
        dialog->open();
    }

private:
    static void save(widgets::DataTable &table, const QString &file, TaskRunner &tasks)
    {
        using Answer = base::Result<void>;
        tasks.run<Answer>(
            &table,
            [file, bytes = table.csv()](const std::stop_token &) -> Answer { return writeExportFile(file, bytes); },
            [&table](const Answer &answer) {
                if (answer)
                    return;
                auto *box = widgets::plainMessageBox(QMessageBox::Warning, // allowed: created by the factory
                                                     tr("The table was not saved"), LocalText::sentence(answer.error()),
                                                     {}, &table);
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
            TableExport::ask(*table, exportFileName({title, table->name()}, day(), kCsv), tasks);
        });
}

} // namespace gpuledger::ui
