import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import { describe, expect, onTestFinished } from 'vitest'
import { NAME } from '../user-name.ts'
import { startAdminApiStub } from './admin-api-stub.ts'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { CALLBACK, MOVING_APP, OPERATOR_ID, SECRET } from './clients/registrations.ts'
import { requestTokens } from './code-flow.ts'
import { readSession, signInWithoutPages } from './page-steps.ts'
import { runInProcess } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const REDIRECT = ['--redirect', 'https://shop.example.com/callback']

describe('every command for operators', () => {
  it('has --json, --env, --config and --yes', async () => {
    const commands: string[][] = [['audit'], ['connect']]
    for (const group of ['admins', 'clients', 'apis', 'webhooks', 'users', 'roles', 'keys']) {
      const { output } = await run([group, '--help'])
      const rows = output.matchAll(/^ {2}([a-z-]+)/gm)
      commands.push(...Array.from(rows, ([, name = '']) => [group, name]))
    }

    expect(commands.length).toBeGreaterThan(25)
    for (const command of commands) {
      const { output } = await run([...command, '--help'])
      for (const option of ['--json', '--env', '--config', '--yes']) {
        expect(output, command.join(' ')).toContain(`  ${option}`)
      }
    }
  })
})

it.each(['add', 'update'])(
  'has an option for jwks_uri that is not named after jwks: clients %s',
  async (command) => {
    const { output } = await run(['clients', command, '--help'])

    expect(output).toMatch(/^ {2}--jwks-uri TEXT +The public https URL of its public keys/m)
    expect(output).not.toContain('--jwks ')
  },
)

describe('a list that is cut', () => {
  it.each([['users', 'list'], ['users', 'find', 'a name'], ['audit']])(
    'is followed by a hint, apart from the output: %s %s',
    async (...command) => {
      const { env } = await startAdminApiStub(({ path }) => ({
        body: {
          items: [{ id: 'usr_1', at: 1 }],
          next_cursor: path.includes('cursor') ? null : 'x',
        },
      }))

      const cut = await run([...command, '--limit', '1', '--json'], { env })
      const complete = await run([...command, '--limit', '2', '--json'], { env })

      expect(cut.stderr).toBe('… and 1 more: --limit 2\n')
      expect(JSON.parse(cut.output)).toHaveLength(1)
      expect(complete.stderr).toBe('')
      expect(JSON.parse(complete.output)).toHaveLength(2)
    },
  )
})

describe('a list', () => {
  it.each([
    [80, ['id', 'name', 'state', 'email'], 'username, accounts, created'],
    [130, ['id', 'name', 'state', 'email', 'username', 'accounts', 'created'], undefined],
  ])('has the columns that fit a terminal of %i characters', async (columns, headings, omitted) => {
    const user = {
      id: 'usr_0123456789abcdefghijkl',
      name: '会議室の予約を担当する人',
      email: `${'long-name-'.repeat(5)}@example.com`,
      username: 'a-username-of-medium-length',
      blocked_at: 1_794_650_400,
      created_at: 1_794_650_400,
      accounts: [{ provider: 'tiktok' }],
    }
    const { env } = await startAdminApiStub(() => ({ body: { items: [user] } }))
    Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(process.stdout, 'columns'))

    const { output, stderr } = await run(['users', 'list'], { env })
    const [heading = '', row = ''] = output.split('\n')

    expect(heading.trim().split(/ +/)).toEqual(headings)
    expect(row).toContain(`${user.id}  `)
    // Each of the name's characters takes two cells.
    const widthOfName = [...row].filter((character) => character > '\u3000').length
    expect(row.length + widthOfName).toBeLessThanOrEqual(columns)
    expect(row.indexOf('blocked since') + widthOfName).toBe(heading.indexOf('state'))
    expect(row).toContain('…')
    expect(stderr).toBe(omitted ? `  Not shown on this narrow terminal: ${omitted}\n` : '')
  })

  it('has colours on a terminal only', async () => {
    const items = [
      { at: 1, event: 'sign_in', outcome: 'ok', actor: 'usr_1', sentence: 'Mia signed in' },
      { at: 2, event: 'sign_in', outcome: 'x', actor: 'usr_1', sentence: 'Mia could not' },
      { at: 3, event: 'code_reused', outcome: 'ok', sentence: 'A code', is_warning: true },
    ]
    const { env } = await startAdminApiStub(() => ({ body: { items: items.toReversed() } }))

    const plain = await run(['audit'], { env })
    const colored = await run(['audit'], { env: { ...env, FORCE_COLOR: '1' } })

    expect(plain.output).not.toContain('\u001b')
    expect(plain.output).toMatch(/ ✓ Mia signed in\n.*\n.* ✗ Mia could not\n.*\n.* ! A code\n/)
    for (const [color, text] of Object.entries({ 32: '✓', 31: '✗ Mia could not', 33: '!' })) {
      expect(colored.output).toContain(`\u001b[${color}m${text}\u001b[39m`)
    }
    expect(stripVTControlCharacters(colored.output)).toBe(plain.output)
  })
})

