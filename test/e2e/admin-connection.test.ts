import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LOGIN_SYSTEMS } from '../../cli/admin/login-systems.ts'
import { OPERATIONS } from '../../cli/admin/operations.ts'
import { clientSchema } from '../../src/core/registration-schemas/clients.ts'
import { type StubResponse, startAdminApiStub } from './admin-api-stub.ts'
import { runInProcess } from './run-in-process.ts'
import { skipDelays } from './skip-delays.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PROBLEM = 'application/problem+json'

const USER = 'usr_0123456789abcdefghijkl'

describe('a command that calls the admin API', () => {
  it('reports how to connect if there are no credentials', async () => {
    const { output, stderr, status } = await run(['clients', 'list'])

    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(output).toBe('')
    expect(status).toBe(1)
  })

  it('reports how to connect to an environment that has no credentials', async () => {
    const folder = temporaryFolder()
    writeCredentials(folder, { default: credentials('http://127.0.0.1:1') })
    const { stderr, status } = await run(['clients', 'list', '--env', 'staging'], { folder })

    expect(stderr).toContain('Run `npx vestibule-auth connect --env staging`')
    expect(status).toBe(1)
  })

  it('reads the credentials in a folder above, and those of an environment', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const folder = temporaryFolder()
    writeCredentials(folder, { staging: credentials(env.VESTIBULE_URL) })
    writeFileSync(join(folder, 'wrangler.toml'), '')
    mkdirSync(join(folder, 'src'))
    const { status } = await run(['clients', 'list', '--env', 'staging'], {
      folder: join(folder, 'src'),
    })

    expect(status).toBe(0)
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['above the folder of the deployment', 'deployment/wrangler.toml'],
    ['in a folder above without a deployment', 'deployment/src/index.ts'],
  ])('[O1] does not read credentials %s', async (_where, file) => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const folder = temporaryFolder()
    writeCredentials(folder, { default: credentials(env.VESTIBULE_URL) })
    mkdirSync(join(folder, 'deployment/src'), { recursive: true })
    writeFileSync(join(folder, file), '')
    const { stderr, status } = await run(['clients', 'list'], {
      folder: join(folder, 'deployment/src'),
    })

    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(requests).toEqual([])
    expect(status).toBe(1)
  })

  it.each(['620', '602'])(
    '[O1] rejects credentials that other users can change: %s',
    async (mode) => {
      const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
      const folder = temporaryFolder()
      writeCredentials(
        folder,
        { default: credentials(env.VESTIBULE_URL) },
        Number.parseInt(mode, 8),
      )
      const { stderr, status } = await run(['clients', 'list'], { folder })

      expect(stderr).toContain('can be changed by other users')
      expect(requests).toEqual([])
      expect(status).toBe(1)
    },
  )

  it('[O1] rejects credentials that belong to another user', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const folder = temporaryFolder()
    writeCredentials(folder, { default: credentials(env.VESTIBULE_URL) })
    const owner = statSync(folder).uid
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(owner + 1)
    onTestFinished(() => getuid.mockRestore())
    const { stderr, status } = await run(['clients', 'list'], { folder })

    expect(stderr).toContain('belongs to another user')
    expect(requests).toEqual([])
    expect(status).toBe(1)
  })

  it.each(['{', '[]', '{"default": {"url": 1}}'])('reports a damaged file: %s', async (text) => {
    const folder = temporaryFolder()
    writeCredentials(folder, text)
    const { stderr, status } = await run(['keys', 'list'], { folder })

    expect(stderr).toContain('is damaged. Delete it, and run `npx vestibule-auth connect`.')
    expect(status).toBe(1)
  })

  it('uses the ordinary connection with --local only if that is to this computer', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const [folder, deployed] = [temporaryFolder(), temporaryFolder()]
    writeCredentials(folder, { default: credentials(env.VESTIBULE_URL) })
    writeCredentials(deployed, { default: credentials('https://login.acme.example') })
    const local = await run(['clients', 'list', '--local'], { folder })
    const remote = await run(['clients', 'list', '--local'], { folder: deployed })

    expect([local.status, requests.length]).toEqual([0, 1])
    expect(remote.stderr).toContain('Run `npx vestibule-auth connect --local`')
    expect(remote.status).toBe(1)
  })

  it('uses only the origin of VESTIBULE_URL', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const VESTIBULE_URL = `${env.VESTIBULE_URL}/admin/`
    const { status } = await run(['keys', 'list'], { env: { ...env, VESTIBULE_URL } })

    expect(requests.map(({ path }) => path)).toEqual(['/keys'])
    expect(status).toBe(0)
  })

  it('reports which variable is missing', async () => {
    const { stderr, status } = await run(['clients', 'list'], {
      env: { VESTIBULE_URL: 'https://login.example', VESTIBULE_CLIENT_ID: 'operator' },
    })

    expect(stderr).toContain('VESTIBULE_CLIENT_SECRET is missing')
    expect(status).toBe(1)
  })

  it.each(['http://login.example.com', 'ftp://login.example.com', 'login.example.com'])(
    '[O1] does not send the secret to %s',
    async (url) => {
      const { stderr, status } = await run(['clients', 'list'], {
        env: {
          VESTIBULE_URL: url,
          VESTIBULE_CLIENT_ID: 'operator',
          VESTIBULE_CLIENT_SECRET: 'secret',
        },
      })

      expect(stderr).toContain('is not an https address')
      expect(status).toBe(1)
    },
  )

  it('reports that nothing listens at the address', async () => {
    const { stderr, status } = await run(['clients', 'list'], {
      env: {
        VESTIBULE_URL: 'http://127.0.0.1:1',
        VESTIBULE_CLIENT_ID: 'operator',
        VESTIBULE_CLIENT_SECRET: 'secret',
      },
    })

    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:1 does not respond: .*Is the service running\?/)
    expect(status).toBe(1)
  })

  it('reports a wrong secret, and how to replace it', async () => {
    const { env } = await startAdminApiStub(() => ({}), {
      token: { status: 401, body: { error: 'invalid_client' } },
    })
    const { stderr, status } = await run(['clients', 'list'], { env })

    expect(stderr).toContain('The service rejects the secret of the client operator')
    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(stderr).not.toContain(env.VESTIBULE_CLIENT_SECRET)
    expect(status).toBe(1)
  })

  it('reports that the client may not use the admin API', async () => {
    const { env } = await startAdminApiStub(() => ({ status: 404, type: 'text/html', body: '' }))
    const { stderr, status } = await run(['clients', 'list'], { env })

    expect(stderr).toContain('The client operator may not use the admin API')
    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(status).toBe(1)
  })

  it('rejects a discovery document with another issuer', async () => {
    const { env } = await startAdminApiStub(() => ({}), {
      discovery: {
        body: { issuer: 'https://evil.example', token_endpoint: 'https://evil.example' },
      },
    })
    const { stderr, status } = await run(['clients', 'list'], { env })

    expect(stderr).toContain('Is this the address of a login service?')
    expect(status).toBe(1)
  })

  it.each(['discovery', 'token'])('reports an outage, and what to do: %s', async (endpoint) => {
    const body = { error: 'configuration', problems: ['AUTH_SECRET is missing.\u001b[2J'] }
    const { env } = await startAdminApiStub(() => ({}), { [endpoint]: { status: 503, body } })
    const { stderr, status } = await run(['clients', 'list'], { env })

    const url = env.VESTIBULE_URL
    expect(stderr).toBe(
      `${url} responds with status 503. Run \`npx vestibule-auth doctor ${url}\`.\n- AUTH_SECRET is missing. [2J\n`,
    )
    expect(status).toBe(1)
  })

  it.each([
    { status: 404, body: {} },
    { type: 'text/html', body: '<h1>' },
  ])('asks whether the address is right: %j', async (discovery) => {
    const { env } = await startAdminApiStub(() => ({}), { discovery })
    const { stderr, status } = await run(['clients', 'list'], { env })

    expect(stderr).toContain('Is this the address of a login service?')
    expect(status).toBe(1)
  })

  it('prints the problems that the service reports, without control characters', async () => {
    const { env } = await startAdminApiStub(() => ({
      status: 400,
      type: PROBLEM,
      body: {
        title: 'Bad Request',
        detail: 'The registration is invalid.\u001b[2J',
        problems: [{ path: ['redirect_uris'], code: 'invalid', message: 'is empty.' }],
        request_id: '7KQ2M-X4RTB',
      },
    }))
    const { output, stderr, status } = await run(['clients', 'add', 'shop'], { env })

    expect(stderr).toBe(
      'The registration is invalid. [2J\n- redirect_uris is empty.\nReference: 7KQ2M-X4RTB\n',
    )
    expect(output).toBe('')
    expect(status).toBe(1)
  })

  it.each([
    ['garbage', { body: 'garbage' }, 'not a JSON object'],
    ['a list', { body: [] }, 'not a JSON object'],
    ['an error page', { status: 502, type: 'text/html', body: '<h1>' }, 'status 502'],
    ['a redirect', { status: 302, headers: { Location: '/' }, body: '' }, 'status 302'],
    ['a problem without details', { status: 500, type: PROBLEM, body: {} }, 'The request failed.'],
  ])('reports %s as an error', async (_, response, message) => {
    const { env } = await startAdminApiStub(() => response)
    const { stderr, status } = await run(['keys', 'list'], { env })

    expect(stderr).toContain(message)
    expect(status).toBe(1)
  })

  it('reports operations of a feature that the deployment does not list', async () => {
    const { env } = await startAdminApiStub(() => ({ status: 404, type: PROBLEM, body: {} }))
    const { stderr, status } = await run(['webhooks', 'list'], { env })

    expect(stderr).toContain('The service has no webhooks. Add webhooks() to the features')
    expect(status).toBe(1)
  })

  it.each([
    [['roles', 'list'], 'roles', 'roles()'],
    [['roles', 'users', 'editor'], 'roles', 'roles()'],
    [['roles', 'give', USER, '--role', 'editor'], 'roles', 'roles()'],
    [['webhooks', 'show', 'crm'], 'webhooks', 'webhooks()'],
  ])('names the feature that %j needs', async (args, collection, call) => {
    const { env } = await startAdminApiStub(() => ({ status: 404, type: PROBLEM, body: {} }))
    const { stderr, status } = await run(args, { env })

    expect(stderr).toContain(`The service has no ${collection}. Add ${call} to the features`)
    expect(status).toBe(1)
  })

  it('reports a record of a feature that does not exist', async () => {
    const { env } = await startAdminApiStub(({ path }) =>
      path === '/webhooks' ? { body: { items: [] } } : { status: 404, type: PROBLEM, body: {} },
    )
    const { stderr } = await run(['webhooks', 'show', 'crm'], { env })

    expect(stderr).toContain('There is no webhook crm.')
  })

  it('reports a record that does not exist', async () => {
    const { env } = await startAdminApiStub(() => ({ status: 404, type: PROBLEM, body: {} }))
    const { stderr, status } = await run(['clients', 'show', 'shop'], { env })

    expect(stderr).toContain('There is no client shop.')
    expect(status).toBe(1)
  })

  it('reports that a connection with --read-only cannot change anything', async () => {
    const headers = { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' }
    const { env } = await startAdminApiStub(
      () => ({ status: 403, type: PROBLEM, headers, body: {} }),
      { token: { body: { access_token: 't', token_type: 'Bearer', scope: 'admin:read' } } },
    )
    const { stderr, status } = await run(['clients', 'enable', 'shop'], { env })

    expect(stderr).toContain('The client operator does not have the scope admin:write.')
    expect(status).toBe(1)
  })

  it.each([
    ['1', 1],
    ['3600', 60],
    ['soon', 60],
  ])('waits when the service limits requests, at most a minute: %s', async (value, seconds) => {
    const delays = skipDelays()
    const { env, requests } = await startAdminApiStub(() =>
      requests.length === 1
        ? { status: 429, type: PROBLEM, headers: { 'Retry-After': value } }
        : { body: { items: [] } },
    )
    const { stderr, status } = await run(['clients', 'list'], { env })

    expect(stderr).toContain(`continuing in ${seconds} seconds`)
    expect(delays).toEqual([seconds * 1000])
    expect(requests).toHaveLength(2)
    expect(status).toBe(0)
  })

  it('reads every page of a list', async () => {
    const { env } = await startAdminApiStub(({ path }) =>
      path.includes('cursor=next')
        ? { body: { items: [{ client_id: 'b' }] } }
        : { body: { items: [{ client_id: 'a' }], next_cursor: 'next' } },
    )
    const { output } = await run(['clients', 'list', '--json'], { env })

    expect(JSON.parse(output)).toEqual([{ client_id: 'a' }, { client_id: 'b' }])
  })

  it('requests users in pages that the API accepts', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    await run(['users', 'find', 'mia', '--limit', '150'], { env })

    expect(requests[0]?.path).toBe('/users?query=mia&limit=100')
  })

  it.each([
    [undefined, false, []],
    [1_794_650_400, false, ['! The user is blocked. They are signed out, and cannot sign in.']],
    [1_794_650_400, true, ['! The user is partly blocked. Sessions may still be active.']],
  ])(
    'says first what matters about a user: blocked at %s, partly: %s',
    async (at, partly, texts) => {
      const user = {
        id: 'usr_0123456789abcdefghijkl',
        created_at: 1_794_650_400,
        blocked_at: at,
        is_block_incomplete: partly,
        ...{ accounts: [], sessions: [], consents: [], grants: [], passkeys: [] },
      }
      const { env } = await startAdminApiStub(({ path }) => ({
        body: path.startsWith('/audit') ? { items: [] } : user,
      }))
      const { output } = await run(['users', 'show', user.id], { env })

      for (const text of texts) expect(output).toContain(text)
      expect(output.match(/^!/gm) ?? []).toHaveLength(texts.length)
      expect(output).toContain('The audit log has nothing about this user.')
    },
  )

  it.each([
    ['users show usr_0123456789abcdefghijkl', 'name'],
    ['audit', 'detail'],
  ])('escapes characters that control the terminal in JSON: %s', async (line, field) => {
    const text = '\u001b[2J\u007f\u009b2J\u2028\u202e\u2066é\u{1F600}'
    const { env } = await startAdminApiStub(() => ({
      body: { [field]: text, items: [{ [field]: text }] },
    }))
    const { output } = await run([...line.split(' '), '--json'], { env })

    expect(output).toContain('"\\u001b[2J\\u007f\\u009b2J\\u2028\\u202e\\u2066é\u{1F600}"')
    expect([JSON.parse(output)].flat()[0][field]).toBe(text)
  })

  it('never prints the secret or the token', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const { output, stderr } = await run(['clients', 'list'], { env })

    expect(requests[0]?.authorization).toBe('Bearer a token')
    expect(output + stderr).not.toContain('a token')
    expect(output + stderr).not.toContain(env.VESTIBULE_CLIENT_SECRET)
  })
})

