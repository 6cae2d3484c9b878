// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/platformrows.h"

#include "ui/dialogs/formrows.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Space;
using Type = ports::SourceField::Type;

namespace {

constexpr int kLongestExample = 60;
constexpr char kUsualKubeconfig[] = "~/.kube/config"; // no-tr: a path
constexpr char kKubeconfigVariable[] = "KUBECONFIG"; // no-tr: a variable
constexpr char kRegionExample[] = "eu-central-1"; // no-tr: an example

QString usualKubeconfig()
{
    const QString set = qEnvironmentVariable(kKubeconfigVariable);
    return widgets::plainLine(set.isEmpty() ? QString::fromLatin1(kUsualKubeconfig) : set, kLongestExample);
}

} // namespace

PlatformRows::PlatformRows(const widgets::Theme &theme, SourceDraft &draft, QFormLayout &form, QObject *parent)
    : QObject(parent)
    , m_theme(theme)
    , m_draft(draft)
    , m_form(form)
    , m_kubeconfig(
          line(tr("Kubeconfig"), usualKubeconfig(), tr("File with the cluster's address and how to log in there")))
    , m_context(line(tr("Context"), {}, tr("The context of the file that belongs to this cluster")))
    , m_region(line(tr("Region"), QLatin1String(kRegionExample), tr("AWS region whose machines are read")))
    , m_profile(line(tr("Profile"), tr("as the AWS tools choose it"),
                     tr("Profile of the credentials on this computer; empty: the credential chain of the AWS tools")))
    , m_browse(besideButton(tr("Browse…"), tr("Choose a kubeconfig")))
    , m_choose(besideButton(tr("Choose…"), tr("Choose a context")))
{
    addShared(m_kubeconfig, m_browse, Field::Kubeconfig, Type::Kubeconfig);
    addShared(m_context, m_choose, Field::Context, Type::KubeContext);
    addShared(m_region, nullptr, Field::Region, Type::Signed);
    addShared(m_profile, nullptr, {}, Type::Signed);
    addOptions();
    const int width = std::max(m_browse->sizeHint().width(), m_choose->sizeHint().width());
    for (QPushButton *button : {m_browse, m_choose})
        button->setMinimumWidth(width);
    connect(m_browse, &QPushButton::clicked, this, &PlatformRows::browse);
    connect(m_choose, &QPushButton::clicked, this, &PlatformRows::chooseContext);
    connect(&draft.contexts(), &ContextFinder::changed, this, &PlatformRows::showContexts);
    showFor({}, {});
}

void PlatformRows::addShared(QLineEdit *edit, QPushButton *beside, std::optional<Field> field, Type type)
{
    m_rows.push_back({addRow(edit, beside, field), edit,
                      [type](const ports::SourceKind &kind) { return typedField(kind, type) != nullptr; }});
}

void PlatformRows::addOptions()
{
    for (const ports::SourceKind &kind : m_draft.kinds()) {
        if (!isTypedKind(kind))
            continue;
        for (const ports::SourceField &field : kind.fields) {
            if (!isOption(field))
                continue;
            QLineEdit *const edit =
                line(LocalText::connectorText(field.title),
                     LocalText::connectorText(field.fallback.empty() ? field.example : field.fallback),
                     LocalText::connectorText(field.help));
            m_options.push_back({kind.kind, std::string(field.key), edit});
            m_rows.push_back({addRow(edit, nullptr, {}), edit,
                              [name = kind.kind](const ports::SourceKind &one) { return one.kind == name; }});
        }
    }
}

QLineEdit *PlatformRows::line(const QString &name, const QString &example, const QString &help)
{
    QLineEdit *edit = formField(name, example, help);
    connect(edit, &QLineEdit::textEdited, this, &PlatformRows::edited);
    return edit;
}

QPushButton *PlatformRows::besideButton(const QString &text, const QString &name)
{
    auto *button = new QPushButton(text);
    button->setAccessibleName(name);
    button->setAutoDefault(false);
    return button;
}

