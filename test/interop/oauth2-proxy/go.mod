module example.com/proxy

go 1.24

tool github.com/oauth2-proxy/oauth2-proxy/v7

require github.com/oauth2-proxy/oauth2-proxy/v7 v7.8.1
