import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { LOGIN } from '../browser.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { Certifier, discovery, RESPONSE_MODES } from './certifier.ts'

const EVIL = 'https://certifier.example/not-registered'

/** The request object nobody has signed, with these parameters in it. */
function unsigned(parameters: Record<string, string>): string {
  const encode = (part: object) => base64url.encode(JSON.stringify(part))
  return `${encode({ alg: 'none' })}.${encode(parameters)}.`
}

/** A page for the person, which leads nowhere. */
async function expectPage(response: Response): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  const page = await response.text()
  expect(page).toContain('redirect_uri')
  expect(page).not.toContain('<form method="post"')
}

describe.each(RESPONSE_MODES)('the Basic plan in %s: refusals', (mode) => {
  it('[A6] oidcc-response-type-missing: the app is told, with its state', async () => {
    const certifier = new Certifier(mode)

    const response = await certifier.ask(await signedIn(), { response_type: undefined })

    expect(Object.fromEntries(await certifier.receive(response.clone()))).toMatchObject({
      state: certifier.state,
      iss: LOGIN,
    })
    expect(['invalid_request', 'unsupported_response_type']).toContain(
      await certifier.refusal(response),
    )
  })

  it('[A3] oidcc-ensure-registered-redirect-uri: a page, and no redirect', async () => {
    const certifier = new Certifier(mode)

    await expectPage(await certifier.ask(await signedIn(), { redirect_uri: EVIL }))
  })

  it('[A20] oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: is not supported, and says so', async () => {
    const certifier = new Certifier(mode)
    const request_uri = 'https://certifier.example/request-object.jwt'

    const response = await certifier.ask(await signedIn(), { request_uri })

    expect(await certifier.refusal(response)).toBe('request_uri_not_supported')
    expect(await discovery()).toHaveProperty('request_uri_parameter_supported', false)
  })

  it('[A20] oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: is not supported, and says so', async () => {
    const certifier = new Certifier(mode)
    const request = unsigned({ client_id: certifier.clientId, nonce: 'another', state: 'another' })

    const response = await certifier.ask(await signedIn(), { request })

    expect((await certifier.receive(response.clone())).get('state')).toBe(certifier.state)
    expect(await certifier.refusal(response)).toBe('request_not_supported')
    expect(await discovery()).toHaveProperty('request_parameter_supported', false)
  })

  it('[A20] oidcc-ensure-request-object-with-redirect-uri: a good address in it does not mend a bad one', async () => {
    const certifier = new Certifier(mode)
    const request = unsigned({ redirect_uri: certifier.redirectUri })

    await expectPage(await certifier.ask(await signedIn(), { redirect_uri: EVIL, request }))
  })
})