describe('npx vestibule-auth login', () => {
  const DEVICE = {
    device_code: 'device',
    user_code: 'WDJB-MJHT',
    verification_uri: 'http://127.0.0.1/device',
    expires_in: 600,
  }
  const PERSONAL = { client_id: 'vestibule-login', refresh_token: 'the former one' }
  const TOKEN = {
    body: {
      access_token: 'a',
      token_type: 'bearer',
      expires_in: 600,
      refresh_token: 'the new one',
    },
  }

  /** A service that signs an administrator in at once. */
  function startLoginService(revocation: StubResponse = {}) {
    skipDelays()
    return startAdminApiStub(
      ({ path }) => {
        if (path === '/oidc/device') return { body: DEVICE }
        return path === '/oidc/revoke' ? revocation : { body: { items: [] } }
      },
      { token: TOKEN },
    )
  }

  it('revokes the access that it replaces', async () => {
    const { env, requests } = await startLoginService()
    const folder = temporaryFolder()
    writeCredentials(folder, { default: { url: env.VESTIBULE_URL, ...PERSONAL } })
    const { stderr, status } = await run(['login', env.VESTIBULE_URL], { folder })

    const revocation = requests.find(({ path }) => path === '/oidc/revoke')
    expect(Object.fromEntries(new URLSearchParams(revocation?.body))).toMatchObject({
      client_id: 'vestibule-login',
      token: 'the former one',
    })
    expect(stderr).not.toContain('was not ended')
    expect(readFileSync(join(folder, '.vestibule/credentials.json'), 'utf8')).toContain(
      'the new one',
    )
    expect(status).toBe(0)
  })

  it('[O1] keeps the access where only this user can look, in a folder that git ignores', async () => {
    const { env } = await startLoginService()
    const folder = temporaryFolder()
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    writeFileSync(join(folder, '.gitignore'), 'node_modules')
    await run(['login', env.VESTIBULE_URL], { folder })

    expect(statSync(join(folder, '.vestibule')).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules\n.vestibule/\n')
  })

  it.each([
    [['authorization_pending', 'slow_down', 'slow_down'], 'Signed in to http', [5, 5, 10, 15]],
    [['access_denied'], 'The request was denied.', [5]],
    [['expired_token'], 'The code has expired: run the command again.', [5]],
  ])('polls as the service says: %j', async (errors, text, seconds) => {
    const delays = skipDelays()
    const remaining = [...errors]
    const token = {
      get status() {
        return remaining.length > 0 ? 400 : 200
      },
      get body() {
        const error = remaining.shift()
        return error === undefined ? TOKEN.body : { error }
      },
    }
    const respond = ({ path }: { path: string }) => ({
      body: path === '/oidc/device' ? DEVICE : { items: [] },
    })
    const { env } = await startAdminApiStub(respond, { token })
    const { output, stderr } = await run(['login', env.VESTIBULE_URL])

    expect(output + stderr).toContain(text)
    expect(delays.map((delay) => delay / 1000)).toEqual(seconds)
  })

  it('keeps no access of somebody who is not an administrator', async () => {
    skipDelays()
    const { env, requests } = await startAdminApiStub(
      ({ path }) => {
        if (path === '/oidc/device') return { body: DEVICE }
        const headers = { 'WWW-Authenticate': 'Bearer' }
        return path === '/oidc/revoke' ? {} : { status: 404, type: PROBLEM, headers, body: {} }
      },
      { token: TOKEN },
    )
    const folder = temporaryFolder()
    const { stderr, status } = await run(['login', env.VESTIBULE_URL], { folder })

    expect(stderr).toContain(`You are not an administrator of ${env.VESTIBULE_URL}.`)
    expect(status).toBe(1)
    expect(requests.at(-1)?.path).toBe('/oidc/revoke')
    expect(existsSync(join(folder, '.vestibule/credentials.json'))).toBe(false)
  })

  it('is continued with the refresh token of the last command', async () => {
    const { env } = await startLoginService()
    const folder = temporaryFolder()
    writeCredentials(folder, { default: { url: env.VESTIBULE_URL, ...PERSONAL } })
    const { status } = await run(['keys', 'list'], { folder })

    expect(status).toBe(0)
    expect(readFileSync(join(folder, '.vestibule/credentials.json'), 'utf8')).toContain(
      'the new one',
    )
  })

  it('says what to add if the service has no device flow', async () => {
    const discovery = { body: {} }
    const { env, requests } = await startAdminApiStub(() => ({}), { discovery })
    discovery.body = {
      issuer: env.VESTIBULE_URL,
      token_endpoint: `${env.VESTIBULE_URL}/oidc/token`,
    }
    const { stderr, status } = await run(['login', env.VESTIBULE_URL], {
      folder: temporaryFolder(),
    })

    expect(stderr).toContain(`${env.VESTIBULE_URL} has no device flow`)
    expect(stderr).toContain('Add device() of vestibule-auth/features')
    expect([status, requests]).toEqual([1, []])
  })

  it('says if the former access could not be revoked, and signs in', async () => {
    const { env } = await startLoginService({ status: 503 })
    const folder = temporaryFolder()
    writeCredentials(folder, { default: { url: env.VESTIBULE_URL, ...PERSONAL } })
    const { output, stderr, status } = await run(['login', env.VESTIBULE_URL], { folder })

    expect(stderr).toContain(`The former access to ${env.VESTIBULE_URL} was not ended: `)
    expect(stderr).toContain(`You can end it at ${env.VESTIBULE_URL}/account.`)
    expect(output).toContain(`Signed in to ${env.VESTIBULE_URL}.`)
    expect(status).toBe(0)
  })

  it('is not undone by a logout from another service', async () => {
    const { env, requests } = await startLoginService()
    const folder = temporaryFolder()
    writeCredentials(folder, { default: { url: env.VESTIBULE_URL, ...PERSONAL } })
    const other = await run(['logout', 'https://login.acme.example'], { folder })
    const before = requests.length
    const same = await run(['logout', env.VESTIBULE_URL], { folder })

    expect(other.stderr).toBe(
      `This computer is signed in to ${env.VESTIBULE_URL}, not to https://login.acme.example. Run \`npx vestibule-auth logout ${env.VESTIBULE_URL}\`.\n`,
    )
    expect([other.status, before, same.status, requests.length]).toEqual([1, 0, 0, 1])
  })

  it('is forgotten by a logout although the service does not respond', async () => {
    const { env } = await startLoginService({ status: 503 })
    const folder = temporaryFolder()
    writeCredentials(folder, { default: { url: env.VESTIBULE_URL, ...PERSONAL } })
    const first = await run(['logout', env.VESTIBULE_URL], { folder })
    const second = await run(['logout', env.VESTIBULE_URL], { folder })

    expect([first.status, second.status]).toEqual([1, 1])
    expect(second.stderr).toBe(`This computer is not signed in to ${env.VESTIBULE_URL}.\n`)
  })

  it.each([
    ['deployment', `main = "index.ts"\n[vars]\nAUTH_URL = "https://login.acme.example"\n`],
    ['connection', undefined],
  ])('asks before it uses another service than that of the %s in the folder', async (_, toml) => {
    const { env, requests } = await startLoginService()
    const folder = temporaryFolder()
    if (toml) writeFileSync(join(folder, 'wrangler.toml'), toml)
    else writeCredentials(folder, { default: credentials('https://login.acme.example') })
    const asked = await run(['login', env.VESTIBULE_URL], { folder })
    const before = requests.length
    const confirmed = await run(['login', env.VESTIBULE_URL, '--yes'], { folder })

    expect(asked.stderr).toBe(
      `This folder belongs to https://login.acme.example. After this login, the commands in it use ${env.VESTIBULE_URL}.\nThis needs confirmation: use --yes.\n`,
    )
    expect([asked.status, before, confirmed.status]).toEqual([2, 0, 0])
  })
})

describe('a destructive command', () => {
  it.each([
    ['clients delete shop', 'deleteClient', ' shop at'],
    ['clients disable shop', 'disableClient', ' shop at'],
    ['clients block agent.example', 'blockUnregisteredClient', ' agent.example at'],
    ['apis delete https://orders.example', 'deleteApi', ' https://orders.example at'],
    ['users block usr_0123456789abcdefghijkl', 'blockUser', ' usr_0123456789abcdefghijkl at'],
    ['users delete usr_0123456789abcdefghijkl', 'deleteUser', ' usr_0123456789abcdefghijkl at'],
    ['keys rotate --revoke', 'revokeKeys', ''],
  ] as const)(
    'states its consequences and requires --yes without a terminal: %s',
    async (line, operationId, subject) => {
      const { env, requests } = await startAdminApiStub(() => ({}))
      const { stderr, status } = await run(line.split(' '), { env })

      const { summary, details = [] } = OPERATIONS[operationId]
      expect(details.length).toBeGreaterThan(1)
      expect(stderr.replaceAll('\n', ' ')).toContain(
        `${summary}:${subject} ${env.VESTIBULE_URL} ${details.join(' ')}`,
      )
      expect(stderr).toMatch(/\nThis needs confirmation: use --yes\.\n$/)
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
      expect(status).toBe(2)
    },
  )
})

describe('deleting what does not exist', () => {
  it.each([
    ['clients delete shop', 'There is no client shop.'],
    ['apis delete https://orders.example', 'There is no API https://orders.example.'],
    ['webhooks delete crm', 'There is no webhook crm.'],
    [`users delete ${USER}`, `There is no user ${USER}.`],
  ])('fails: %s', async (line, message) => {
    const { env } = await startAdminApiStub(({ method, path }) => {
      if (path === '/webhooks') return { body: { items: [] } }
      return method === 'GET' ? { status: 404, type: PROBLEM, body: {} } : {}
    })
    const { output, stderr, status } = await run([...line.split(' '), '--yes'], { env })

    expect(stderr).toBe(`${message}\n`)
    expect(output).toBe('')
    expect(status).toBe(1)
  })
})

describe('a client or webhook with secrets', () => {
  it.each(['clients', 'webhooks'])(
    'needs confirmation for a fourth secret: %s',
    async (collection) => {
      const { env, requests } = await startAdminApiStub(() => ({ body: { secret_count: 3 } }))
      const asked = await run([collection, 'rotate-secret', 'shop'], { env })

      expect(asked.stderr).toMatch(/already has three secrets, the oldest one/)
      expect(asked.stderr).toContain('use --yes')
      expect(asked.status).toBe(2)
      expect(requests.map(({ method }) => method)).toEqual(['GET'])

      const rotated = await run([collection, 'rotate-secret', 'shop', '--yes'], { env })
      expect(requests.at(-1)?.path).toBe(`/${collection}/shop/rotate-secret`)
      expect(rotated.output).toMatch(
        /The oldest secret (stops working within a minute|is removed)\./,
      )
      expect(rotated.status).toBe(0)
    },
  )

  it('says that events are signed only with the new secret if the former one cannot be opened', async () => {
    const { env } = await startAdminApiStub(() => ({
      body: { webhook_secret: 'whsec_new', secret_count: 1 },
    }))
    const { output } = await run(['webhooks', 'rotate-secret', 'crm'], { env })

    expect(output).toContain('Events are signed only with the new secret')
    expect(output).not.toContain('remove-former-secret')
  })

  it.each(['clients', 'webhooks'])('keeps its only secret: %s', async (collection) => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { secret_count: 1 } }))
    const args = [collection, 'remove-former-secret', 'shop', '--yes']
    const { stderr, status } = await run(args, { env })

    expect(stderr).toBe('shop has no former secret.\n')
    expect(requests.map(({ method }) => method)).toEqual(['GET'])
    expect(status).toBe(1)
  })
})

