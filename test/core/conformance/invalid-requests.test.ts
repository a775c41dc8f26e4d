import { describe, expect, it } from 'vitest'
import { LOGIN } from '../../browser.ts'
import { discoveryDocument } from '../oidc/published-metadata.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { unsignedJwt } from '../oidc/unsigned-jwt.ts'
import { ConformanceClient, RESPONSE_MODES } from './conformance-client.ts'

const UNREGISTERED = 'https://certifier.example/not-registered'

/** An error page for the user, from which nothing is sent to the client. */
async function expectErrorPage(response: Response): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  const page = await response.text()
  expect(page).toContain('redirect_uri_refused')
  expect(page).not.toContain('<form method="post"')
}

describe.each(RESPONSE_MODES)('the Basic plan with response_mode=%s: invalid requests', (mode) => {
  it('[A6] oidcc-response-type-missing: returns an error with the state to the client', async () => {
    const client = new ConformanceClient(mode)

    const response = await client.authorize(await signedIn(), { response_type: undefined })

    expect(Object.fromEntries(await client.readResponse(response.clone()))).toMatchObject({
      state: client.state,
      iss: LOGIN,
    })
    expect(['invalid_request', 'unsupported_response_type']).toContain(
      await client.readError(response),
    )
  })

  it('[A3] oidcc-ensure-registered-redirect-uri: shows a page and does not redirect', async () => {
    const client = new ConformanceClient(mode)

    const response = await client.authorize(await signedIn(), { redirect_uri: UNREGISTERED })

    await expectErrorPage(response)
  })

  it('[A20] oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: is rejected as unsupported', async () => {
    const client = new ConformanceClient(mode)
    const request_uri = 'https://certifier.example/request-object.jwt'

    const response = await client.authorize(await signedIn(), { request_uri })

    expect(await client.readError(response)).toBe('request_uri_not_supported')
    expect(await discoveryDocument()).toHaveProperty('request_uri_parameter_supported', false)
  })

  it('[A20] oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: is rejected as unsupported', async () => {
    const client = new ConformanceClient(mode)
    // The suite sends these parameters only in the request object.
    const outside = { response_mode: undefined, state: undefined, nonce: undefined }
    const inside = { client_id: client.clientId, nonce: client.nonce, state: client.state }
    const request = unsignedJwt({ ...inside, ...(mode === 'form_post' && { response_mode: mode }) })

    const response = await client.authorize(await signedIn(), { ...outside, request })

    expect((await client.readResponse(response.clone())).get('state')).toBe(client.state)
    expect(await client.readError(response)).toBe('request_not_supported')
    expect(await discoveryDocument()).toHaveProperty('request_parameter_supported', false)
  })

  it('[A20] oidcc-ensure-request-object-with-redirect-uri: does not use the redirect_uri in the request object', async () => {
    const client = new ConformanceClient(mode)
    const request = unsignedJwt({ redirect_uri: client.redirectUri })

    const response = await client.authorize(await signedIn(), {
      redirect_uri: UNREGISTERED,
      request,
    })

    await expectErrorPage(response)
  })
})
