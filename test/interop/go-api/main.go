package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	verifier := newVerifier(provider, os.Getenv("API"))
	var revoked atomic.Pointer[revocations]
	go func() {
		for ; ; time.Sleep(10 * time.Second) {
			if list, err := readRevocations(context.Background(), os.Getenv("ISSUER"), provider); err == nil {
				revoked.Store(&list)
			}
		}
	}()
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		token, err := verify(r.Context(), verifier, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		if list := revoked.Load(); list != nil && list.contains(token) {
			http.Error(w, "revoked", http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"sub": token.Subject})
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
