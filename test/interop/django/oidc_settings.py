import os

ISSUER = os.environ["ISSUER"]

AUTHENTICATION_BACKENDS = ["backend.SubjectBackend"]
LOGIN_URL = "oidc_authentication_init"
LOGIN_REDIRECT_URL = "/"

OIDC_RP_CLIENT_ID = os.environ["CLIENT_ID"]
OIDC_RP_CLIENT_SECRET = os.environ["CLIENT_SECRET"]
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_RP_SCOPES = "openid profile"
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = ISSUER + "/oidc/authorize"
OIDC_OP_TOKEN_ENDPOINT = ISSUER + "/oidc/token"
OIDC_OP_USER_ENDPOINT = ISSUER + "/oidc/userinfo"
OIDC_OP_JWKS_ENDPOINT = ISSUER + "/.well-known/jwks.json"
