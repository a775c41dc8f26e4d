import os

LOGIN_REDIRECT_URL = "/"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "vestibule",
                "name": "Login",
                "client_id": os.environ["CLIENT_ID"],
                "secret": os.environ["CLIENT_SECRET"],
                "settings": {"server_url": os.environ["ISSUER"]},
            }
        ],
    }
}