describe('npx vestibule-auth clients add', () => {
  it('sends the fields of the file, of the options and of --set', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { client_secret: 's' } }))
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'shop.json'),
      '{"client_name":"Old","tos_uri":"https://shop.example/"}',
    )
    const flags = [
      '--file',
      'shop.json',
      '--name',
      'The shop',
      '--redirect',
      'https://shop.example/',
    ]
    const sets = ['--set', 'first_party=true', '--set', 'resources=["https://orders.example"]']
    await run(['clients', 'add', 'shop', ...flags, ...sets, '--set', 'scope=openid'], {
      env,
      folder,
    })

    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      client_id: 'shop',
      client_name: 'The shop',
      tos_uri: 'https://shop.example/',
      redirect_uris: ['https://shop.example/'],
      first_party: true,
      resources: ['https://orders.example'],
      scope: 'openid',
    })
  })

  it('registers another login system with the fields that it needs, and prints what to enter there', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { client_secret: 's' } }))
    const realm = 'https://sso.example/realms/shop'
    const redirect = ['--redirect', `${realm}/broker/vestibule/endpoint`]
    const command = ['clients', 'add', 'sso', '--for', 'keycloak', ...redirect]
    const { output } = await run([...command, '--scope', 'openid'], { env })

    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      client_id: 'sso',
      client_name: 'Keycloak',
      first_party: true,
      scope: 'openid',
      require_pkce: true,
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: [`${realm}/broker/vestibule/endpoint`],
      post_logout_redirect_uris: [`${realm}/broker/vestibule/endpoint/logout_response`],
      backchannel_logout_uri: `${realm}/protocol/openid-connect/logout/backchannel-logout`,
    })
    expect(output).toContain('client_secret  s (shown once)')
    expect(output).toMatch(/Discovery endpoint +http:.+\/\.well-known\/openid-configuration/)
    expect(output).toMatch(/Client ID +sso\n/)
  })

  it.each(Object.entries(LOGIN_SYSTEMS))(
    'registers %s with fields that the service accepts',
    (_, { redirectUri, fields, fieldsOf }) => {
      const redirect = redirectUri.replaceAll(/[<>]/g, '')
      const secrets = { client_secrets_sha256: ['0'.repeat(64)] }
      const registration = { client_id: 'a', redirect_uris: [redirect], ...secrets, ...fields }
      const client = { ...registration, ...fieldsOf?.(redirect) }

      expect(clientSchema().safeParse(client).error).toBeUndefined()
    },
  )

  it.each([
    [['clients', 'add', 'a', '--for', 'okta'], '--for takes keycloak, '],
    [['clients', 'add', 'a', '--for', 'toString'], '--for takes keycloak, '],
    [
      ['clients', 'add', 'a', '--for', 'cognito'],
      '--redirect is missing. With Cognito, it is similar to https://<domain>.auth.<region>',
    ],
    [['clients', 'update', 'a', '--for', 'cognito'], "Unknown option '--for'"],
    [['clients', 'add'], '<client_id> is missing.'],
    [['clients', 'add', 'a', 'b'], 'Unexpected argument: b'],
    [['clients', 'add', 'a', '--set', 'x'], '--set takes FIELD=VALUE'],
    [['clients', 'add', 'a', '--file', 'absent.json'], 'The file cannot be read'],
    [['clients', 'add', 'a', '--colour', 'red'], "Unknown option '--colour'"],
    [['clients', 'update', 'a'], 'There is nothing to change.'],
    [['clients', 'list', 'a'], 'Unexpected argument: a'],
    [['clients', 'toString'], 'Unknown command: toString'],
    [['clients'], 'The command is missing.'],
    [['apis', 'add', 'https://a.example', '--scope', 'read'], '--scope takes SCOPE=TEXT'],
    [['users', 'show', 'mia'], 'is not the id of a user'],
    [['users', 'find', 'mia', '--limit', '0'], '--limit takes a number, not 0'],
    [['users', 'import', 'absent.ndjson'], 'The file cannot be read'],
    [['audit', '--since', 'yesterday'], 'yesterday is not a time'],
    [['audit', '--limit', 'x'], '--limit takes a number, not x'],
    [['audit', '--follow', '--until', '1h'], '--follow and --until exclude each other'],
    [['connect', '--name', 'A B'], '--name takes lowercase letters'],
    [['connect', '--remove', '--read-only'], 'exclude each other'],
    [['connect', '--remove', '--enable'], 'exclude each other'],
    [['admins', 'add', "x'; DROP TABLE users; --"], 'is neither usr_… nor provider:account id'],
    [['admins', 'add', 'usr_short'], 'is neither usr_… nor provider:account id'],
    [
      ['admins', 'add', 'tiktok:1', '--local', '--remote'],
      '--local and --remote exclude each other',
    ],
    [['admins', 'add', 'tiktok:1', '--role', 'root'], '--role takes owner or support.'],
  ])('rejects invalid arguments with exit code 2, and prints the usage: %j', async (line, text) => {
    const { output, stderr, status } = await run(line)

    expect(stderr).toContain(text)
    expect(stderr).toContain('Usage: npx vestibule-auth')
    expect(output).toBe('')
    expect(status).toBe(2)
  })
})

