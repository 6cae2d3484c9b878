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

// The type of the settings whose row has a place for this problem.
Type typeOf(SourceDraft::Field field)
{
    switch (field) {
    case SourceDraft::Field::Path:
        return Type::Path;
    case SourceDraft::Field::Region:
        return Type::Signed;
    case SourceDraft::Field::Name:
    case SourceDraft::Field::Kubeconfig:
    case SourceDraft::Field::Context:
        break;
    }
    return Type::Kubeconfig;
}

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
    , m_path(line(tr("File or folder"), {}, {}))
    , m_kubeconfig(
          line(tr("Kubeconfig"), usualKubeconfig(), tr("File with the cluster's address and how to log in there")))
    , m_context(line(tr("Context"), {}, tr("The context of the file that belongs to this cluster")))
    , m_region(line(tr("Region"), {}, {}))
    , m_profile(line(tr("Profile"), tr("as the AWS tools choose it"),
                     tr("Profile of the credentials on this computer; empty: the credential chain of the AWS tools")))
    , m_browsePath(besideButton(tr("Browse…"), tr("Choose a file or folder")))
    , m_browse(besideButton(tr("Browse…"), tr("Choose a kubeconfig")))
    , m_choose(besideButton(tr("Choose…"), tr("Choose a context")))
{
    addShared(m_path, m_browsePath, Field::Path, Type::Path);
    addShared(m_kubeconfig, m_browse, Field::Kubeconfig, Type::Kubeconfig);
    addShared(m_context, m_choose, Field::Context, Type::KubeContext);
    addOptions();
    addShared(m_region, nullptr, Field::Region, Type::Signed);
    addShared(m_profile, nullptr, {}, Type::Signed);
    const int width = std::max(m_browse->sizeHint().width(), m_choose->sizeHint().width());
    for (QPushButton *button : {m_browse, m_choose})
        button->setMinimumWidth(width);
    connect(m_browsePath, &QPushButton::clicked, this, &PlatformRows::browsePath);
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
    describe();
    showRows(m_form, others);
    showContexts();
}

// What the rows that several kinds share are for in the shown kind.
void PlatformRows::describe()
{
    const auto say = [](QLineEdit *edit, const QString &example, const QString &help) {
        edit->setPlaceholderText(example);
        edit->setAccessibleDescription(help);
        edit->setToolTip(widgets::plainToolTip(help));
    };
    if (const ports::SourceField *const path = typedField(m_kind, Type::Path)) {
        const QString name = LocalText::connectorText(path->title), help = LocalText::connectorText(path->help);
        m_path->setAccessibleName(name);
        if (auto *label = qobject_cast<QLabel *>(m_form.labelForField(m_rows.front().whole)))
            label->setText(name);
        say(m_path, LocalText::connectorText(path->example), help);
        m_problems[Field::Path].help = help;
    }
    if (const ports::SourceField *const access = typedField(m_kind, Type::Signed)) {
        const QString help = m_kind.isPlatform() ? tr("AWS region whose machines are read")
                                                 : tr("AWS region of the bucket, or of the service that is asked");
        say(m_region, exampleIn(*access, QStringLiteral("region")), help);
        m_problems[Field::Region].help = help;
    }
}

void PlatformRows::fill(const SourceFields &fields)
{
    m_path->setText(fields.path);
    m_kubeconfig->setText(fields.kubeconfig);
    m_context->setText(fields.context);
    m_region->setText(fields.region);
    m_profile->setText(fields.profile);
    for (const Option &option : m_options) {
        const auto typed = fields.options.find(option.key);
        const bool isHere = option.kind == typedText(fields.kind) && typed != fields.options.end();
        option.edit->setText(isHere ? typed->second : QString());
    }
}

void PlatformRows::read(SourceFields &fields) const
{
    fields.path = m_path->text();
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
        const bool isShown = typedField(m_kind, typeOf(field)) != nullptr;
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
    openFiles(m_kubeconfig, dialog);
}

// One file dialog can't offer both files and folders.
void PlatformRows::browsePath()
{
    auto *menu = new QMenu(m_browsePath);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &text, const QString &title, QFileDialog::FileMode mode) {
        connect(menu->addAction(text), &QAction::triggered, this, [this, title, mode] {
            const QString typed = m_path->text().trimmed();
            const QString folder = typed.startsWith(QLatin1Char('/')) ? QFileInfo(typed).path() : QDir::homePath();
            auto *dialog = new QFileDialog(m_browsePath, title, folder);
            dialog->setFileMode(mode);
            dialog->setOption(QFileDialog::ShowDirsOnly, mode == QFileDialog::Directory);
            openFiles(m_path, dialog);
        });
    };
    add(tr("A folder…"), tr("Choose a folder"), QFileDialog::Directory);
    add(tr("A file…"), tr("Choose a file"), QFileDialog::ExistingFile);
    menu->popup(m_browsePath->mapToGlobal(QPoint(0, m_browsePath->height())));
}

void PlatformRows::openFiles(QLineEdit *edit, QFileDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, edit](const QString &file) {
        edit->setText(file);
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
