package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/pkg/client/rp"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

func main() {
	key, err := hex.DecodeString(os.Getenv("SESSION_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	cookies := httphelper.NewCookieHandler(key, key, httphelper.WithUnsecure()) // only for http on loopback
	provider, err := rp.NewRelyingPartyOIDC(
		context.Background(),
		os.Getenv("ISSUER"),
		os.Getenv("CLIENT_ID"),
		os.Getenv("CLIENT_SECRET"),
		os.Getenv("APP_URL")+"/callback",
		[]string{oidc.ScopeOpenID, oidc.ScopeProfile},
		rp.WithCookieHandler(cookies),
		rp.WithPKCE(cookies),
	)
	if err != nil {
		log.Fatal(err)
	}

	showUser := func(w http.ResponseWriter, r *http.Request, tokens *oidc.Tokens[*oidc.IDTokenClaims], state string, provider rp.RelyingParty, user *oidc.UserInfo) {
		json.NewEncoder(w).Encode(user) // a real app starts its own session here
	}
	http.Handle("GET /{$}", rp.AuthURLHandler(rand.Text, provider))
	http.Handle("GET /callback", rp.CodeExchangeHandler(rp.UserinfoCallback(showUser), provider))
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
