import base64
import hashlib
import os
import time
import urllib.request

import jwt
from verify import keys

read_at, revoked, revoked_before = 0, set(), {}


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def read():
    global read_at, revoked, revoked_before
    read_at = time.time()
    feed = urllib.request.urlopen(os.environ["ISSUER"] + "/.well-known/revocations", timeout=3).read()
    key = keys.get_signing_key_from_jwt(feed).key
    decoded = jwt.decode_complete(feed, key, algorithms=["ES256"], issuer=os.environ["ISSUER"])
    if decoded["header"].get("typ") != "revocations+jwt":
        raise jwt.InvalidTokenError("not a list of revocations")
    digests = decode(decoded["payload"]["revoked"])
    revoked = {digests[at : at + 8] for at in range(0, len(digests), 8)}
    revoked_before = {decode(id): time for id, time in decoded["payload"]["revoked_before"].items()}


def is_revoked(claims):
    if time.time() - read_at > 10:
        read()  # raises an exception if it cannot be read: decide whether you accept tokens then
    digest = lambda id: hashlib.sha256(str(id).encode()).digest()[:8]
    if revoked & {digest(id) for id in [claims.get("sid"), *claims.get("jti", "").split(".")]}:
        return True
    return any(claims["iat"] <= revoked_before.get(digest(claims.get(name)), 0) for name in ("sub", "client_id"))
