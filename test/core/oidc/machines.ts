import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { issuedSecrets } from '../../browser.ts'
import { config, newId, newIsolate, ORIGIN } from '../registrations/stored-clients.ts'
import { basic, formRequest } from './relying-app.ts'

const SCOPES = [
  { name: 'stock:read', description: 'Read the stock.' },
  { name: 'stock:write', description: 'Change the stock.' },
]

/** Registers an API for machines. */
export async function registerApi(fields: Record<string, unknown> = {}) {
  const identifier = `https://${newId('api')}.example`
  const registration = { identifier, scopes: SCOPES, client_credentials: true, ...fields }
  await apiStore.create(env, config, { registration, origin: ORIGIN })
  return { identifier }
}

/** Registers a machine client. */
export async function registerMachine(fields: Record<string, unknown> = {}) {
  const clientId = newId('machine')
  const { secret: clientSecret = '' } = await clientStore.create(env, config, {
    registration: {
      client_id: clientId,
      grant_types: ['client_credentials'],
      scope: 'stock:read stock:write',
      ...fields,
    },
    origin: ORIGIN,
  })
  issuedSecrets.add(clientSecret)
  const credentials = basic(clientId, clientSecret)
  const request = (form: Record<string, string> = {}, service = newIsolate().service) =>
    service(formRequest('/oidc/token', { grant_type: 'client_credentials', ...form }, credentials))
  return { clientId, credentials, request }
}

/** A machine client with one API, and a token for it. */
export async function issueToken(fields: Record<string, unknown> = {}) {
  const api = await registerApi()
  const machine = await registerMachine({ resources: [api.identifier], ...fields })
  const response = await machine.request()
  expect(response.status).toBe(200)
  const { access_token } = await response.json<{ access_token: string }>()
  issuedSecrets.add(access_token)
  return { api, machine, token: access_token }
}
