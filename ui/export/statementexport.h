// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/statementdocument.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <QDate>
#include <QObject>
#include <QPageSize>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QWidget;

namespace gpuledger::services {
class SavingsService;
}

namespace gpuledger::ui {

enum class StatementFormat { PdfA4, PdfLetter, Workbook, Csv, Html };

// Saves and prints statements: asks for a file, writes on a worker thread, reports the result. One file at a time, or
// one for each team of a month. Owned by its page; GUI thread.
class StatementExport : public QObject {
    Q_OBJECT
public:
    // The content of an export: the page's figures, and for which team.
    struct What {
        std::shared_ptr<const ShowbackSnapshot> snapshot;
        std::optional<std::string> team; // std::nullopt: all teams, in one document
        bool withSavings = false; // adds what could be saved, except to CSV; not for a closed month
    };

    // `tasks` and `savings` must outlive it.
    StatementExport(TaskRunner &tasks, services::SavingsService &savings, QWidget &page);

    void save(const What &what, StatementFormat format);
    // Writes a file for every team to a folder that the user chooses. One run at a time; stop() ends it between two
    // files.
    void saveAll(const What &what, StatementFormat format);
    void stop() { m_stop.request_stop(); }
    void print(const What &what);

    // The same with what could be saved, of its team or of all. What belongs to no team has none. Blocks; any thread.
    // Fails as services::foundSavings().
    [[nodiscard]] static base::Result<What> withFoundSavings(services::SavingsService &savings, What what);
    // The same for several of one month, whose savings are found once. At least one.
    [[nodiscard]] static base::Result<std::vector<What>>
    withFoundSavings(services::SavingsService &savings, std::vector<What> all, const std::stop_token &stop);

    static QString suffixOf(StatementFormat format);
    static QString fileName(const What &what, StatementFormat format);
    // The document's bytes. `sheets` must be those of the same statement, for formats that show texts. Any thread.
    static base::Result<QByteArray> bytesOf(const reports::Statement &statement,
                                            const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                            StatementFormat format, const std::stop_token &stop);
    // For all teams: a summary, then each team.
    static std::vector<StatementSheet> sheetsOf(const What &what);

Q_SIGNALS:
    void preparing(); // savings are being found
    void prepared(); // they were found, and a dialog asks how to print them
    void advanced(int done, int all); // files of saveAll()
    void saved(const QString &where, int files);
    void failed(const base::Error &error, int done);

private:
    // Calls `then` with these, with their savings if they are to have them; failed() otherwise.
    void prepare(std::vector<What> all, std::function<void(const std::vector<What> &)> then);
    void write(const What &what, StatementFormat format, const QString &file);
    void writeAll(const What &what, StatementFormat format, const QString &folder);
    void writeEach(const std::vector<What> &each, StatementFormat format, const QString &folder);
    void printNow(const What &what);

    TaskRunner &m_tasks;
    services::SavingsService &m_savings;
    QWidget &m_page;
    std::stop_source m_stop;
};

} // namespace gpuledger::ui