describe('npx vestibule-auth keys rotate', () => {
  it.each([
    [[], '/keys/rotate'],
    [['--revoke', '--yes'], '/keys/revoke'],
  ])('rotates the keys with %j, and prints the new ones', async (flags, path) => {
    const { env, requests } = await startAdminApiStub(() => ({
      body: { keys: [{ kid: 'k1', alg: 'ES256', state: 'active', active_since: 1 }] },
    }))
    const { output, status } = await run(['keys', 'rotate', ...flags], { env })

    expect(requests).toMatchObject([{ method: 'POST', path }])
    expect(output).toMatch(/k1 +ES256 +active +1970-01-01 00:00:01/)
    expect(status).toBe(0)
  })
})

describe('npx vestibule-auth audit --since', () => {
  it.each([
    ['90s', 90],
    ['30m', 1800],
    ['2h', 7200],
    ['7d', 7 * 86_400],
  ])('takes the duration %s', async (duration, seconds) => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    await run(['audit', '--since', duration], { env })

    const [, since = ''] = /since=(\d+)/.exec(requests[0]?.path ?? '') ?? []
    expect(Math.abs(Date.now() / 1000 - seconds - Number(since))).toBeLessThan(10)
  })

  it('takes a time, also for --until', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const times = ['--since', '2026-11-14T09:30Z', '--until', '2026-11-14T11:30:00+01:00']
    await run(['audit', ...times], { env })

    expect(requests[0]?.path).toContain('since=1794648600&until=1794652200')
  })
})

