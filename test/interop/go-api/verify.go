package main

import (
	"context"
	"errors"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

func newVerifier(provider *oidc.Provider, api string) *oidc.IDTokenVerifier {
	return provider.Verifier(&oidc.Config{ClientID: api, SupportedSigningAlgs: []string{oidc.ES256}})
}

func verify(ctx context.Context, verifier *oidc.IDTokenVerifier, raw string) (*oidc.IDToken, error) {
	parsed, err := jose.ParseSigned(raw, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return nil, err
	}
	if parsed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType] != "at+jwt" {
		return nil, errors.New("not an access token")
	}
	return verifier.Verify(ctx, raw)
}
