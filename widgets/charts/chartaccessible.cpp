// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartaccessible.h"

#include "widgets/charts/chart.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace gpuledger::widgets {

namespace {

class Item : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    Item(Chart *chart, int index)
        : m_chart(chart)
        , m_index(index)
    {
    }

    bool isValid() const override { return m_chart && m_index < m_chart->itemCount(); }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *parent() const override
    {
        return m_chart ? QAccessible::queryAccessibleInterface(m_chart) : nullptr;
    }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    void setText(QAccessible::Text, const QString &) override { }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    int index() const { return m_index; }

    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? m_chart->itemText(m_index) : QString();
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect item = m_chart->itemRect(m_index).toAlignedRect();
        return {m_chart->mapToGlobal(item.topLeft()), item.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        state.focusable = true;
        state.selectable = true;
        state.selected = m_chart->currentIndex() == m_index;
        state.focused = state.selected && m_chart->hasFocus();
        state.readOnly = true;
        state.invisible = !m_chart->isVisible();
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &name) override
    {
        if (!isValid() || name != pressAction())
            return;
        m_chart->setCurrentIndex(m_index);
        Q_EMIT m_chart->activated(m_index);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<Chart> m_chart;
    int m_index;
};

// Items are created on demand and kept by id until the data change.
class Container : public QAccessibleWidget {
public:
    explicit Container(Chart *chart)
        : QAccessibleWidget(chart, QAccessible::Chart)
    {
    }
    ~Container() override { drop(); }

    int childCount() const override { return chart()->itemCount(); }
    QAccessibleInterface *child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto known = m_ids.find(index);
        if (known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        auto *item = new Item(chart(), index);
        m_ids.emplace(index, QAccessible::registerAccessibleInterface(item));
        return item;
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        const auto *item = dynamic_cast<const Item *>(child);
        return item ? item->index() : -1;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        return child(chart()->itemAt(chart()->mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface *focusChild() const override
    {
        return chart()->hasFocus() ? child(chart()->currentIndex()) : nullptr;
    }

    void drop() const
    {
        for (const auto &[index, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
    }

private:
    Chart *chart() const { return static_cast<Chart *>(widget()); }

    mutable std::map<int, QAccessible::Id> m_ids;
};

// Called for every class that a widget derives from, the most derived first.
QAccessibleInterface *makeInterface(const QString &className, QObject *object)
{
    if (className != QLatin1String(Chart::staticMetaObject.className()))
        return nullptr;
    auto *chart = qobject_cast<Chart *>(object);
    return chart ? new Container(chart) : nullptr;
}

} // namespace

void installChartAccessibility()
{
    QAccessible::removeFactory(makeInterface);
    QAccessible::installFactory(makeInterface);
}

void dropChartItems(Chart *chart)
{
    if (!QAccessible::isActive())
        return;
    if (auto *container = dynamic_cast<Container *>(QAccessible::queryAccessibleInterface(chart)))
        container->drop();
}

} // namespace gpuledger::widgets
