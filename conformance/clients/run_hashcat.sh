#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hashcat cracks a hash whose plain text is known, with its self-test on: SHA3-256 (mode 17400), MD5,
# SHA-512 and PBKDF2-HMAC-SHA256 with few iterations.
. "$(dirname "$0")/lib.sh"
need_package hashcat
python3 - "$work" <<'P'
import base64, hashlib, sys

plain, salt = b"7305", b"salted"
pbkdf2 = base64.b64encode(hashlib.pbkdf2_hmac("sha256", plain, salt, 1000)).decode()
hashes = {
    "17400": hashlib.sha3_256(plain).hexdigest(),
    "0": hashlib.md5(plain).hexdigest(),
    "1700": hashlib.sha512(plain).hexdigest(),
    "10900": "sha256:1000:%s:%s" % (base64.b64encode(salt).decode(), pbkdf2),
}
for mode, value in hashes.items():
    with open("%s/%s.hash" % (sys.argv[1], mode), "w") as out:
        out.write(value + "\n")
P
for mode in ${MODES:-17400 0 1700 10900}; do
    log=$work/$mode.log
    # --force: hashcat warns of every processor device
    expect "$mode.completes" limited "${LIMIT:-300}" "$log" hashcat --force -D 1,2,3 -d 1 -m "$mode" \
        -a 3 --potfile-disable --logfile-disable --restore-disable "$work/$mode.hash" '?d?d?d?d'
    expect "$mode.cracked" grep -q ':7305$' <(tr '\r' '\n' <"$log")
    expect "$mode.self-test" grep -q 'Finished self-test' "$log"
    if grep -i 'self-test failed\|kernel.*build failed' "$log"; then
        report fail "$mode.self-test"
    fi
    grep -a '^Speed' <(tr '\r' '\n' <"$log") || tail -20 "$log"
done
judge
