import { type DescribedRequest, forgetDocuments, open } from './described-request.ts'

/** What needs neither a user nor a client. */
export const publicRequests: DescribedRequest[] = [
  open('GET /'),
  open('GET /healthz'),
  { ...open('GET /readyz'), forgetCopies: forgetDocuments },
  open('GET /client.js'),
  open('GET /.well-known/openid-configuration'),
  open('GET /.well-known/oauth-authorization-server'),
  open('GET /.well-known/jwks.json'),
  open('GET /.well-known/revocations'),
  open(
    'GET /.well-known/oauth-protected-resource/*',
    '/.well-known/oauth-protected-resource/oidc/userinfo',
  ),
  open('GET /.well-known/webauthn'),
  // Without native apps, they do not exist.
  { ...open('GET /.well-known/apple-app-site-association'), isError: true },
  { ...open('GET /.well-known/assetlinks.json'), isError: true },
]
