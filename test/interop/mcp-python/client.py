import asyncio
import json
import os
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import urlopen

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

CALLBACK = f"http://127.0.0.1:{os.environ['PORT']}/callback"
MCP_URL = os.environ["MCP_URL"]


class Storage:
    """What the client remembers, in memory."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Browser:
    """Opens the user's browser, and receives the code at a loopback address."""

    opened = []

    async def open(self, url):
        self.opened.append(parse_qs(urlsplit(url).query))
        self.server = HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Callback)
        Thread(target=self.server.handle_request).start()
        await asyncio.to_thread(subprocess.run, [os.environ["BROWSER"], url], check=True)

    async def wait(self):
        self.server.server_close()
        return AuthorizationCodeResult(**self.server.result)


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        names = ("code", "state", "iss")
        self.server.result = {name: query[name][0] for name in names}
        self.send_response(200)
        self.end_headers()


async def test(title, client_metadata_url=None):
    storage, browser = Storage(), Browser()
    browser.opened = []
    auth = OAuthClientProvider(
        server_url=MCP_URL,
        client_metadata=OAuthClientMetadata(
            client_name="A Python assistant",
            redirect_uris=[CALLBACK],
            token_endpoint_auth_method=None if client_metadata_url else "client_secret_post",
        ),
        storage=storage,
        redirect_handler=browser.open,
        callback_handler=browser.wait,
        client_metadata_url=client_metadata_url,
    )

    async with httpx2.AsyncClient(auth=auth, timeout=60) as http:

        async def call(tool, arguments={}):
            async with Client(streamable_http_client(MCP_URL, http_client=http)) as client:
                result = await client.call_tool(tool, arguments)
                return json.loads(result.content[0].text)

        orders = (await call("list_orders"))["orders"]
        assert len(orders) == 2, orders
        assert len(browser.opened) == 1
        client_id = browser.opened[0]["client_id"][0]
        assert client_id == (client_metadata_url or storage.client.client_id)
        assert "orders:cancel" not in storage.tokens.scope, storage.tokens.scope

        # Needs a further scope, for which the user is asked.
        order = (await call("cancel_order", {"id": "A-1042"}))["order"]
        assert order["status"] == "cancelled", order
        assert len(browser.opened) == 2
        assert {"orders:read", "orders:cancel"} <= set(browser.opened[1]["scope"][0].split())

        # As if the access token had expired.
        former = storage.tokens
        auth.context.token_expiry_time = 1
        await call("list_orders")
        assert storage.tokens.refresh_token != former.refresh_token
        assert len(browser.opened) == 2

        await revoke(storage)
        auth.context.token_expiry_time = 1
        await call("list_orders")
        assert len(browser.opened) == 3  # The user was asked again.
    print(f"{title}, step-up, refresh, revocation")


async def revoke(storage):
    with urlopen(f"{os.environ['ISSUER']}/.well-known/oauth-authorization-server") as response:
        endpoint = json.load(response)["revocation_endpoint"]
    client = storage.client
    form = {"token": storage.tokens.refresh_token, "client_id": client.client_id}
    if client.client_secret:
        form["client_secret"] = client.client_secret
    body = urlencode(form).encode()
    with urlopen(endpoint, data=body) as response:
        assert response.status == 200


asyncio.run(test("metadata document", os.environ["CLIENT_METADATA_URL"]))
asyncio.run(test("registration"))
