import { describe, expect, it } from 'vitest'
import { problemAt } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { signInAdministrator, signInWithRole, submitForm } from '../admin/administrator.ts'

describe('unregistered clients in the console', () => {
  const list = '/admin/unregistered-clients'

  it('are blocked with a host that none of them has used yet', async () => {
    const { administrator } = await signInAdministrator()
    const host = `*.${crypto.randomUUID()}.example`
    const query = new URLSearchParams({ host: ` ${host.toUpperCase()} ` })

    const { pathname } = redirectUrl(await administrator.get(`${list}?${query}`), 303)
    const question = await (await administrator.get(pathname)).text()
    await submitForm(administrator, pathname)

    expect(question).toContain(`<dt>Host</dt><dd>${host}</dd>`)
    const page = await (await administrator.get(list)).text()
    expect(page).toContain(`href="${list}/${encodeURIComponent(host)}/unblock"`)
  })

  it.each(['', '*', 'evil', 'https://evil.example/client.json', 'evil.example/'])(
    'state at the field that a text is no host: %s',
    async (host) => {
      const { administrator } = await signInAdministrator()

      const response = await administrator.get(`${list}?${new URLSearchParams({ host })}`)

      expect(response.status).toBe(400)
      const page = await response.text()
      expect(problemAt(page, 'host')).toContain('This is not a host.')
      expect(page).toContain(`value="${host}"`)
    },
  )

  it('are not offered to be blocked to administrators who may not', async () => {
    const { browser } = await signInWithRole('support')

    const page = await (await browser.get(list)).text()
    const target = redirectUrl(await browser.get(`${list}?host=evil.example`), 303)

    expect(page).not.toContain('Block a host')
    expect((await browser.get(target.pathname)).status).toBe(403)
  })
})
