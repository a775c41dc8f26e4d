import os

import jwt

keys = jwt.PyJWKClient(os.environ["ISSUER"] + "/.well-known/jwks.json")


def verify(token):
    decoded = jwt.decode_complete(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["ES256"],
        issuer=os.environ["ISSUER"],
        audience=os.environ["API"],
        options={"require": ["exp"]},
    )
    if decoded["header"].get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("not an access token")
    return decoded["payload"]
