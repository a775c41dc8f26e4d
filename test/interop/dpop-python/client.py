"""A native app whose tokens are bound to a key (DPoP), and somebody who steals them."""

import os
import subprocess
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import requests
from requests_oauth2client import DPoPKey, DPoPToken, OAuth2Client
from requests_oauth2client.exceptions import OAuth2Error

CALLBACK = f"http://127.0.0.1:{os.environ['PORT']}/callback"
USERINFO = os.environ["ISSUER"] + "/oidc/userinfo"

client = OAuth2Client.from_discovery_endpoint(
    issuer=os.environ["ISSUER"],
    client_id=os.environ["CLIENT_ID"],
    redirect_uri=CALLBACK,
    dpop_bound_access_tokens=True,
    testing=True,  # the login service has no TLS here
)


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.url = f"{CALLBACK}?{self.path.partition('?')[2]}"
        self.send_response(200)
        self.end_headers()


def authorize(**options):
    """Opens the user's browser, and receives the code at a loopback address."""
    request = client.authorization_request(scope="openid profile offline_access", **options)
    assert "dpop_jkt=" in str(request)
    server = HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Callback)
    thread = Thread(target=server.handle_request)
    thread.start()
    subprocess.run([os.environ["BROWSER"], str(request)], check=True, stdout=subprocess.DEVNULL)
    thread.join()
    server.server_close()
    return request.validate_callback(server.url)


def redeem(code):
    # Version 1.8 loses the key when it validates the ID token.
    return client.authorization_code(code, validate=False)


def rejection(act):
    try:
        act()
    except OAuth2Error as error:
        return error.error
    raise AssertionError("accepted")


def status(headers):
    return requests.get(USERINFO, headers=headers, timeout=30).status_code


def proof(key, token):
    """The header that the library adds to a request to an API."""
    bound = DPoPToken(token, _dpop_key=key)
    return bound(requests.Request("GET", USERINFO).prepare()).headers


tokens = redeem(authorize())
assert isinstance(tokens, DPoPToken), tokens
assert requests.get(USERINFO, auth=tokens, timeout=30).json()["sub"]
refreshed = client.refresh_token(tokens)
assert refreshed.access_token != tokens.access_token
assert requests.get(USERINFO, auth=refreshed, timeout=30).status_code == 200

# A stolen access token: as Bearer, without a proof, with another key, with a proof of another token.
other = DPoPKey.generate("ES256")
stolen = refreshed.access_token
assert status({"Authorization": f"Bearer {stolen}"}) == 401
assert status({"Authorization": f"DPoP {stolen}"}) == 401
assert status(proof(other, stolen)) == 401
old = proof(refreshed.dpop_key, tokens.access_token)["DPoP"]
assert status({"Authorization": f"DPoP {stolen}", "DPoP": old}) == 401
used = proof(refreshed.dpop_key, stolen)
assert [status(used), status(used)] == [200, 401]

# A stolen refresh token, which its owner can use nevertheless.
grant = {"grant_type": "refresh_token", "refresh_token": refreshed.refresh_token}
assert rejection(lambda: client.token_request(grant, dpop=False)) == "invalid_dpop_proof"
assert rejection(lambda: client.token_request(grant, dpop_key=other)) == "invalid_grant"
assert client.refresh_token(refreshed).access_token

# A stolen code, with its verifier.
code = authorize()
grant = {
    "grant_type": "authorization_code",
    "code": code.code,
    "redirect_uri": CALLBACK,
    "code_verifier": code.code_verifier,
}
assert rejection(lambda: client.token_request(grant, dpop=False)) == "invalid_dpop_proof"
assert rejection(lambda: client.token_request(grant, dpop_key=other)) == "invalid_grant"

# A device whose clock is an hour slow gets a nonce.
slow = DPoPKey.generate("ES256", iat_generator=lambda: int(time.time()) - 3600)
tokens = redeem(authorize(dpop_key=slow))
assert isinstance(tokens, DPoPToken)
assert slow.as_nonce
