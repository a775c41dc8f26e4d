import * as client from 'openid-client'
import { expect, onTestFinished } from 'vitest'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import { startCodeFlow } from '../code-flow.ts'
import { startLoopbackServer } from '../loopback-server.ts'
import { readSession, signInWithoutPages, signInWithTikTok, waitForHeading } from '../page-steps.ts'

const CLIENT_ID = 'command-line'

describeInBrowser('a command-line program', () => {
  it('signs a user in with a browser on another machine (RFC 8628)', async ({
    page,
    context,
    persona,
  }) => {
    const configuration = await client.discovery(new URL(login), CLIENT_ID, {}, client.None(), {
      execute: [client.allowInsecureRequests],
    })
    const device = await client.initiateDeviceAuthorization(configuration, { scope: 'openid' })
    const polling = client.pollDeviceAuthorizationGrant(configuration, device)

    await page.goto(device.verification_uri_complete ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInWithTikTok(page, persona)
    await page.getByText(device.user_code).waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await waitForHeading(page, 'You can return to your device')

    const tokens = await polling
    expect(tokens.claims()?.sub).toBe((await readSession(context))?.user.id)
  })

  it('signs a user in through a port that is chosen when it starts (RFC 8252 §7.3)', async ({
    page,
    context,
    persona,
  }) => {
    const callbacks: string[] = []
    const server = await startLoopbackServer((request, response) => {
      callbacks.push(request.url ?? '')
      response.end('You can return to your command line.')
    })
    onTestFinished(server.close)
    const origin = `http://127.0.0.1:${server.port}`
    const redirectUri = `${origin}/callback`
    const { request, finish } = await startCodeFlow({ clientId: CLIENT_ID, redirectUri })
    await signInWithoutPages(context, persona)

    await page.goto(request.href)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${origin}/**`)

    const { sub } = await finish(new URL(callbacks[0] ?? '', origin))
    expect(sub).toBe((await readSession(context))?.user.id)
  })
})
