import { type App, areScopesApproved, findLoginApp, findRedirect, type Redirect } from './apps.ts'
import type { AuthorizationRequest, Pkce } from './authorization-request.ts'
import { PageError } from './errors.ts'
import type { Platform } from './platform.ts'
import { splitScopes } from './scopes.ts'

/**
 * Checks in the platform's order. Errors are shown on a page of the platform, never returned to the
 * app.
 */
export function readAuthorizationRequest(
  platform: Platform,
  query: URLSearchParams,
): AuthorizationRequest {
  const clientKey = query.get('client_key')
  if (!clientKey) throw new PageError('param_error', 'client_key', 10003)
  if (query.get('response_type') !== 'code') {
    throw new PageError('unsupported_response_type', 'response_type')
  }

  const app = requireApp(platform, clientKey)
  const redirect = requireRedirect(app, query)
  return {
    app,
    redirectUri: query.get('redirect_uri') ?? redirect.uri,
    scopes: requireScopes(app, query),
    pkce: requirePkce(platform, redirect, query),
    state: query.get('state') ?? undefined,
    alwaysShowsConsent: query.get('disable_auto_auth') === '1',
  }
}

function requireApp(platform: Platform, clientKey: string): App {
  const app = findLoginApp(platform.apps, clientKey)
  if (app === undefined) throw new PageError('unauthorized_client', 'client_key')
  return app
}

function requireRedirect(app: App, query: URLSearchParams): Redirect {
  const redirect = findRedirect(app, query.get('redirect_uri') ?? '')
  if (redirect === undefined) throw new PageError('invalid_request', 'redirect_uri')
  // The SDK sends the id of the app that it is part of, which the system vouches for.
  const isKnownApp = app.bundleIds.includes(query.get('bundle_id') ?? '')
  if (redirect.platform === 'mobile' && !isKnownApp) {
    throw new PageError('unauthorized_client', 'bundle_id')
  }
  return redirect
}

function requireScopes(app: App, query: URLSearchParams): string[] {
  const scopes = splitScopes(query.get('scope') ?? '')
  if (!areScopesApproved(app, scopes)) throw new PageError('invalid_scope', 'scope')
  return scopes
}

/** Mandatory on desktops and phones. The challenge's format is not checked before the exchange. */
function requirePkce(platform: Platform, redirect: Redirect, query: URLSearchParams): Pkce {
  const challenge = query.get('code_challenge')
  if (redirect.platform === 'web') return webPkce(platform, challenge)
  if (!challenge) throw new PageError('param_error', 'code_challenge', 10007)
  if (query.get('code_challenge_method') !== 'S256') {
    throw new PageError('param_error', 'code_challenge_method', 10008)
  }
  return { challenge }
}

function webPkce(platform: Platform, challenge: string | null): Pkce {
  switch (platform.switches.webPkce) {
    case 'ignore':
      return 'ignored'
    case 'verify-hex':
      return challenge ? { challenge } : 'ignored'
    case 'reject-unknown':
      if (challenge) throw new PageError('param_error', 'code_challenge')
      return 'rejected'
  }
}