describe('npx vestibule-auth admins add', () => {
  it('adds an administrator of the settings to the database, too', async () => {
    const { env } = await startAdminApiStub(({ method }) => ({
      body:
        method === 'GET'
          ? { items: [{ name: 'tiktok:1', role: 'owner', source: 'settings' }] }
          : { user_id: USER },
    }))
    const { output } = await run(['admins', 'add', 'tiktok:1', '--json'], { env })

    expect(JSON.parse(output)).toEqual({ name: 'tiktok:1', role: 'owner', changed: true })
  })
})

describe('npx vestibule-auth clients move', () => {
  it('names the tables and the deployment of an environment', async () => {
    const { env } = await startAdminApiStub(() => ({ body: { items: [] } }))
    const folder = temporaryFolder()
    const table = 'client_id = "shop"\nredirect_uris = ["https://shop.example/"]'
    writeFileSync(
      join(folder, 'wrangler.toml'),
      `name = "login"\nmain = "x.ts"\n[env.staging]\n[[env.staging.vars.CLIENTS]]\n${table}\n`,
    )
    const { output } = await run(['clients', 'move', '--env', 'staging'], { env, folder })

    expect(output).toContain('remove the tables [[env.staging.vars.CLIENTS]] of: shop')
    expect(output).toContain('2. npm run deploy -- --env staging')
  })
})