describe('npx vestibule-auth webhooks', () => {
  it('registers a webhook, prints its secret once, and lists what it has not accepted', async () => {
    const id = newId()
    const url = 'https://localhost:1/events'
    const { output } = await run(['webhooks', 'add', id, '--url', url, '--event', 'user.created'])
    const rotated = await run(['webhooks', 'rotate-secret', id])
    const test = await run(['webhooks', 'test', id])

    expect(output).toMatch(/webhook_secret {2}whsec_\S{44} \(shown once\)/)
    expect(rotated.output).toMatch(/webhook_secret {2}whsec_/)
    expect(await runJson(['webhooks', 'show', id])).toMatchObject({
      url,
      events: ['user.created'],
      secret_count: 2,
      waiting: 0,
    })
    expect(test).toMatchObject({ status: 1, stderr: expect.stringContaining('not accepted') })
    expect((await run(['webhooks', 'deliveries', id])).output).toBe('All events were accepted.\n')
    const resent = await run(['webhooks', 'resend', id, '--event', 'none'])
    expect(resent.status).toBe(1)
    expect((await run(['webhooks', 'delete', id, '--yes'])).status).toBe(0)
  })
})

describe('npx vestibule-auth webhooks deliveries', () => {
  const TIME = 1_795_000_000

  it.each([
    [{}, /^All events were accepted\.\n$/],
    [{ unsent_since: TIME }, /those since 2026-11-18 \S+ were not sent yet/],
    [
      { unsent_since: TIME, problem: 'AUTH_SECRET was replaced.' },
      /^No events are sent\. AUTH_SEC/,
    ],
  ])('without rejected events, and with the state %o, prints %s', async (state, text) => {
    const { env } = await startAdminApiStub(({ path }) => ({
      body: path.includes('/deliveries') ? { items: [] } : { waiting: 0, given_up: 0, ...state },
    }))

    expect((await run(['webhooks', 'deliveries', 'crm'], { env })).output).toMatch(text)
    expect((await run(['webhooks', 'deliveries', 'crm', '--json'], { env })).output).toBe('[]\n')
  })
})

