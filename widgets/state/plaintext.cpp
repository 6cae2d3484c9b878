// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/plaintext.h"

#include <QGuiApplication>
#include <QLabel>

#include <algorithm>

namespace gpuledger::widgets {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    // A label follows the direction of its text; names in Latin letters would be aligned to the wrong side.
    if (QGuiApplication::isRightToLeft())
        label->setAlignment(Qt::AlignRight | Qt::AlignAbsolute | Qt::AlignVCenter);
    label->setText(text);
    return label;
}

QLabel *plainLabel(const Theme &theme, const QString &text, TextSize size, Color color, QFont::Weight weight,
                   QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    const auto dress = [&theme, label, size, color, weight] {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.color(color));
        label->setPalette(palette);
        label->setFont(theme.font(size, weight));
    };
    QObject::connect(&theme, &Theme::changed, label, dress);
    dress();
    return label;
}

void fitHeight(QLabel &label, int width)
{
    label.setMinimumHeight(0); // a label never needs less than its minimum, here that of an earlier text
    label.setFixedHeight(std::max(0, label.heightForWidth(width)));
}

QString plainToolTip(const QString &text)
{
    return text.isEmpty() ? QString() : Qt::convertFromPlainText(text);
}

QString plainLine(const QString &text, int longest)
{
    QString result;
    bool space = false;
    for (const QChar c : text) {
        const bool turns = (c >= QChar(0x202A) && c <= QChar(0x202E)) || (c >= QChar(0x2066) && c <= QChar(0x2069))
            || c == QChar(0x200E) || c == QChar(0x200F) || c == QChar(0x061C);
        if (turns)
            continue;
        if (c.isSpace() || c.category() == QChar::Other_Control) {
            space = !result.isEmpty();
            continue;
        }
        if (result.size() + (space ? 1 : 0) >= longest) {
            if (result.back().isHighSurrogate())
                result.chop(1);
            return result + QChar(0x2026);
        }
        if (space)
            result += QLatin1Char(' ');
        space = false;
        result += c;
    }
    return result;
}

QMessageBox *plainMessageBox(QMessageBox::Icon icon, const QString &title, const QString &text, const QString &remedy,
                             QWidget *parent)
{
    auto *box = new QMessageBox(icon, title, QString(), QMessageBox::NoButton, parent);
    box->setTextFormat(Qt::PlainText);
    box->setText(text);
    // The informative text has no format of its own. Its lines must be able to break at blanks, otherwise long ones are
    // cut off.
    if (!remedy.isEmpty())
        box->setInformativeText(Qt::convertFromPlainText(remedy, Qt::WhiteSpaceNormal));
    return box;
}

} // namespace gpuledger::widgets
