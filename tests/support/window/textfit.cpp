// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window/textfit.h"

#include "tests/support/window/pseudotranslator.h"
#include "widgets/table/tableheader.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolButton>

#include <algorithm>

namespace gpuledger::tests {

namespace {

constexpr int kLongestRest = 10'000; // ms
constexpr int kLeastMargin = 4; // of a button, both sides together

QString plain(const QString &text)
{
    return Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
}

QString faceOf(const QAbstractButton &button)
{
    static const QRegularExpression kMnemonic(QStringLiteral("&(.)"));
    return QString(button.text()).replace(kMnemonic, QStringLiteral("\\1")).trimmed();
}

bool showsText(const QAbstractButton &button)
{
    const auto *tool = qobject_cast<const QToolButton *>(&button);
    return !faceOf(button).isEmpty() && !button.property("iconOnly").toBool()
        && (!tool || tool->toolButtonStyle() != Qt::ToolButtonIconOnly || tool->icon().isNull());
}

QString describe(const QWidget &widget, const QString &text, const QString &fault)
{
    return QStringLiteral("%1 \"%2\" %3")
        .arg(QString::fromLatin1(widget.metaObject()->className()), text.left(90), fault);
}

QString tooSmall(int needed, int there)
{
    return QStringLiteral("needs %1 px and has %2").arg(needed).arg(there);
}

// Data that its owner elides, with the full text on hover.
bool isElided(const QLabel &label)
{
    return label.text().endsWith(QChar(0x2026)) && plain(label.toolTip()).size() >= label.text().size();
}

void checkLabel(const QLabel &label, QStringList &out)
{
    const QString text = label.text();
    if (text.isEmpty() || isElided(label))
        return;
    const QRect room = label.contentsRect();
    if (label.wordWrap()) {
        if (const int needed = label.heightForWidth(label.width()); needed > label.height() + 1)
            out << describe(label, text, tooSmall(needed, label.height()) + QStringLiteral(" of height"));
        return;
    }
    int needed = 0; // the widest line
    for (const QString &line : text.split(QLatin1Char('\n')))
        needed = std::max(needed, label.fontMetrics().horizontalAdvance(line));
    if (needed > room.width() + 1)
        out << describe(label, text, tooSmall(needed, room.width()));
}

void checkHeader(const widgets::TableHeader &header, QStringList &out)
{
    for (int column = 0; column < header.count(); ++column) {
        const int at = header.sectionViewportPosition(column);
        if (header.isSectionHidden(column) || at >= header.viewport()->width())
            continue;
        if (const int needed = header.titleWidth(column); needed > header.sectionSize(column))
            out << describe(header, header.model()->headerData(column, Qt::Horizontal).toString(),
                            tooSmall(needed, header.sectionSize(column)));
    }
}

// Whatever an ancestor clips is visible only by scrolling.
bool isClipped(const QWidget &widget, const QWidget &root)
{
    const QRect here(widget.mapTo(&root, QPoint()), widget.size());
    for (const QWidget *above = widget.parentWidget(); above && above != root.parentWidget();
         above = above->parentWidget()) {
        const bool isViewport = above->parentWidget()
            && above->parentWidget()->inherits("QAbstractScrollArea"); // vertical clipping can be scrolled
        const QRect frame(above->mapTo(&root, QPoint()), above->size());
        if (here.left() < frame.left() - 1 || here.right() > frame.right() + 1)
            return true;
        if (isViewport)
            return false;
        if (above == &root)
            break;
    }
    return false;
}

QList<const QWidget *> visible(const QWidget &root)
{
    QList<const QWidget *> out{&root};
    for (const QWidget *widget : root.findChildren<QWidget *>()) {
        if (widget->isVisible() && widget->window() == root.window())
            out << widget;
    }
    return out;
}

QStringList cellTexts(const QAbstractItemView &view)
{
    QStringList out;
    const QAbstractItemModel *model = view.model();
    const auto take = [&](const QModelIndex &parent) {
        for (int row = 0; row < std::min(model->rowCount(parent), 40); ++row) {
            for (int column = 0; column < model->columnCount(parent); ++column) {
                const QModelIndex index = model->index(row, column, parent);
                out << index.data().toString() << index.data(Qt::ToolTipRole).toString()
                    << index.data(Qt::AccessibleTextRole).toString();
            }
        }
    };
    if (!model)
        return out;
    take({});
    for (int row = 0; row < std::min(model->rowCount(), 10); ++row)
        take(model->index(row, 0));
    return out;
}

QStringList textsOf(const QWidget &widget)
{
    QStringList out{widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle()};
    if (const auto *label = qobject_cast<const QLabel *>(&widget); label && !isElided(*label))
        out << label->text();
    if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
        out << faceOf(*button);
    if (const auto *edit = qobject_cast<const QLineEdit *>(&widget))
        out << edit->placeholderText();
    if (const auto *menu = qobject_cast<const QMenu *>(&widget)) {
        for (const QAction *action : menu->actions())
            out << action->text().remove(QLatin1Char('&'));
    }
    if (const auto *header = qobject_cast<const QHeaderView *>(&widget); header && header->model()) {
        for (int i = 0; i < header->count(); ++i)
            out << header->model()->headerData(i, header->orientation()).toString()
                << header->model()->headerData(i, header->orientation(), Qt::ToolTipRole).toString();
    } else if (const auto *view = qobject_cast<const QAbstractItemView *>(&widget)) {
        out << cellTexts(*view);
    }
    out.removeAll(QString());
    return out;
}

} // namespace

QStringList cutTexts(const QWidget &root)
{
    QStringList out;
    for (const QWidget *widget : visible(root)) {
        if (const auto *label = qobject_cast<const QLabel *>(widget)) {
            checkLabel(*label, out);
            if (!label->text().isEmpty() && isClipped(*label, root))
                out << describe(*label, label->text(), QStringLiteral("is cut off at the side"));
        } else if (const auto *button = qobject_cast<const QAbstractButton *>(widget); button && showsText(*button)) {
            const int needed = button->fontMetrics().horizontalAdvance(faceOf(*button)) + kLeastMargin;
            if (needed > button->width())
                out << describe(*button, faceOf(*button), tooSmall(needed, button->width()));
            else if (isClipped(*button, root))
                out << describe(*button, faceOf(*button), QStringLiteral("is cut off at the side"));
        } else if (const auto *edit = qobject_cast<const QLineEdit *>(widget)) {
            const int needed = edit->fontMetrics().horizontalAdvance(edit->placeholderText());
            if (needed > edit->contentsRect().width())
                out << describe(*edit, edit->placeholderText(), tooSmall(needed, edit->contentsRect().width()));
        } else if (const auto *header = qobject_cast<const widgets::TableHeader *>(widget)) {
            checkHeader(*header, out);
        }
    }
    return out;
}

QStringList cutTextsAtRest(const QWidget &root)
{
    QStringList cut;
    const bool isRight = QTest::qWaitFor(
        [&] {
            cut = cutTexts(root);
            return cut.isEmpty();
        },
        kLongestRest);
    return isRight ? QStringList() : cut;
}

QStringList untranslatedTexts(const QWidget &root, const QSet<QString> &data, int &seen)
{
    QStringList out;
    for (const QWidget *widget : visible(root)) {
        for (const QString &text : textsOf(*widget)) {
            ++seen;
            if (const QStringList words = untranslatedWords(plain(text), data); !words.isEmpty())
                out << describe(*widget, plain(text), QStringLiteral("says ") + words.join(QLatin1Char(' ')));
        }
    }
    out.removeDuplicates();
    return out;
}

} // namespace gpuledger::tests
