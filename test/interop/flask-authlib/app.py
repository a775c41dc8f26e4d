import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "vestibule",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    return session.get("user") or redirect(url_for("login"))


@app.get("/login")
def login():
    return oauth.vestibule.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    claims = oauth.vestibule.authorize_access_token()["userinfo"]  # the claims of the ID token
    session["user"] = {"sub": claims["sub"], "name": claims.get("name")}
    return redirect(url_for("home"))
