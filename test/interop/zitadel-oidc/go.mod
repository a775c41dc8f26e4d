module example.com/app

go 1.24

require github.com/zitadel/oidc/v3 v3.45.1
