# The variables of the environment, as those of the Worker.
exec npx wrangler dev --port "$1" --inspector-port 0 --var "CLIENT_SECRET:$CLIENT_SECRET" "SESSION_SECRET:$SESSION_SECRET" "APP_URL:$APP_URL" "API_URL:$API_URL"