QWidget *PlatformRows::addRow(QLineEdit *edit, QPushButton *beside, std::optional<Field> field)
{
    QWidget *row = edit;
    if (beside) {
        row = new QWidget;
        auto *both = new QHBoxLayout(row);
        both->setContentsMargins(0, 0, 0, 0);
        both->setSpacing(m_theme.space(Space::Small));
        both->addWidget(edit, 1);
        both->addWidget(beside);
    }
    if (field) {
        const FieldWithProblem both = withProblem(m_theme, row);
        m_problems[*field] = {edit, both.problem, edit->accessibleDescription()};
        row = both.whole;
    }
    m_form.addRow(edit->accessibleName(), row);
    return row;
}

void PlatformRows::showFor(const QString &kind, std::vector<FormRow> others)
{
    const ports::SourceKind *const known = ports::findKind(m_draft.kinds(), kind.toStdString());
    m_kind = known ? *known : ports::SourceKind{};
    for (const Row &row : m_rows)
        others.push_back({row.whole, row.belongsTo(m_kind)});
    showRows(m_form, others);
    showContexts();
}

void PlatformRows::fill(const SourceFields &fields)
{
    m_kubeconfig->setText(fields.kubeconfig);
    m_context->setText(fields.context);
    m_region->setText(fields.region);
    m_profile->setText(fields.profile);
    for (const Option &option : m_options) {
        const auto typed = fields.options.find(option.key);
        option.edit->setText(typed == fields.options.end() ? QString() : typed->second);
    }
}

void PlatformRows::read(SourceFields &fields) const
{
    fields.kubeconfig = m_kubeconfig->text();
    fields.context = m_context->text();
    fields.region = m_region->text();
    fields.profile = m_profile->text();
    fields.options.clear();
    for (const Option &option : m_options) {
        if (option.kind == m_kind.kind && !option.edit->text().isEmpty())
            fields.options[option.key] = option.edit->text();
    }
}

QStringList PlatformRows::showProblems()
{
    QStringList told;
    for (const auto &[field, problem] : m_problems) {
        const bool isShown = typedField(m_kind, field == Field::Region ? Type::Signed : Type::Kubeconfig) != nullptr;
        const QString text = isShown ? m_draft.problemAt(field) : QString();
        showProblemAt(*problem.at, *problem.label, text, problem.help);
        if (!text.isEmpty())
            told << text;
    }
    return told;
}

void PlatformRows::focusFirst()
{
    const auto first =
        std::find_if(m_rows.begin(), m_rows.end(), [this](const Row &row) { return row.belongsTo(m_kind); });
    if (first != m_rows.end())
        first->edit->setFocus();
}

void PlatformRows::browse()
{
    const QString typed = m_kubeconfig->text().trimmed();
    const QString folder =
        typed.startsWith(QLatin1Char('/')) ? QFileInfo(typed).path() : QDir::home().filePath(QStringLiteral(".kube"));
    auto *dialog = new QFileDialog(m_browse, tr("Choose a kubeconfig"), folder);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setFilter(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &file) {
        m_kubeconfig->setText(file);
        Q_EMIT edited();
    });
    dialog->open();
}

void PlatformRows::chooseContext()
{
    auto *menu = new QMenu(m_choose);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &name : m_draft.contexts().names()) {
        QString shown = widgets::plainLine(name, kLongestExample);
        connect(menu->addAction(shown.replace(QLatin1Char('&'), QLatin1String("&&"))), &QAction::triggered, this,
                [this, name] {
                    m_context->setText(name);
                    Q_EMIT edited();
                });
    }
    menu->popup(m_choose->mapToGlobal(QPoint(0, m_choose->height())));
}

void PlatformRows::showContexts()
{
    const ContextFinder &found = m_draft.contexts();
    m_choose->setEnabled(!found.names().isEmpty());
    m_context->setPlaceholderText(
        found.current().isEmpty()
            ? tr("the file's current one")
            : tr("%1, the current one", "name of a context").arg(widgets::plainLine(found.current(), kLongestExample)));
    showProblems();
}

} // namespace gpuledger::ui