describe('npx vestibule-auth clients', () => {
  it('registers a client, and prints its secret once', async () => {
    const id = newId()
    const { output, status } = await run(['clients', 'add', id, '--name', 'The shop', ...REDIRECT])
    const secret = /client_secret {2}(\S+) \(shown once\)/.exec(output)?.[1] ?? ''
    const shown = await run(['clients', 'show', id])

    expect(output).toBe(`  client_id      ${id}\n  client_secret  ${secret} (shown once)\n`)
    expect(status).toBe(0)
    expect(shown.output).toContain('The shop')
    expect(shown.output).not.toContain(secret)
    expect(await isAuthentic(id, secret)).toBe(true)
  })

  it('lists the clients of the settings and of the database', async () => {
    const id = newId()
    await run(['clients', 'add', id, ...REDIRECT])
    const clients = await runJson(['clients', 'list'])
    const { output } = await run(['clients', 'list'])

    expect(clients).toContainEqual(expect.objectContaining({ client_id: id, source: 'database' }))
    expect(clients).toContainEqual(
      expect.objectContaining({ client_id: 'storefront', source: 'settings' }),
    )
    expect(output).toMatch(new RegExp(`^ {2}${id} +${id} +enabled +1 +database$`, 'm'))
  })

  it('warns about a scope that no API has', async () => {
    const id = newId()
    const identifier = `https://${id}.example.com`
    const scope = ['--scope', 'stock:read=See what is in stock.']
    await run(['apis', 'add', identifier, '--name', 'Stock', ...scope])
    const added = await run(['clients', 'add', id, ...REDIRECT, '--scope', 'openid stock:reed'])
    const updated = await run(['clients', 'update', id, '--scope', 'openid stock:read', '--json'])
    const wrong = await run(['clients', 'update', id, '--scope', 'stock:wipe', '--json'])
    await run(['apis', 'delete', identifier, '--yes'])

    expect(added.stderr).toContain(`Warning: the client ${id} has the scope stock:reed, which no`)
    expect(updated.stderr).toBe('')
    expect(wrong.stderr).toContain('has the scope stock:wipe, which no API has')
    expect(JSON.parse(wrong.output)).toMatchObject({ client_id: id })
  })

  it('registers a public client and a machine client', async () => {
    const [publicId, machineId] = [newId(), newId()]
    const created = await run(['clients', 'add', publicId, '--public', ...REDIRECT])
    await run(['clients', 'add', machineId, '--machine', '--scope', 'orders:read'])

    expect(created.output).toContain('client_secret  none')
    expect(await runJson(['clients', 'show', publicId])).toMatchObject({
      token_endpoint_auth_method: 'none',
    })
    expect(await runJson(['clients', 'show', machineId])).toMatchObject({
      grant_types: ['client_credentials'],
      secret_count: 1,
    })
  })

  it('changes fields, and removes them with null', async () => {
    const id = newId()
    await run(['clients', 'add', id, ...REDIRECT, '--set', 'tos_uri=https://shop.example.com/tos'])
    const { status } = await run([
      'clients',
      'update',
      id,
      '--first-party',
      '--set',
      'tos_uri=null',
    ])
    const client = await runJson(['clients', 'show', id])

    expect(status).toBe(0)
    expect(client).toMatchObject({ first_party: true })
    expect(client).not.toHaveProperty('tos_uri')
  })

  it('rotates the secret in two steps', async () => {
    const id = newId()
    const { client_secret: former } = await runJson(['clients', 'add', id, ...REDIRECT])
    const { client_secret: next } = await runJson(['clients', 'rotate-secret', id])

    expect([await isAuthentic(id, former), await isAuthentic(id, next)]).toEqual([true, true])

    const asked = await run(['clients', 'remove-former-secret', id])
    expect(asked.stderr).toContain('This needs confirmation: use --yes.')
    expect(asked.status).toBe(2)
    await run(['clients', 'remove-former-secret', id, '--yes'])

    expect([await isAuthentic(id, former), await isAuthentic(id, next)]).toEqual([false, true])
  })

  it('disables, enables and deletes a client', async () => {
    const id = newId()
    const { client_secret: secret } = await runJson(['clients', 'add', id, ...REDIRECT])

    await run(['clients', 'disable', id, '--yes'])
    expect((await run(['clients', 'list'])).output).toMatch(new RegExp(`${id} .*disabled since`))
    expect(await isAuthentic(id, secret)).toBe(false)
    await run(['clients', 'enable', id])
    expect(await isAuthentic(id, secret)).toBe(true)
    await run(['clients', 'delete', id, '--yes'])
    expect(await isAuthentic(id, secret)).toBe(false)
    expect((await run(['clients', 'show', id])).stderr).toContain(`There is no client ${id}.`)
  })

  it('blocks and unblocks unregistered clients of a host', async () => {
    const host = `${newId()}.example`

    await run(['clients', 'block', host, '--yes'])
    const blocked = await run(['clients', 'unregistered'])
    await run(['clients', 'unblock', host])

    expect(blocked.output).toMatch(new RegExp(`${host} .*blocked since`))
    expect((await run(['clients', 'unregistered'])).output).not.toContain(host)
    expect((await run(['clients', 'block', 'Agent', '--yes'])).status).toBe(1)
  })

  it('reports everything wrong with a registration at once', async () => {
    const { stderr, status } = await run(['clients', 'add', newId(), '--set', 'colour=red'])

    expect(stderr.split('colour does not exist: the names are client_name, ')).toHaveLength(2)
    expect(stderr).toMatch(/Reference: \w{4}-\w{4}-\w{4}/)
    expect(status).toBe(1)
  })

  it('does not change a client of the settings', async () => {
    const { stderr, status } = await run(['clients', 'update', 'storefront', '--name', 'Mine'])

    expect(stderr).toContain('The client storefront is in the settings, or part of this service')
    expect(status).toBe(1)
  })

  it('copies the clients of wrangler.toml, and reports which tables to remove', async () => {
    const folder = temporaryFolder()
    const table = `client_id = "moving"
redirect_uris = ["${MOVING_APP}/callback"]
post_logout_redirect_uris = ["${MOVING_APP}/signed-out"]
client_secrets_sha256 = []
[[vars.CLIENTS]]
client_id = "moving-with-keys"
redirect_uris = ["${CALLBACK}"]
jwks_uri = "https://moving.example/jwks"`
    writeFileSync(join(folder, 'wrangler.toml'), `main = "x.ts"\n[[vars.CLIENTS]]\n${table}\n`)
    const { output, stderr, status } = await run(['clients', 'move'], { folder })

    expect(stderr).toBe('Copied moving.\nCopied moving-with-keys.\n')
    expect(output).toContain(
      'In wrangler.toml, remove the tables [[vars.CLIENTS]] of: moving, moving-with-keys',
    )
    expect(status).toBe(0)

    const changed = table.replace('/callback', '/other')
    writeFileSync(join(folder, 'wrangler.toml'), `main = "x.ts"\n[[vars.CLIENTS]]\n${changed}\n`)
    const rejected = await run(['clients', 'move'], { folder })

    expect(rejected.stderr).toContain('moving was not copied')
    expect(rejected.stderr).toContain('deploy it first')
    expect(rejected.status).toBe(1)
  })
})

