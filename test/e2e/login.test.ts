import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { createPersona, describeInBrowser, it, login, platform } from './browser-fixtures.ts'
import { OPERATOR_ID, SECRET } from './clients/registrations.ts'
import { readSession, signInWithoutPages, signInWithTikTok, waitForHeading } from './page-steps.ts'
import { runInProcess } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../../cli/vestibule.js', import.meta.url))

const administrator = inject('administrator')

const WAIT = { timeout: 20_000 } // milliseconds

/** Starts `npx vestibule-auth login` in this folder, and waits for the code that it shows. */
async function startLogin(folder: string) {
  const child = spawn(process.execPath, [MAIN, 'login', login], { cwd: folder, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  const code = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data
        const [, shown] = output.match(/enter the code (\S+)/) ?? []
        if (shown) resolve(shown)
      })
    }
  })
  const end = once(child, 'close').then(([status]) => ({ status: status as number, output }))
  return { code: await code, end }
}

/** Enters the code, signs in and confirms. */
async function confirm(page: Page, code: string, persona: string): Promise<void> {
  await page.goto(`${login}/device`)
  await page.getByLabel('Code on your device').fill(code.toLowerCase())
  await signInWithTikTok(page, persona)
  await waitForHeading(page, 'Sign in to Vestibule command line on a device?')
  await page.getByText(code).waitFor()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await waitForHeading(page, 'You can return to your device')
}

describeInBrowser('npx vestibule-auth login', () => {
  it('signs an administrator in with a browser, until logout', async ({ page }) => {
    const folder = temporaryFolder()
    await fetch(`${platform}/__stand-in/users`, {
      method: 'POST',
      body: JSON.stringify({ handle: administrator, displayName: 'Admina Strator' }),
    })
    const { code, end } = await startLogin(folder)
    await confirm(page, code, administrator)

    const signedIn = await end
    const listed = await runInProcess(['clients', 'list', '--json'], { cwd: folder })
    const listedAgain = await runInProcess(['clients', 'list', '--json'], { cwd: folder })
    const { mode } = statSync(join(folder, '.vestibule/credentials.json'))
    const signedOut = await runInProcess(['logout', login], { cwd: folder })
    const afterwards = await runInProcess(['clients', 'list'], { cwd: folder })

    expect(signedIn.output).toContain(`Signed in to ${login}.`)
    expect([signedIn.status, listed.status, listedAgain.status]).toEqual([0, 0, 0])
    expect(mode & 0o777).toBe(0o600)
    expect(signedOut).toMatchObject({ output: `Signed out of ${login}.\n`, status: 0 })
    expect(afterwards.stderr).toContain('npx vestibule-auth login <url>')
  })

  it('opens the page with the code when Enter is pressed on a terminal', async ({ page }) => {
    const folder = temporaryFolder()
    const opened = join(folder, 'opened')
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > ${opened}\n`, { mode: 0o755 })
    }
    const { isTTY } = process.stdin
    process.stdin.isTTY = true
    onTestFinished(() => void Object.assign(process.stdin, { isTTY }))

    const end = runInProcess(['login', login], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}` },
    })
    await vi.waitFor(() => expect(process.stdin.listenerCount('data')).toBeGreaterThan(0), WAIT)
    process.stdin.emit('data', Buffer.from('\n'))
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).not.toBe(''), WAIT)
    await page.goto(readFileSync(opened, 'utf8').trim())
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInWithTikTok(page, await createPersona('Someone else'))
    await page.getByRole('button', { name: 'Allow', exact: true }).click()

    const { stderr } = await end
    expect(stderr).toContain('Press Enter to open it in the browser of this computer.\n')
    expect(stderr).toContain(`You are not an administrator of ${login}.`)
  })

  it('tells an administrator what the role forbids', async ({ page, context, persona }) => {
    const folder = temporaryFolder()
    await signInWithoutPages(context, persona)
    const userId = (await readSession(context))?.user.id ?? ''
    await context.clearCookies()
    const env = {
      VESTIBULE_URL: login,
      VESTIBULE_CLIENT_ID: OPERATOR_ID,
      VESTIBULE_CLIENT_SECRET: SECRET,
    }
    await runInProcess(['admins', 'add', userId, '--role', 'support'], { cwd: folder, env })
    const { code, end } = await startLogin(folder)
    await confirm(page, code, persona)
    await end

    const forbidden = await runInProcess(['keys', 'rotate', '--yes'], { cwd: folder })

    expect(forbidden.stderr).toContain('Your role, support, does not allow this.')
    expect(forbidden.stderr).not.toContain('login')
    expect(forbidden.status).toBe(1)
  })

  it('gives no access to users who are not administrators', async ({ page }) => {
    const folder = temporaryFolder()
    const { code, end } = await startLogin(folder)
    await confirm(page, code, await createPersona('Someone else'))

    const { status, output } = await end
    const listed = await runInProcess(['clients', 'list'], { cwd: folder })

    expect(output).toContain(`You are not an administrator of ${login}.`)
    expect([status, listed.status]).toEqual([1, 1])
  })
})
