# The last two options are only for tests on loopback.
exec ./oauth2-proxy \
  --provider=oidc \
  --oidc-issuer-url="$ISSUER" \
  --client-id="$CLIENT_ID" \
  --client-secret="$CLIENT_SECRET" \
  --redirect-url="$APP_URL/oauth2/callback" \
  --scope="openid profile" \
  --code-challenge-method=S256 \
  --oidc-email-claim=sub \
  --email-domain="*" \
  --cookie-secret="$(printf %s "$SESSION_SECRET" | head -c 32)" \
  --skip-provider-button \
  --upstream="$UPSTREAM" \
  --http-address="localhost:$PORT" \
  --cookie-secure=false
