// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/picklist.h"

#include "widgets/state/plaintext.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kLineHeight = 32;

// Text and kind at the start of the line, the detail at its end.
class PickDelegate : public QStyledItemDelegate {
public:
    PickDelegate(const Theme &theme, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {0, kLineHeight}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        const bool current = option.state & (QStyle::State_Selected | QStyle::State_MouseOver);
        if (current) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(m_theme.color(option.state & QStyle::State_Selected ? Color::Select : Color::Background));
            const int radius = m_theme.radius(Radius::Control);
            painter->drawRoundedRect(option.rect, radius, radius);
        }
        const int side = m_theme.space(Space::Small);
        QRect room = option.rect.adjusted(side, 0, -side, 0);
        const auto draw = [&](const QString &text, TextSize size, Color color, Qt::Alignment end) {
            painter->setFont(m_theme.font(size));
            painter->setPen(m_theme.color(color));
            const QFontMetrics metrics(painter->font());
            const QString shown = metrics.elidedText(text, Qt::ElideMiddle, room.width());
            const int width = metrics.horizontalAdvance(shown);
            QRect place = room;
            if (end == Qt::AlignRight) {
                place.setLeft(place.right() - width + 1);
                room.setRight(place.left() - m_theme.space(Space::Small) - 1);
            } else {
                place.setWidth(width);
                room.setLeft(place.right() + m_theme.space(Space::Small) + 1);
            }
            painter->drawText(QStyle::visualRect(option.direction, option.rect, place),
                              static_cast<int>(Qt::AlignVCenter) | Qt::TextSingleLine, shown);
        };
        draw(index.data(PickModel::DetailRole).toString(), TextSize::Caption, Color::Muted, Qt::AlignRight);
        draw(index.data().toString(), TextSize::Body, Color::Text, Qt::AlignLeft);
        draw(index.data(PickModel::KindRole).toString(), TextSize::Caption, Color::Muted, Qt::AlignLeft);
        painter->restore();
    }

private:
    const Theme &m_theme;
};

} // namespace

PickList::PickList(const Theme &theme, const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_view(new QListView(this))
    , m_empty(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_field->setMaxLength(200);
    m_field->installEventFilter(this);
    setFocusProxy(m_field);
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new PickDelegate(theme, m_view));
    m_view->setUniformItemSizes(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setMouseTracking(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    layout->addWidget(m_field);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    setName(name);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model.setPattern(text);
        showResult();
    });
    connect(m_view, &QListView::clicked, this, [this] { pick(); });
    connect(&theme, &Theme::changed, m_view->viewport(), qOverload<>(&QWidget::update));
    showResult();
}

void PickList::setName(const QString &name)
{
    m_field->setAccessibleName(name);
    m_view->setAccessibleName(name);
}

void PickList::setPlaceholder(const QString &text)
{
    m_field->setPlaceholderText(text);
}

void PickList::setEmptyText(const QString &text)
{
    m_empty->setText(text);
}

void PickList::setEntries(std::vector<PickEntry> entries)
{
    const QString before = currentKey();
    m_model.setEntries(std::move(entries));
    showResult();
    for (int row = 0; !before.isEmpty() && row < m_model.rowCount(); ++row) {
        if (m_model.entryAt(row).key == before) {
            m_view->setCurrentIndex(m_model.index(row));
            break;
        }
    }
}

void PickList::setPattern(const QString &pattern)
{
    m_field->setText(pattern);
}

QString PickList::currentKey() const
{
    return m_view->currentIndex().data(PickModel::KeyRole).toString();
}

int PickList::wantedHeight() const
{
    return m_field->sizeHint().height() + layout()->spacing() + std::max(1, m_model.rowCount()) * kLineHeight;
}

void PickList::showResult()
{
    const bool any = m_model.rowCount() > 0;
    m_view->setVisible(any);
    m_empty->setVisible(!any);
    if (any) {
        m_view->setCurrentIndex(m_model.index(0));
        m_view->scrollToTop();
    }
    // The focus is in the field, so the entry that Enter would pick becomes the field's description.
    const QString current = m_view->currentIndex().data(Qt::AccessibleTextRole).toString();
    m_field->setAccessibleDescription(any ? current : m_empty->text());
    Q_EMIT resultShown();
}

void PickList::move(int rows)
{
    if (m_model.rowCount() == 0)
        return;
    const int row = std::clamp(m_view->currentIndex().row() + rows, 0, m_model.rowCount() - 1);
    m_view->setCurrentIndex(m_model.index(row));
    m_field->setAccessibleDescription(m_view->currentIndex().data(Qt::AccessibleTextRole).toString());
    QAccessibleEvent told(m_field, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
}

void PickList::pick()
{
    const QString key = currentKey();
    if (!key.isEmpty())
        Q_EMIT picked(key);
}

bool PickList::handleKey(int key)
{
    const int page = std::max(1, m_view->viewport()->height() / kLineHeight - 1);
    switch (key) {
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(page);
        return true;
    case Qt::Key_PageUp:
        move(-page);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        pick();
        return true;
    case Qt::Key_Backspace:
    case Qt::Key_Left:
        if (!m_field->text().isEmpty())
            return false;
        Q_EMIT leftEmpty();
        return true;
    default:
        return false;
    }
}

bool PickList::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent *>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

} // namespace gpuledger::widgets
