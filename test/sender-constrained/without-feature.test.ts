import { describe, expect, it } from 'vitest'
import { options } from '../../src/deployment.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf } from '../browser.ts'
import { errorCode } from '../html.ts'
import { basic, formRequest, RelyingApp } from '../oidc/relying-app.ts'
import { redirectUrl } from '../redirect.ts'
import { clientsWith } from '../registered-clients.ts'

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

  it('disables a client that requires pushed requests, and reports it', async () => {
    const CLIENTS = clientsWith({ web: { require_pushed_authorization_requests: true } })
    const browser = new Browser(serviceOf(vestibule, { CLIENTS }))

    const response = await browser.get(await new RelyingApp('web').authorizationUrl())
    const readiness = await browser.get('/readyz')

    expect(await errorCode(response)).toBe('client_unknown')
    expect(await readiness.text()).toMatch(
      /require_pushed_authorization_requests needs senderConstrained/,
    )
  })
})
