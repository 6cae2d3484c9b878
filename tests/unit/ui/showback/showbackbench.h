// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/reports/statement/history.h"
#include "ui/dialogs/showback/decisiondialog.h"
#include "ui/dialogs/showback/presentation.h"

#include <QByteArray>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProcess>
#include <QPushButton>
#include <QStringList>
#include <QTest>

#include <algorithm>

// Helpers for the tests of the Showback page.
namespace gpuledger::tests {

// Two complete months and some days of a third, with bills.
inline model::Settings billedFleet()
{
    model::Settings settings;
    for (const char *kind : {"demo", "demo-bill"}) {
        model::SourceSettings source;
        source.name = source.kind = kind;
        source.options = {{"gpus", "56"}, {"days", "68"}};
        source.firstSync = 68 * base::kDay;
        settings.sources.push_back(std::move(source));
    }
    model::OwnerRule label;
    label.kind = model::OwnerRule::Kind::Label;
    label.key = "team";
    settings.owners.push_back(label);
    return settings;
}

inline std::int64_t sumOf(const reports::History::Lines *lines)
{
    std::int64_t sum = 0;
    if (lines) {
        for (const auto &[line, amount] : *lines)
            sum += amount.nanos();
    }
    return sum;
}

inline QByteArray run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0)
        return {};
    return process.readAllStandardOutput();
}

// For visual inspection, if the environment names a folder.
inline void keepPicture(QWidget &widget, const QByteArray &name)
{
    if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
        QVERIFY(widget.grab().save(folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".png")));
}

inline QPushButton *button(const QWidget &widget, const QString &text)
{
    const auto all = widget.findChildren<QPushButton *>();
    const auto it = std::find_if(all.begin(), all.end(), [&](const QPushButton *one) { return one->text() == text; });
    return it == all.end() ? nullptr : *it;
}

inline void decide(ui::Presentation &meeting, const QString &what, const QString &target)
{
    QTest::keyClick(&meeting, Qt::Key_D);
    auto *dialog = meeting.findChild<ui::DecisionDialog *>();
    QVERIFY(dialog);
    QPushButton *keep = button(*dialog, QStringLiteral("Save decision"));
    QVERIFY(!keep->isEnabled());
    QTest::keyClicks(dialog->focusWidget(), what);
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(dialog->focusWidget(), QStringLiteral("alex"));
    QVERIFY(keep->isEnabled());
    auto fields = dialog->findChildren<QLineEdit *>();
    const auto field = std::find_if(fields.begin(), fields.end(), [](const QLineEdit *one) {
        return one->accessibleName().startsWith(QStringLiteral("To at most"));
    });
    QVERIFY(field != fields.end());
    (*field)->setText(QStringLiteral("much"));
    QVERIFY(!keep->isEnabled());
    (*field)->setText(target);
    keepPicture(*dialog, "decision");
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(!meeting.findChild<ui::DecisionDialog *>());
}

inline QStringList labels(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        texts << label->text();
    return texts;
}

inline void write(const QString &name, const QByteArray &content)
{
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

inline QString total(const base::Money &amount)
{
    return QLocale().toString(amount.toDouble(), 'f', 2);
}

} // namespace gpuledger::tests