describe('npx vestibule-auth apis', () => {
  it('registers, changes, lists and deletes an API', async () => {
    const identifier = `https://${newId()}.example`
    const scope = ['--scope', 'orders:read=See your orders.']
    const created = await run(['apis', 'add', identifier, '--name', 'Orders', ...scope])
    await run(['apis', 'update', identifier, '--set', 'client_credentials=true'])

    expect(created.output).toContain(`Registered ${identifier}.`)
    expect(await runJson(['apis', 'show', identifier])).toMatchObject({
      name: 'Orders',
      scopes: [{ name: 'orders:read', description: 'See your orders.' }],
      client_credentials: true,
    })
    expect((await run(['apis', 'list'])).output).toContain(identifier)
    expect((await run(['apis', 'delete', identifier, '--yes'])).output).toContain('Deleted')
    expect((await run(['apis', 'show', identifier])).status).toBe(1)
  })
})

describe('npx vestibule-auth users import', () => {
  it('creates users, who are found by name, username and account id', async () => {
    const folder = temporaryFolder()
    const id = newId()
    const lines = [
      { provider: 'tiktok', provider_account_id: `${id}-1`, name: `${id} Lindqvist` },
      { provider: 'tiktok', provider_account_id: `${id}-2`, username: `${id}-mia` },
      { provider: 'acme', provider_account_id: `${id}-3` },
    ]
    const file = join(folder, 'users.ndjson')
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const imported = await run(['users', 'import', file])
    const again = await run(['users', 'import', file, '--json'])

    expect(imported.output).toBe('Imported 2 accounts; 0 existed already.\n')
    expect(imported.stderr).toContain('1 line could not be imported')
    expect(readFileSync(`${file}.problems`, 'utf8')).toContain('{"line":3,')
    expect(imported.status).toBe(1)
    expect(JSON.parse(again.output)).toEqual({
      imported: 0,
      existing: 2,
      problems: 1,
      reasons: { 'The provider acme is not enabled.': 1 },
      blocked_problems: 0,
      unused: {},
      changed: {},
    })
    for (const query of [`${id} lind`, `${id}-mia`, `${id}-1`]) {
      expect(await runJson(['users', 'find', query])).toHaveLength(1)
    }
    expect((await run(['users', 'find', 'nobody at all'])).output).toBe('No user was found.\n')
  })

  it('imports an export of another service, with blocks and former ids', async () => {
    const folder = temporaryFolder()
    const id = newId()
    const file = join(folder, 'auth0.json')
    const user = {
      user_id: `oauth2|${id}`,
      name: 'Mia',
      blocked: true,
      app_metadata: { plan: 'gold' },
      identities: [{ provider: 'tiktok', user_id: id }],
    }
    writeFileSync(file, JSON.stringify(user))
    const { output, status } = await run(['users', 'import', file, '--from', 'auth0'])

    expect(output).toBe(
      'Imported 1 account; 0 existed already.\nNot stored: app_metadata, in 1 line, the first is line 1.\n',
    )
    expect(status).toBe(0)
    const [found] = await runJson(['users', 'find', user.user_id])
    expect(JSON.parse(readFileSync(`${file}.ndjson.ids`, 'utf8'))).toEqual({
      former_id: user.user_id,
      id: found.id,
    })
    expect(found.blocked_at).toEqual(expect.any(Number))
    const wrong = await run(['users', 'import', file, '--from', 'okta'])
    expect(wrong.stderr).toContain('okta is not one of auth0, clerk, firebase, authjs.')
    expect(wrong.status).toBe(2)
  })
})

