// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/filterbar.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/shell/filterchips.h"
#include "ui/window/topbar/filterpopup.h"
#include "widgets/inputs/chiprow.h"
#include "widgets/inputs/choicebutton.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace gpuledger::ui {

using insight::Dimension;

namespace {

// Longer lists need the menu with its search field.
constexpr std::size_t kMostTeams = 20;
constexpr int kWidestTeam = 180;
constexpr QLatin1Char kOne('=');
const QString kAll = QStringLiteral("all");
const QString kSeveral = QStringLiteral("several");
const QString kMore = QStringLiteral("more");

} // namespace

FilterBar::FilterBar(const WindowContext &context, Navigator &navigator, DimensionValues &values, QWidget *parent)
    : QWidget(parent)
    , m_theme(context.theme)
    , m_navigator(navigator)
    , m_values(values)
    , m_team(new widgets::ChoiceButton(tr("Team"), this))
    , m_chips(new widgets::ChipRow(context.theme, this))
    , m_add(new QPushButton(tr("+ Filter"), this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    layout->addWidget(m_team);
    layout->addWidget(m_chips);
    layout->addWidget(m_add);
    layout->addStretch(1);
    m_team->setMaximumWidth(kWidestTeam);
    m_team->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_add->setAutoDefault(false);
    m_add->setAccessibleName(tr("Add a filter"));
    connect(m_add, &QPushButton::clicked, this, &FilterBar::openMenu);
    connect(m_team, &widgets::ChoiceButton::chosen, this, &FilterBar::chooseTeam);
    connect(m_chips, &widgets::ChipRow::removed, this, [this](const QString &key) {
        const insight::Filter &filter = m_navigator.scope().filter;
        for (const FilterChip &chip : chipsOf(filter)) {
            if (chip.key() == key)
                return setFilter(withoutChip(filter, chip));
        }
    });
    connect(m_chips, &widgets::ChipRow::allRemoved, this, [this] { setFilter({}); });
    connect(m_chips, &widgets::ChipRow::focusLost, this, [this] { m_add->setFocus(Qt::TabFocusReason); });
    connect(&m_navigator, &Navigator::moved, this, [this] { show(m_navigator.scope().filter); });
    connect(&m_values, &DimensionValues::changed, this, [this](const Dimension &dimension) {
        if (dimension == Dimension::Team)
            showTeams(m_navigator.scope().filter);
    });
    connect(&context.sync, &SyncController::dataChanged, this, [this] {
        m_values.forget();
        m_values.want(Dimension::Team);
    });
    m_values.want(Dimension::Team);
    show(m_navigator.scope().filter);
}

void FilterBar::show(const insight::Filter &filter)
{
    showTeams(filter);
    std::vector<widgets::ChipRow::Item> items;
    for (const FilterChip &chip : chipsOf(filter))
        items.push_back({chip.key(), chip.text()});
    m_chips->setItems(items);
}

void FilterBar::showTeams(const insight::Filter &filter)
{
    const auto team = teamChoice(filter);
    const auto included = filter.include.find(Dimension::Team);
    std::vector<widgets::ChoiceButton::Choice> choices{{kAll, tr("All teams")}};
    if (!team && included != filter.include.end())
        choices.push_back({kSeveral, tr("%n teams", nullptr, static_cast<int>(included->second.size()))});
    std::vector<std::string> names;
    if (const auto values = m_values.values(Dimension::Team)) {
        for (const insight::DimensionValue &v : *values)
            names.push_back(v.value);
    }
    const bool more = names.size() > kMostTeams;
    names.resize(std::min(names.size(), kMostTeams));
    if (team && std::find(names.begin(), names.end(), *team) == names.end())
        names.push_back(*team);
    std::sort(names.begin(), names.end());
    for (const std::string &name : names)
        choices.push_back({kOne + QString::fromStdString(name), LocalText::valueName(LocalText::teamName(name))});
    if (more)
        choices.push_back({kMore, tr("More teams…"), true});
    m_team->setChoices(choices);
    const QSignalBlocker shown(m_team); // not a user's choice: a link may also exclude the team that it names
    m_team->setCurrentKey(team                                   ? kOne + QString::fromStdString(*team)
                              : included != filter.include.end() ? kSeveral
                                                                 : kAll);
}

void FilterBar::chooseTeam(const QString &key)
{
    const insight::Filter &filter = m_navigator.scope().filter;
    if (key == kMore)
        openMenu();
    else if (key == kAll)
        setFilter(withTeam(filter, std::nullopt));
    else if (key.startsWith(kOne))
        setFilter(withTeam(filter, key.mid(1).toStdString()));
}

void FilterBar::setFilter(insight::Filter filter)
{
    Scope scope = m_navigator.scope();
    scope.filter = std::move(filter);
    m_navigator.setScope(scope);
}

void FilterBar::openMenu()
{
    auto *popup = new FilterPopup(m_theme, m_values, this);
    connect(popup, &FilterPopup::chosen, this,
            [this](const FilterChip &chip) { setFilter(withChip(m_navigator.scope().filter, chip)); });
    popup->openBelow(*m_add);
}

} // namespace gpuledger::ui
