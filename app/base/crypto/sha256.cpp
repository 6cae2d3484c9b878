// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/sha256.h"

#include <QCryptographicHash>

namespace gpuledger::base {

struct Sha256::Private {
    QCryptographicHash hash{QCryptographicHash::Sha256};
};

Sha256::Sha256()
    : d(std::make_unique<Private>())
{
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes)
{
    d->hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

std::string Sha256::hex() const
{
    return d->hash.result().toHex().toStdString();
}

std::string sha256Hex(std::string_view bytes)
{
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

} // namespace gpuledger::base