describe('npx vestibule-auth audit --follow', () => {
  it('prints new entries once, until a request fails', async () => {
    const delays = skipDelays()
    const detail = '\u009b2J'
    const entries = [entry('a', 10), { ...entry('b', 11), detail }, entry('c', 11)]
    const { env, requests } = await startAdminApiStub(() =>
      requests.length <= entries.length
        ? { body: { items: entries.slice(0, requests.length).reverse() } }
        : { status: 500, type: PROBLEM, body: { detail: 'Storage does not respond.' } },
    )
    const { output, stderr, status } = await run(['audit', '--follow', '--since', '1h', '--json'], {
      env,
    })

    const lines = output.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['a', 'b', 'c'])
    expect(output).toContain(String.raw`"detail":"\u009b2J"`)
    expect(stderr).toContain('Storage does not respond.')
    expect(status).toBe(1)
    expect(delays).toEqual([3000, 3000, 3000])
    expect(requests[2]?.path).toContain('since=11')
  })
})

describe('--help', () => {
  it.each([
    ['connect', []],
    ['audit', []],
    ['admins', ['list', 'add', 'remove']],
    [
      'clients',
      'list show add update disable enable rotate-secret remove-former-secret delete move'.split(
        ' ',
      ),
    ],
    ['apis', 'list show add update delete'.split(' ')],
    [
      'users',
      'find show block unblock end-sessions remove-account delete export import'.split(' '),
    ],
    ['keys', ['list', 'rotate']],
  ])('describes %s and each of its subcommands', async (command, subcommands) => {
    const { output, status } = await run([command, '--help'])

    expect(output).toContain(`Usage: npx vestibule-auth ${command} `)
    expect(status).toBe(0)
    for (const subcommand of subcommands) {
      expect(output).toMatch(new RegExp(`^ {2}${subcommand}\\b`, 'm'))
      const help = await run([command, subcommand, '-h'])
      expect(help.output).toContain(`Usage: npx vestibule-auth ${command} ${subcommand} `)
      expect(help.output).toContain('Exit codes: ')
      expect(help.status).toBe(0)
    }
  })
})

