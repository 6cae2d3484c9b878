// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/kubeconfigfile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <yaml-cpp/eventhandler.h>

#include <fstream>
#include <sstream>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;

namespace {

constexpr int kMostValues = 100'000;

// Checks the structure before a tree is built.
class ShapeCheck final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t) override { count(mark); }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override
    {
        throw YAML::ParserException(mark, "aliases are not supported; write the value out");
    }
    void OnScalar(const YAML::Mark &mark, const std::string &, YAML::anchor_t, const std::string &) override
    {
        count(mark);
    }
    void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
        count(mark);
    }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        count(mark);
    }
    void OnMapEnd() override { }

private:
    void count(const YAML::Mark &mark)
    {
        if (++m_values > kMostValues)
            throw YAML::ParserException(mark, "has more than 100,000 values");
    }
    int m_values = 0;
};

} // namespace

Result<std::optional<std::string>> readSmallFile(const std::filesystem::path &path)
{
    const std::string shown = base::printable(path.string(), 256);
    std::error_code ec;
    if (!std::filesystem::exists(path, ec))
        return std::optional<std::string>();
    if (!std::filesystem::is_regular_file(path, ec))
        return base::fail(ErrorCode::Forbidden, shown + " is not a regular file",
                          base::Remedy::CheckPathAndPermissions);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return base::fail(ErrorCode::Forbidden, shown + " can't be read", base::Remedy::CheckPermissions);
    std::string text(kMostKubeconfigBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostKubeconfigBytes)
        return base::fail(ErrorCode::TooMuch, shown + " is larger than 4 MiB", base::Remedy::CheckPathAndPermissions);
    return std::optional(std::move(text));
}

Result<YAML::Node> parseKubeconfig(const std::string &text, const std::filesystem::path &path)
{
    const std::string shown = base::printable(path.string(), 256);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        ShapeCheck check;
        parser.HandleNextDocument(check);
        YAML::Node root = YAML::Load(text);
        if (!root.IsMap())
            return base::fail(ErrorCode::InvalidConfig, shown + " is not a kubeconfig",
                              base::Remedy::CheckPathAndPermissions);
        return root;
    } catch (const YAML::Exception &e) {
        return base::fail(ErrorCode::InvalidConfig,
                          shown + ": line " + std::to_string(e.mark.line + 1) + ": " + base::printable(e.msg, 200),
                          base::Remedy::ViewKubeconfig);
    }
}

std::string textOf(const YAML::Node &map, const char *key)
{
    if (!map.IsMap())
        return {};
    const YAML::Node value = map[key];
    return value.IsDefined() && value.IsScalar() ? value.Scalar() : std::string();
}

std::optional<KubeEntry> findEntry(const std::vector<KubeconfigFile> &files, const char *list, const char *kind,
                                   const std::string &name)
{
    for (const KubeconfigFile &file : files) {
        const YAML::Node entries = file.root[list];
        if (!entries.IsDefined() || !entries.IsSequence())
            continue;
        for (const YAML::Node &entry : entries) {
            if (entry.IsMap() && textOf(entry, "name") == name) {
                const YAML::Node fields = entry[kind];
                return KubeEntry{fields.IsDefined() ? fields : YAML::Node(), file.path.parent_path()};
            }
        }
    }
    return std::nullopt;
}

} // namespace gpuledger::auth
