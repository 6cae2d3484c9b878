// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/configedit.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/config/config.h"
#include "app/services/config/configfile.h"
#include "app/services/config/configtext.h"

#include <algorithm>
#include <optional>

namespace gpuledger::services {

namespace {

using base::ErrorCode;
using base::Result;

tl::unexpected<base::Error> changedMeanwhile(const std::filesystem::path &file)
{
    return base::fail(base::Error::make(ErrorCode::StorageBusy,
                                        base::printable(file.string()) + " was just changed by another process",
                                        base::Remedy::TryAgain)
                          .withSource(file.string()));
}

Result<void> checkNothingWrong(const std::vector<ConfigProblem> &problems, const std::filesystem::path &file)
{
    std::string all;
    for (const ConfigProblem &problem : problems)
        all += (all.empty() ? "" : "\n") + describe(problem, file.string());
    if (all.empty())
        return {};
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, all, base::Remedy::CorrectFile).withSource(file.string()));
}

} // namespace

Result<model::SourceSettings> checkNewSource(const NewSource &source, const std::filesystem::path &folder,
                                             const ports::SourceKinds &kinds)
{
    const std::string text = writtenSource(source, {SourcePlace::Form::File, 0, 2, true}, "\n");
    const ParsedConfig parsed = parseConfig(text, folder, kinds);
    if (parsed.problems.empty())
        return parsed.settings.sources.front();
    static constexpr std::string_view kPrefix = "sources[0].";
    std::string all;
    for (const ConfigProblem &problem : parsed.problems) {
        const std::string key = problem.key.starts_with(kPrefix) ? problem.key.substr(kPrefix.size()) : problem.key;
        all += (all.empty() ? "" : "\n") + key + " - "
            + problem.text; // a colon after a key such as "token" would look like a credential
    }
    return base::fail(ErrorCode::InvalidArgument, all, base::Remedy::SeeSourcesAddHelp);
}

Result<std::string> withSource(std::string_view text, const NewSource &source, const std::filesystem::path &file,
                               const ports::SourceKinds &kinds)
{
    const std::filesystem::path folder = folderOf(file);
    const auto wanted = checkNewSource(source, folder, kinds);
    GPULEDGER_TRY(wanted);
    const auto place = placeForSource(text);
    const ParsedConfig before = parseConfig(text, folder, kinds);
    std::vector<ConfigProblem> problems = before.problems;
    // Having no sources, or no content at all, is not a problem here: a source is about to be added.
    const bool nothingYet = place && place->form == SourcePlace::Form::File;
    std::erase_if(problems, [&](const ConfigProblem &p) { return nothingYet || p.key == "sources"; });
    GPULEDGER_TRY(checkNothingWrong(problems, file));
    for (const model::SourceSettings &one : before.settings.sources) {
        if (one.name == source.name)
            return base::fail(base::Error::make(ErrorCode::Refused,
                                                "there is already a source named \"" + base::printable(source.name, 64)
                                                    + "\"; nothing was changed",
                                                base::Remedy::RenameNewSource)
                                  .withSource(file.string()));
    }
    std::string result(text);
    if (place) {
        const bool newLine =
            place->form != SourcePlace::Form::Flow && place->offset > 0 && text[place->offset - 1] != '\n';
        const std::string_view lineEnd = lineEndOf(text);
        result.insert(place->offset, std::string(newLine ? lineEnd : "") + writtenSource(source, *place, lineEnd));
    }
    // Verify that nothing else changed its meaning.
    if (!place || !onlyAddsSource(text, result))
        return base::fail(
            base::Error::make(
                ErrorCode::Unsupported,
                base::printable(file.string())
                    + ": the source can't be added without changing the rest of the file; nothing was changed",
                "add this by hand: " + writtenSource(source, {SourcePlace::Form::Flow, 0, 0, true}, "\n"))
                .withSource(file.string()));
    GPULEDGER_TRY(checkNothingWrong(parseConfig(result, folder, kinds).problems, file));
    return result;
}

Result<FileChange> changeFile(const std::filesystem::path &file, const TextChange &change)
{
    const auto lock = ConfigLock::take(file); // keeps out other GPU Ledger processes, but not text editors
    GPULEDGER_TRY(lock);
    auto old = configBytes(file);
    GPULEDGER_TRY(old);
    auto text = change(old->value_or(""));
    GPULEDGER_TRY(text);
    const auto now = configBytes(file);
    GPULEDGER_TRY(now);
    if (*now != *old)
        return changedMeanwhile(file);
    if (*old != *text)
        GPULEDGER_TRY(base::replaceFile(file, *text, 0600));
    return FileChange{std::move(*old), std::move(*text)};
}

Result<void> undoChange(const std::filesystem::path &file, const FileChange &change)
{
    const auto lock = ConfigLock::take(file);
    GPULEDGER_TRY(lock);
    const auto now = configBytes(file);
    GPULEDGER_TRY(now);
    if (*now != change.after)
        return changedMeanwhile(file);
    if (change.before)
        return base::replaceFile(file, *change.before, 0600);
    std::error_code ec;
    std::filesystem::remove(file, ec);
    if (ec)
        return base::fail(ErrorCode::StorageReadOnly, base::printable(file.string()) + " can't be removed");
    return {};
}

Result<void> addSourceToFile(const std::filesystem::path &file, const NewSource &source,
                             const ports::SourceKinds &kinds)
{
    GPULEDGER_TRY(changeFile(file, [&](std::string_view text) { return withSource(text, source, file, kinds); }));
    return {};
}

} // namespace gpuledger::services