describeInBrowser('npx vestibule-auth users', () => {
  it('shows where a user is signed in, and ends the session', async ({ context, persona }) => {
    await signInWithoutPages(context, persona)
    const userId = (await readSession(context))?.user.id ?? ''
    const shown = await run(['users', 'show', userId])
    const details = await runJson(['users', 'show', userId])
    const { sessions, recent_sign_ins: signIns, activity } = details

    expect(shown.output).toContain(NAME)
    expect(shown.output).toMatch(new RegExp(String.raw`^${NAME} {2}active\n`))
    expect(shown.output).toMatch(
      new RegExp(String.raw` {2}✓ ${NAME} signed in with TikTok\n +sign_in {2}usr_`),
    )
    expect(shown.output).toMatch(
      new RegExp(`^Sessions\\n {2}sid .*\\n {2}${sessions[0].sid} `, 'm'),
    )
    expect(shown.output).toMatch(new RegExp(String.raw`^ {2}tiktok:\S+ +${NAME} +confirmed `, 'm'))
    expect(signIns).toHaveLength(1)
    expect(activity).toMatchObject([{ sentence: `${NAME} signed in with TikTok` }])
    const { status } = await run(['users', 'end-sessions', userId, '--sid', sessions[0].sid])
    expect(status).toBe(0)
    expect(await readSession(context)).toBeNull()
  })

  it('revokes the access of one app to a user', async ({ context, persona }) => {
    await signInWithoutPages(context, persona)
    const userId = (await readSession(context))?.user.id ?? ''
    const clientId = newId()
    await run(['clients', 'add', clientId, '--public', '--first-party', ...REDIRECT])
    await requestTokens(context, { clientId, redirectUri: REDIRECT[1] ?? '' })
    const command = ['users', 'revoke-client', userId, '--client', clientId, '--yes']

    const { output, status } = await run(command)

    expect(output).toBe(`Revoked the access of ${clientId} to ${userId}.\n`)
    expect(status).toBe(0)
    expect(await runJson(['users', 'show', userId])).toMatchObject({ grants: [] })
    expect(await readSession(context)).not.toBeNull()
    const again = await run(command)
    expect(again.stderr).toContain(`The client ${clientId} has no access to this user.`)
    expect(again.status).toBe(1)
    expect((await run(command.slice(0, 3))).stderr).toContain('--client is required.')
  })

  it('gives a user a role, lists who has it, and takes it away', async ({ context, persona }) => {
    await signInWithoutPages(context, persona)
    const userId = (await readSession(context))?.user.id ?? ''
    const role = ['--role', 'editor']

    const given = await run(['roles', 'give', userId, ...role])
    const shown = await runJson(['users', 'show', userId])
    const listed = await run(['roles', 'users', 'editor'])
    const unconfirmed = await run(['roles', 'take', userId, ...role])
    const taken = await run(['roles', 'take', userId, ...role, '--yes'])
    const again = await run(['roles', 'take', userId, ...role, '--keep-tokens', '--json'])

    expect(given.output).toBe(`${userId} has the role editor.\n`)
    expect(shown).toMatchObject({ roles: ['editor'] })
    expect(listed.output).toContain(userId)
    expect(unconfirmed).toMatchObject({ status: 2 })
    expect(taken.output).toBe(`${userId} does not have the role editor any more.\n`)
    expect(JSON.parse(again.output)).toEqual({ id: userId, roles: [] })
    expect((await run(['roles', 'list'])).output).toContain('author')
    const unknown = await run(['roles', 'give', userId, '--role', 'editr'])
    expect(unknown.stderr).toContain('Did you mean editor?')
    expect(unknown.status).toBe(1)
    expect((await run(['roles', 'give', userId])).stderr).toContain('--role is required.')
  })

  it('blocks, unblocks, exports and deletes a user', async ({ context, persona }) => {
    await signInWithoutPages(context, persona)
    const userId = (await readSession(context))?.user.id ?? ''

    const reason = 'Sends spam to everyone'
    const long = await run(['users', 'block', userId, '--yes', '--reason', 'x'.repeat(201)])
    expect(long.stderr).toContain('reason must have at most 200 characters.')
    expect(await runJson(['users', 'block', userId, '--yes', '--reason', reason])).toEqual({
      id: userId,
      blocked: true,
      sessions_ended: 1,
    })
    expect(await readSession(context)).toBeNull()
    expect((await run(['users', 'show', userId])).output).toContain(
      `! The user is blocked. They are signed out, and cannot sign in. Reason: “${reason}” Since `,
    )
    expect((await run(['users', 'list', '--blocked'])).output).toContain(userId)
    expect((await run(['users', 'find', userId])).output).toMatch(/ blocked since /)
    expect((await run(['users', 'list', '--limit', '1000'])).output).toContain(userId)
    await run(['users', 'unblock', userId, '--yes'])
    await signInWithoutPages(context, persona)
    const { output } = await run(['users', 'export', userId])
    expect(JSON.parse(output)).toMatchObject({ user: { id: userId, name: NAME } })
    await run(['users', 'delete', userId, '--yes'])
    expect(await readSession(context)).toBeNull()
    expect((await run(['users', 'show', userId])).status).toBe(1)

    const events = await runJson(['audit', '--subject', userId, '--since', '1h'])
    expect(events.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining([
        'sign_in',
        'user_blocked',
        'user_unblocked',
        'user_exported',
        'user_deleted',
      ]),
    )
  })
})

