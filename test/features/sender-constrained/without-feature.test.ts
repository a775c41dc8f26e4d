import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf } from '../../browser.ts'
import { basic, formRequest, RelyingApp } from '../../core/oidc/relying-app.ts'
import { errorCode } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'

describe('a deployment without senderConstrained()', () => {
  const features = (options.features ?? []).filter(({ id }) => id !== 'sender-constrained')
  const vestibule = createVestibule({ ...options, features })
  const service = serviceOf(vestibule)

  it('has no endpoint for pushed requests, and discovery mentions none of it', async () => {
    const response = await service(formRequest('/oidc/par', {}, basic('web')))
    const discovery = await service(new Request(`${LOGIN}/.well-known/openid-configuration`))

    expect(response.status).toBe(404)
    expect(await discovery.text()).not.toMatch(/pushed|dpop/)
  })

  it('rejects every request_uri', async () => {
    const request_uri = 'urn:ietf:params:oauth:request_uri:x'
    const url = await new RelyingApp('web').authorizationUrl({ request_uri })

    const response = redirectUrl(await new Browser(service).get(url), 303)

    expect(response.searchParams.get('error')).toBe('request_uri_not_supported')
  })

  it.each([
    ['require_pushed_authorization_requests', true],
    ['dpop_bound_access_tokens', true],
    ['profile', 'fapi2'],
  ])('disables a client with %s, and reports it', async (field, value) => {
    const CLIENTS = clientsWith({ web: { [field]: value } })
    const browser = new Browser(serviceOf(vestibule, { CLIENTS }))

    const response = await browser.get(await new RelyingApp('web').authorizationUrl())
    const readiness = await browser.get('/readyz')

    expect(await errorCode(response)).toBe('client_unknown')
    expect(await readiness.text()).toContain(`${field} needs senderConstrained()`)
  })

  it('disables an API that requires bound tokens, and reports it', async () => {
    const identifier = 'https://orders.example'
    const APIS = [{ identifier, dpop_bound_access_tokens_required: true }]
    const browser = new Browser(serviceOf(vestibule, { APIS }))
    await browser.signIn('mia')
    const url = await new RelyingApp('web').authorizationUrl({ resource: identifier })

    const response = redirectUrl(await browser.get(url), 303)
    const readiness = await browser.get('/readyz')

    expect(response.searchParams.get('error')).toBe('invalid_target')
    expect(await readiness.text()).toContain(
      'APIS.0.dpop_bound_access_tokens_required needs senderConstrained()',
    )
  })

  it('ignores dpop_jkt and proofs: tokens are not bound', async () => {
    const browser = new Browser(service)
    await browser.signIn('mia')
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(browser, { dpop_jkt: 'x' })

    const headers = { ...basic('web'), DPoP: 'x' }
    const response = await service(
      formRequest('/oidc/token', app.codeExchangeForm(callback), headers),
    )

    expect(await response.json()).toMatchObject({ token_type: 'Bearer' })
  })
})
