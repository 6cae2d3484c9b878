#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# certs.sh FOLDER: a temporary CA and certificates that are valid or invalid in one way each (NAME.pem, NAME.key).
#   ca          the authority to trust                     otherca     an untrusted one
#   good        localhost and 127.0.0.1                    expired     ended 35 days ago
#   notyet      begins in 40 days                          wronghost   for elsewhere.invalid
#   selfsigned  self-signed                                unknownca   valid, signed by otherca
#   client      for a client (mTLS)                        unreadable  client's key with mode 0000
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: certs.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
unset SSLKEYLOGFILE

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; chmod 600 "$1.key"; }

authority() {
    key "$1"
    openssl req -x509 -new -key "$1.key" -days 3650 -subj "/CN=GPU Ledger test $1" -out "$1.pem" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
}

# certificate NAME CA SUBJECT-ALT-NAME [COMMAND...]: COMMAND runs openssl at another time.
certificate() {
    local name=$1 ca=$2 alt=$3
    shift 3
    key "$name"
    openssl req -new -key "$name.key" -subj "/CN=$name" -out "$name.csr" 2>/dev/null
    printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$alt" >"$name.ext"
    "$@" openssl x509 -req -in "$name.csr" -CA "$ca.pem" -CAkey "$ca.key" -CAcreateserial -days 5 \
        -extfile "$name.ext" -out "$name.pem" 2>/dev/null
    rm "$name.csr" "$name.ext"
}

readonly here=DNS:localhost,IP:127.0.0.1
authority ca
authority otherca
certificate good ca "$here"
certificate expired ca "$here" faketime -f -40d
certificate notyet ca "$here" faketime -f +40d
certificate wronghost ca DNS:elsewhere.invalid
certificate unknownca otherca "$here"
certificate client ca DNS:client.invalid
cp client.pem unreadable.pem
cp client.key unreadable.key
chmod 000 unreadable.key
key selfsigned
openssl req -x509 -new -key selfsigned.key -days 5 -subj /CN=selfsigned -addext "subjectAltName=$here" \
    -out selfsigned.pem 2>/dev/null