describe('npx vestibule-auth users import', () => {
  it('sends batches of a thousand lines, and reports lines with problems', async () => {
    const { env, requests } = await startAdminApiStub(({ body }) => ({
      body: {
        imported: body.split('\n').length - 1,
        existing: 0,
        problems: [{ line: 2, problem: 'provider is not enabled.' }],
      },
    }))
    const folder = temporaryFolder()
    const lines = Array.from({ length: 1500 }, (_, index) => account(index))
    lines.splice(10, 0, '', 'not JSON')
    writeFileSync(join(folder, 'users.ndjson'), lines.join('\n'))
    const { output, stderr, status } = await run(['users', 'import', 'users.ndjson'], {
      env,
      folder,
    })

    expect(requests.map(({ body }) => body.split('\n').length).sort()).toEqual([501, 999])
    expect(output).toBe('Imported 1498 accounts; 0 existed already.\n')
    expect(stderr).toContain('3 lines could not be imported: users.ndjson.problems')
    const problems = readFileSync(join(folder, 'users.ndjson.problems'), 'utf8')
    expect(
      problems
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).line)
        .sort(),
    ).toEqual([1003, 12, 2])
    expect(status).toBe(1)
  })

  it('counts the lines of each reason, and those of blocked users', async () => {
    const { env } = await startAdminApiStub(() => ({
      body: {
        imported: 0,
        existing: 0,
        problems: [1, 2].map((line) => ({ line, problem: 'The provider sms is not enabled.' })),
      },
    }))
    const folder = temporaryFolder()
    const users = [
      { user_id: 'sms|1', identities: [{ provider: 'sms', user_id: '1' }], blocked: true },
      { user_id: 'auth0|2', email: 'eve@mail.example', email_verified: false, blocked: true },
      { user_id: 'sms|3', identities: [{ provider: 'sms', user_id: '3' }] },
    ]
    writeFileSync(join(folder, 'export'), JSON.stringify(users))
    const { stderr, status } = await run(['users', 'import', 'export', '--from', 'auth0'], {
      env,
      folder,
    })

    expect(stderr).toBe(`3 lines could not be imported: export.ndjson.problems has the reasons.
- 2 lines: The provider sms is not enabled.
- 1 line: The address is not verified.
Of blocked users, who are not blocked here: 2 lines.
`)
    expect(status).toBe(1)
    const sms = 'The provider sms is not enabled.'
    expect(
      readFileSync(join(folder, 'export.ndjson.problems'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1, problem: sms, former_id: 'sms|1', blocked: true },
      {
        line: 2,
        problem: 'The address is not verified.',
        former_id: 'auth0|2',
        blocked: true,
      },
      { line: 3, problem: sms, former_id: 'sms|3' },
    ])
  })

  it('imports nothing of an export with a line that cannot be read', async () => {
    const { env, requests } = await startAdminApiStub(() => ({}))
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'export'), '{"user_id":"a"}\n{"user_id":"b"\n')
    const { stderr, status } = await run(['users', 'import', 'export', '--from', 'auth0'], {
      env,
      folder,
    })

    expect(stderr).toContain('Lines that are not JSON objects: 2.')
    expect(requests).toEqual([])
    expect(status).toBe(1)
  })

  it('sends lines with the same union_id in one request', async () => {
    const { env, requests } = await startAdminApiStub(() => ({
      body: { imported: 0, existing: 0, problems: [] },
    }))
    const folder = temporaryFolder()
    const lines = Array.from({ length: 1500 }, (_, index) =>
      account(index, index >= 998 && index < 1002 ? { union_id: 'u' } : {}),
    )
    writeFileSync(join(folder, 'users.ndjson'), lines.join('\n'))
    const { status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(requests.map(({ body }) => body.split('\n').length).sort()).toEqual([502, 998])
    expect(status).toBe(0)
  })

  it('sends lines with the same former_id in one request, whatever their providers are', async () => {
    const { env, requests } = await startAdminApiStub(() => ({
      body: { imported: 0, existing: 0, problems: [] },
    }))
    const folder = temporaryFolder()
    const lines = Array.from({ length: 1500 }, (_, index) =>
      account(index, index >= 998 && index < 1002 ? { former_id: 'u', provider: `p${index}` } : {}),
    )
    writeFileSync(join(folder, 'users.ndjson'), lines.join('\n'))
    await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(requests.map(({ body }) => body.split('\n').length).sort()).toEqual([502, 998])
  })

  it('sends at most half a megabyte at once', async () => {
    const { env, requests } = await startAdminApiStub(() => ({
      body: { imported: 0, existing: 0, problems: [] },
    }))
    const folder = temporaryFolder()
    const lines = Array.from({ length: 200 }, (_, index) =>
      account(index, { name: 'é'.repeat(2000) }),
    )
    writeFileSync(join(folder, 'users.ndjson'), lines.join('\n'))
    await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(requests).toHaveLength(2)
    for (const { body } of requests) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(500_000)
  })

  it('replaces the problems and the ids of a former import', async () => {
    const { env } = await startAdminApiStub(() => ({
      body: {
        imported: 1,
        existing: 0,
        problems: [{ line: 1, problem: 'It is wrong.' }],
        ids: [{ former_id: 'a', id: USER }],
      },
    }))
    const folder = temporaryFolder()
    const file = join(folder, 'users.ndjson')
    writeFileSync(file, `${account(1)}\n${account(2)}`)
    for (let count = 0; count < 2; count++) {
      await run(['users', 'import', 'users.ndjson'], { env, folder })
    }

    expect(readFileSync(`${file}.problems`, 'utf8').trim().split('\n')).toHaveLength(1)
    expect(readFileSync(`${file}.ids`, 'utf8').trim().split('\n')).toHaveLength(1)
  })

  it('counts the lines with a field that is not stored, and names the first', async () => {
    const { env } = await startAdminApiStub(() => ({
      body: {
        imported: 3,
        existing: 0,
        problems: [],
        unused_fields: [
          { line: 2, fields: ['plan'] },
          { line: 3, fields: ['plan', 'colour'] },
        ],
        changed_fields: [
          { line: 1, fields: ['picture'] },
          { line: 3, fields: ['name', 'picture'] },
        ],
      },
    }))
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'users.ndjson'), [1, 2, 3].map((index) => account(index)).join('\n'))
    const { output } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(output).toContain('Not stored: plan, in 2 lines, the first is line 2.\n')
    expect(output).toContain('Not stored: colour, in 1 line, the first is line 3.\n')
    expect(output).toContain('Too long or invalid: picture, in 2 lines, the first is line 1.')
    expect(output).toContain('Too long or invalid: name, in 1 line, the first is line 3.')
    expect(readFileSync(join(folder, 'users.ndjson.changes'), 'utf8')).toBe(
      '{"line":1,"fields":["picture"]}\n{"line":3,"fields":["name","picture"]}\n',
    )
  })

  it('imports nothing if lines with the same union_id do not follow each other', async () => {
    const { env, requests } = await startAdminApiStub(() => ({}))
    const folder = temporaryFolder()
    const lines = Array.from({ length: 3 }, (_, index) =>
      account(index, index === 1 ? {} : { union_id: 'u' }),
    )
    writeFileSync(join(folder, 'users.ndjson'), lines.join('\n'))
    const { stderr, status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(stderr).toContain('Lines 1 and 3 belong to one user')
    expect(requests).toEqual([])
    expect(status).toBe(1)
  })

  it('stops when the service fails, and continues there', async () => {
    let isBroken = true
    const { env, requests } = await startAdminApiStub(({ body }) =>
      isBroken && body.includes('"account-2500"')
        ? { status: 400, type: PROBLEM, body: { detail: 'The database is full.' } }
        : { body: { imported: body.split('\n').length, existing: 0, problems: [] } },
    )
    const folder = temporaryFolder()
    const file = join(folder, 'users.ndjson')
    writeFileSync(file, Array.from({ length: 4000 }, (_, index) => account(index)).join('\n'))
    const failed = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(failed.stderr).toContain('The database is full.')
    expect(failed.stderr).toContain('The import stopped after line 2000.')
    expect(failed.status).toBe(1)

    isBroken = false
    requests.length = 0
    const { stderr, status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(stderr).toContain('Continuing after line 2000.')
    expect(requests[0]?.body.split('\n')[0]).toBe(account(2000))
    expect(status).toBe(0)
    expect(() => readFileSync(`${file}.progress`)).toThrow('ENOENT')
  })

  it('does not continue in a file that was changed', async () => {
    const { env, requests } = await startAdminApiStub(() => ({}))
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'users.ndjson'), account(1))
    const counts = { imported: 1, existing: 0, problems: 0, reasons: {}, blockedProblems: 0 }
    const progress = { line: 1, bytes: 9, fileSize: 5, ...counts, unused: {} }
    writeFileSync(join(folder, 'users.ndjson.progress'), JSON.stringify(progress))
    const { stderr, status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(stderr).toContain('belongs to another version of the file')
    expect(requests).toEqual([])
    expect(status).toBe(1)
  })

  it('requests a token again if that fails for a moment', async () => {
    skipDelays()
    const statuses = [503, 200]
    const token = {
      get status() {
        return statuses.shift() ?? 200
      },
      body: { access_token: 't', token_type: 'Bearer' },
    }
    const respond = () => ({ body: { imported: 1, existing: 0, problems: [] } })
    const { env } = await startAdminApiStub(respond, { token })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'users.ndjson'), account(1))
    const { output, status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(output).toContain('Imported 1 account;')
    expect(status).toBe(0)
  })

  it('repeats a request that fails for a moment, twice', async () => {
    const delays = skipDelays()
    const { env, requests } = await startAdminApiStub(() =>
      requests.length < 3
        ? { status: 503, type: PROBLEM, body: { detail: 'Storage did not respond.' } }
        : { body: { imported: 1, existing: 0, problems: [] } },
    )
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'users.ndjson'), account(1))
    const { output, status } = await run(['users', 'import', 'users.ndjson'], { env, folder })

    expect(output).toContain('Imported 1 account;')
    expect(delays).toEqual([1000, 5000])
    expect(status).toBe(0)
  })
})

function entry(id: string, at: number) {
  return { id, at, event: 'sign_in', outcome: 'ok', actor: 'anonymous' }
}

function account(index: number, fields: Record<string, unknown> = {}): string {
  const id = `account-${index}`
  return JSON.stringify({ provider: 'tiktok', provider_account_id: id, ...fields })
}

interface RunOptions {
  /** Where the command runs; a new folder by default. */
  folder?: string
  env?: Record<string, string>
}

function run(line: string[], { folder = temporaryFolder(), env = {} }: RunOptions = {}) {
  return runInProcess(line, { cwd: folder, env })
}

function credentials(url: string) {
  return { url, client_id: 'operator', client_secret: 'secret' }
}

/** Writes the file as `connect` does, or with other contents and permissions. */
function writeCredentials(folder: string, file: object | string, mode = 0o600): void {
  const path = join(folder, '.vestibule/credentials.json')
  mkdirSync(join(folder, '.vestibule'))
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  chmodSync(path, mode) // regardless of the umask
}