describe('npx vestibule-auth admins', () => {
  it('adds, changes, lists and removes an administrator through the API', async () => {
    const name = `tiktok:${newId()}`
    const added = await run(['admins', 'add', name, '--role', 'support'])
    const again = await run(['admins', 'add', name])
    const changed = await runJson(['admins', 'add', name, '--role', 'owner'])
    const list = await run(['admins', 'list'])
    const asked = await run(['admins', 'remove', name])
    const removed = await run(['admins', 'remove', name, '--yes'])
    const absent = await run(['admins', 'remove', name, '--yes'])
    const entries = await runJson(['audit', '--subject', name])

    expect(added.output).toContain(`${name} is an administrator now, as support: sign in`)
    expect(added.output).toContain('nobody has signed in with this id yet')
    expect(again.output).toContain(`${name} is an administrator already, as support.`)
    expect(changed).toEqual({ name, role: 'owner', changed: true })
    expect(list.output).toMatch(
      new RegExp(`${name} +owner +nobody has signed in .* database .* client:${OPERATOR_ID}`),
    )
    expect(asked.stderr).toContain(`Remove this administrator: ${name} at ${login}`)
    expect(asked.stderr).toContain('This needs confirmation: use --yes.')
    expect(asked.status).toBe(2)
    expect(removed.output).toBe(`${name} is no longer an administrator.\n`)
    expect(absent.stderr).toContain(`There is no administrator ${name}.`)
    expect(entries.map(({ event, actor }: Record<string, string>) => [event, actor])).toEqual(
      ['added', 'changed', 'removed'].map((verb) => [
        `administrator_${verb}`,
        `client:${OPERATOR_ID}`,
      ]),
    )
  })
})

describe('npx vestibule-auth keys', () => {
  it('lists the keys, among them the one that signs', async () => {
    const { keys, rotates_at: rotatesAt } = await runJson(['keys', 'list'])
    const { output } = await run(['keys', 'list'])
    const { kid } = decodeProtectedHeader(await requestToken(OPERATOR_ID, SECRET))

    expect(keys).toContainEqual(expect.objectContaining({ kid, state: 'active' }))
    expect(rotatesAt).toBeGreaterThan(Date.now() / 1000)
    expect(output).toContain(kid)
    expect(output).toMatch(/The keys rotate at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./)
  })
})

describe('npx vestibule-auth audit', () => {
  it('prints entries with their actor, the newest last, by subject and event', async () => {
    const id = newId()
    await run(['clients', 'add', id, ...REDIRECT])
    await run(['clients', 'update', id, '--name', 'Shop'])
    const { output } = await run(['audit', '--subject', id, '--since', '5m'])
    const created = await runJson(['audit', '--subject', id, '--event', 'client_created'])

    expect(output).toMatch(
      new RegExp(
        `· operator registered the client Shop\\n +client_created  client:operator  ${id}  .*\\n.*· operator changed the client Shop\\n`,
      ),
    )
    expect(created).toHaveLength(1)
    expect((await run(['audit', '--subject', 'nobody'])).output).toBe('No entries.\n')
    expect(await runJson(['audit', '--subject', id, '--failed'])).toEqual([])
    expect((await run(['audit', '--event', 'signin'])).stderr).toContain('event must be sign_in or')
    const reference = created[0].request_id
    for (const [option, value] of [
      ['--reference', reference.toLowerCase()],
      ['--outcome', 'ok'],
      ['--actor', 'client:operator'],
    ]) {
      const found = await runJson(['audit', '--subject', id, option, value])
      expect(found).toContainEqual(created[0])
      expect(await runJson(['audit', '--subject', id, option, 'other'])).toEqual([])
    }
  })
})

describe('a wrong secret', () => {
  it('is reported with the command that replaces it', async () => {
    const { stderr, status } = await run(['clients', 'list'], {
      env: { VESTIBULE_CLIENT_SECRET: 'wrong' },
    })

    expect(stderr).toContain('The service rejects the secret of the client operator')
    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(status).toBe(1)
  })

  it('is not reported if the client may not use the admin API', async () => {
    const { stderr, status } = await run(['clients', 'list'], {
      env: { VESTIBULE_CLIENT_ID: 'server' },
    })

    expect(stderr).toContain('The client server may not use the admin API')
    expect(stderr).toContain('Run `npx vestibule-auth connect`')
    expect(status).toBe(1)
  })
})

interface RunOptions {
  folder?: string
  env?: Record<string, string>
}

/** Runs a command as the machine client of these tests. */
function run(line: string[], { folder = tmpdir(), env = {} }: RunOptions = {}) {
  const connection = {
    VESTIBULE_URL: login,
    VESTIBULE_CLIENT_ID: OPERATOR_ID,
    VESTIBULE_CLIENT_SECRET: SECRET,
  }
  return runInProcess(line, { cwd: folder, env: { ...connection, ...env } })
}

async function runJson(line: string[]) {
  const { output, stderr } = await run([...line, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(output)
}

async function isAuthentic(clientId: string, secret: string): Promise<boolean> {
  const { status } = await fetch(`${login}/oidc/introspect`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ token: 'x' }),
  })
  return status === 200
}

async function requestToken(clientId: string, secret: string): Promise<string> {
  const server = { issuer: login, token_endpoint: `${login}/oidc/token` }
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    { client_id: clientId },
    oauth.ClientSecretBasic(secret),
    { resource: `${login}/admin/api` },
    { [oauth.allowInsecureRequests]: true },
  )
  return (await oauth.processClientCredentialsResponse(server, { client_id: clientId }, response))
    .access_token
}

function newId(): string {
  return `e2e-${crypto.randomUUID().slice(0, 13)}`
}
