import { describe, expect, it } from 'vitest'
import { checkHistory } from './soak/history/check-history.ts'
import type { AuditRecord, IssuedToken, Line } from './soak/history/history.ts'

/*
 * The checker of `npm run soak -- --only history`, with histories that are written by hand. Times are
 * in seconds here.
 */

/** A request that takes a tenth of a second. */
function request(start: number, status: number | undefined = 200, end = start + 0.1) {
  return { start: start * 1000, end: end * 1000, ...(status !== 0 && { status }) }
}

/** Instead of a status: the answer was lost. */
const LOST = 0

const MIA = { person: 'mia' }

function token(id: string, fields: Partial<IssuedToken> = {}): IssuedToken {
  const expiresAt = 10_000
  return {
    id,
    sub: 'usr_mia',
    sid: 'ses_1',
    grant: 'g1',
    client: 'shop',
    kid: 'k1',
    expiresAt,
    ...fields,
  }
}

function signIn(start: number, status = 303, id = `signin-${start}`): Line {
  return { kind: 'sign-in', ...MIA, session: 's1', request: id, ...request(start, status) }
}

function authorize(start: number): Line {
  return {
    kind: 'authorize',
    ...MIA,
    session: 's1',
    client: 'shop',
    code: 'c1',
    ...request(start, 303),
  }
}

function redeem(start: number, status = 200): Line {
  return {
    ...{ kind: 'redeem', ...MIA, client: 'shop', sent: 'c1', ...request(start, status) },
    ...(status === 200 && { issued: token('t0'), refreshToken: 'r1' }),
    ...(status === 400 && { error: 'invalid_grant' }),
  }
}

/** Refreshes with `r<generation>`. */
function refresh(start: number, generation: number, status = 200): Line {
  const sent = `r${generation}`
  const next = generation + 1
  return {
    ...{ kind: 'refresh', ...MIA, client: 'shop', sent, ...request(start, status) },
    ...(status === 200 && { issued: token(`t${generation}`), refreshToken: `r${next}` }),
    ...(status === 400 && { error: 'invalid_grant' }),
  }
}

function session(
  start: number,
  isAccepted: boolean,
  kind: 'session' | 'displayed-session' = 'session',
): Line {
  const { grant: _, client: __, ...issued } = token(`session-${start}`)
  return {
    ...{ kind, ...MIA, session: 's1', isAccepted, ...request(start) },
    ...(isAccepted && kind === 'session' && { issued }),
  }
}

function use(
  kind: 'userinfo' | 'introspect' | 'api',
  start: number,
  isAccepted: boolean,
  id = 't0',
): Line {
  return { kind, ...MIA, token: id, isAccepted, ...request(start) }
}

function signOut(start: number, status = 200): Line {
  return { kind: 'sign-out', ...MIA, session: 's1', ...request(start, status) }
}

type UserChangeKind = 'block' | 'unblock' | 'end-sessions' | 'disconnect'

function change(kind: UserChangeKind, start: number, status = 204): Line {
  return { kind, ...MIA, request: `${kind}-${start}`, ...request(start, status) }
}

function role(kind: 'give-role' | 'take-role', start: number, status = 200): Line {
  return { kind, ...MIA, role: 'editor', request: `${kind}-${start}`, ...request(start, status) }
}

function client(kind: 'disable-client' | 'enable-client', start: number, status = 200): Line {
  return { kind, client: 'shop', request: `${kind}-${start}`, ...request(start, status) }
}

function rename(name: string, start: number, status = 200): Line {
  return {
    kind: 'rename-client',
    client: 'shop',
    name,
    request: `rename-${start}`,
    ...request(start, status),
  }
}

function entry(event: string, id: string, fields: Partial<AuditRecord> = {}): Line {
  return {
    kind: 'audit',
    id: `a-${id}`,
    event,
    outcome: 'ok',
    subject: 'usr_mia',
    request_id: id,
    ...fields,
  }
}

function delivery(id: string, isAccepted = true): Line {
  return { kind: 'delivery', id: `a-${id}`, isAccepted }
}

/** A user who has signed in to an app. */
const SIGNED_IN = [signIn(1), authorize(2), redeem(3), session(4, true)]

function rules(...lines: Line[]): string[] {
  return [...new Set(checkHistory(lines).map(({ rule }) => rule))]
}

describe('codes', () => {
  it('accepts a code that was redeemed once', () => {
    expect(rules(...SIGNED_IN, redeem(5, 400), use('userinfo', 6, false))).toEqual([])
  })

  it('finds a code that was redeemed twice', () => {
    expect(rules(...SIGNED_IN, redeem(5))).toContain('a code was redeemed twice')
  })

  it.each([
    ['was carried out', 400],
    ['was not carried out', 200],
  ])('accepts that a request whose answer was lost %s', (_, status) => {
    expect(rules(signIn(1), authorize(2), redeem(3, LOST), redeem(5, status))).toEqual([])
  })

  it('finds a grant that lives on after its code was used again', () => {
    const reused = [...SIGNED_IN, redeem(5, 400)]

    expect(rules(...reused, refresh(6, 1))).toEqual(['a refresh token lived on after reuse'])
    expect(rules(...reused, use('userinfo', 6, true))).toHaveLength(1)
    expect(rules(...reused, use('api', 19, true))).toEqual([])
    expect(rules(...reused, use('api', 21, true))).toHaveLength(1)
  })

  it('finds a code that was refused without a reason', () => {
    expect(rules(signIn(1), authorize(2), redeem(3, 400))).toEqual([
      'something acknowledged was lost',
    ])
    expect(rules(signIn(1), authorize(2), redeem(63, 400))).toEqual([])
    expect(rules(signIn(1), authorize(2), signOut(2.5, LOST), redeem(3, 400))).toEqual([])
  })
})

describe('refresh tokens', () => {
  it('accepts the same token again for twenty seconds, if its answer was lost or not', () => {
    expect(rules(...SIGNED_IN, refresh(5, 1, LOST), refresh(20, 1), refresh(30, 2))).toEqual([])
    expect(rules(...SIGNED_IN, refresh(5, 1), refresh(20, 1), refresh(30, 2))).toEqual([])
    expect(rules(...SIGNED_IN, refresh(5, 1, 503), refresh(60, 1))).toEqual([])
  })

  it('finds one that is accepted again later, or after its successor was used', () => {
    const lived = ['a refresh token lived on after reuse']

    expect(rules(...SIGNED_IN, refresh(5, 1), refresh(31, 1))).toEqual(lived)
    expect(rules(...SIGNED_IN, refresh(5, 1), refresh(6, 2), refresh(7, 1))).toEqual(lived)
  })

  it('finds a grant that lives on after a reuse', () => {
    const reused = [...SIGNED_IN, refresh(5, 1), refresh(6, 2), refresh(7, 1, 400)]

    expect(rules(...reused, refresh(8, 3, 400))).toEqual([])
    expect(rules(...reused, refresh(8, 3))).toEqual(['a refresh token lived on after reuse'])
    // It may have been carried out or not.
    const lost = [...SIGNED_IN, refresh(5, 1), refresh(6, 2), refresh(7, 1, LOST)]
    expect(rules(...lost, refresh(8, 3))).toEqual([])
    expect(rules(...lost, refresh(8, 3, 400))).toEqual([])
  })

  it('finds one that was refused without a reason', () => {
    const lost = ['something acknowledged was lost']

    expect(rules(...SIGNED_IN, refresh(5, 1), refresh(6, 2, 400))).toEqual(lost)
    expect(rules(...SIGNED_IN, refresh(5, 1, LOST), refresh(10, 1, 400))).toEqual(lost)
    expect(rules(...SIGNED_IN, refresh(5, 1, LOST), refresh(30, 1, 400))).toEqual([])
    expect(rules(...SIGNED_IN, change('block', 5, LOST), refresh(6, 1, 400))).toEqual([])
    expect(rules(...SIGNED_IN, change('block', 7), refresh(6, 1, 400))).toEqual(lost)
  })
})

describe('sessions and tokens', () => {
  it('finds a session that was lost', () => {
    expect(rules(...SIGNED_IN, session(5, false))).toEqual(['something acknowledged was lost'])
    expect(rules(...SIGNED_IN, signOut(5, LOST), session(6, false))).toEqual([])
    expect(rules(...SIGNED_IN, signOut(5, LOST), session(6, true))).toEqual([])
    expect(rules(signIn(1, LOST), session(6, false))).toEqual(['something acknowledged was lost'])
  })

  it.each([signOut(10), change('block', 10), change('end-sessions', 10), change('disconnect', 10)])(
    'finds what is accepted after $kind',
    (end) => {
      const ended = [...SIGNED_IN, end]
      const late = ['accepted after its end']

      expect(rules(...ended, session(11, false), use('userinfo', 11, false))).toEqual([])
      expect(rules(...ended, session(11, true))).toEqual(late)
      expect(rules(...ended, session(11, true, 'displayed-session'))).toEqual([])
      expect(rules(...ended, session(3620, true, 'displayed-session'))).toEqual(late)
      expect(rules(...ended, { ...authorize(11), code: 'c2' } as Line)).toEqual(late)
      expect(rules(...ended, refresh(11, 1))).toEqual(late)
      expect(rules(...ended, use('userinfo', 11, true))).toEqual(late)
      expect(rules(...ended, use('introspect', 11, true))).toEqual(late)
      expect(rules(...ended, use('api', 25, true))).toEqual([])
      expect(rules(...ended, use('api', 26, true))).toEqual(late)
      expect(rules(...ended, use('api', 26, true, 'session-4'))).toEqual(late)
    },
  )

  it('accepts what is still in flight when it ends', () => {
    const overlapping = { ...session(10.05, true), ...request(10.05) } as Line

    expect(rules(...SIGNED_IN, signOut(10), overlapping)).toEqual([])
    // A session that was opened at the same time may have been opened later.
    expect(rules(change('end-sessions', 0.95), ...SIGNED_IN)).toEqual([])
  })

  it('begins to count after an outage, because nobody can learn of an end during it', () => {
    const kill: Line = { kind: 'kill', start: 12_000, end: 30_000, clock: 0 }
    const fault = { kind: 'fault', binding: 'REVOCATIONS', mode: 'error', hits: 1 } as const
    const span = { start: 12_000, end: 30_000 }

    expect(rules(...SIGNED_IN, signOut(10), kill, use('api', 50, true))).toEqual([])
    expect(rules(...SIGNED_IN, signOut(10), kill, use('api', 56, true))).toHaveLength(1)
    expect(rules(...SIGNED_IN, signOut(10), { ...fault, ...span }, use('api', 50, true))).toEqual(
      [],
    )
    // The user's object knows it in any case.
    expect(rules(...SIGNED_IN, signOut(10), kill, use('userinfo', 31, true))).toHaveLength(1)
  })

  it('finds a token that was refused without a reason', () => {
    const lost = ['something acknowledged was lost']

    expect(rules(...SIGNED_IN, use('api', 5, false))).toEqual(lost)
    expect(rules(...SIGNED_IN, use('userinfo', 5, false))).toEqual(lost)
    expect(rules(...SIGNED_IN, role('take-role', 4.5, LOST), use('api', 5, false))).toEqual([])
    expect(rules(...SIGNED_IN, use('api', 9999, false))).toEqual([])
  })

  it('finds an expired token that is accepted', () => {
    expect(rules(...SIGNED_IN, use('api', 10_009, true))).toEqual([])
    expect(rules(...SIGNED_IN, use('api', 10_011, true))).toEqual(['accepted after its end'])
  })

  it('finds tokens of a role that was taken away, at APIs only', () => {
    const taken = [...SIGNED_IN, role('take-role', 10)]

    expect(rules(...taken, use('userinfo', 11, true), use('api', 25, true))).toEqual([])
    expect(rules(...taken, use('api', 26, true))).toEqual(['accepted after its end'])
    expect(rules(...taken, refresh(11, 1), use('api', 40, true, 't1'))).toEqual([])
  })

  it('finds tokens of a revoked key, and the key itself', () => {
    const jwks = (start: number, kid: string): Line => ({
      kind: 'jwks',
      kids: [kid],
      ...request(start),
    })
    const revoked: Line[] = [...SIGNED_IN, jwks(5, 'k1'), { kind: 'revoke-keys', ...request(10) }]
    const late = ['accepted after its end']

    expect(rules(...revoked, use('api', 25, true), use('userinfo', 70, true))).toEqual([])
    expect(rules(...revoked, use('api', 26, true))).toEqual(late)
    expect(rules(...revoked, use('userinfo', 71, true))).toEqual(late)
    expect(rules(...revoked, jwks(15, 'k1'))).toEqual([])
    expect(rules(...revoked, jwks(16, 'k1'))).toEqual(late)
    expect(rules(...revoked, jwks(16, 'k2'), session(20, true))).toEqual([])
  })

  it('finds a disabled client that gets tokens, or whose tokens are accepted', () => {
    const disabled = [...SIGNED_IN, client('disable-client', 10)]
    const late = ['accepted after its end']

    expect(rules(...disabled, refresh(70, 1))).toEqual([])
    expect(rules(...disabled, refresh(71, 1))).toEqual(late)
    expect(rules(...disabled, client('enable-client', 60, LOST), refresh(71, 1))).toEqual([])
    expect(rules(...disabled, use('api', 26, true))).toEqual(late)
  })

  it('finds a blocked user who signs in', () => {
    expect(rules(change('block', 0.1), signIn(1))).toEqual(['accepted after its end'])
    expect(rules(change('block', 0.1), change('unblock', 0.5, LOST), signIn(1))).toEqual([])
    expect(rules(change('block', 0.1, LOST), signIn(1))).toEqual([])
  })

  it('finds a person who becomes another user', () => {
    const other = {
      ...redeem(9),
      sent: 'c9',
      issued: token('t9', { sub: 'usr_other', grant: 'g9' }),
    }

    expect(rules(...SIGNED_IN, other as Line)).toEqual(['something acknowledged was lost'])
  })
})

describe('the state at the end', () => {
  const finalUser = (isBlocked: boolean, roles: string[] = []): Line => ({
    ...{ kind: 'final-user', ...MIA, sub: 'usr_mia', isBlocked, roles },
  })
  const finalClient = (name: string, isDisabled = false): Line => ({
    ...{ kind: 'final-client', client: 'shop', name, isDisabled },
  })
  const lost = ['something acknowledged was lost']

  it('finds a block, a role or a registration that was lost', () => {
    expect(rules(change('block', 1), finalUser(true))).toEqual([])
    expect(rules(change('block', 1), finalUser(false))).toEqual(lost)
    expect(rules(role('give-role', 1), finalUser(false, ['editor']))).toEqual([])
    expect(rules(role('give-role', 1), finalUser(false))).toEqual(lost)
    expect(rules(rename('A', 1), rename('B', 2), finalClient('B'))).toEqual([])
    expect(rules(rename('A', 1), rename('B', 2), finalClient('A'))).toEqual(lost)
    expect(rules(client('disable-client', 1), finalClient('A'))).toEqual(lost)
  })

  it('accepts any order of changes at the same time, and both results of a lost answer', () => {
    const together = [rename('A', 1), { ...rename('B', 1), ...request(1.05) } as Line]

    for (const name of ['A', 'B']) {
      expect(rules(...together, finalClient(name))).toEqual([])
      expect(rules(rename('A', 1), rename('B', 2, LOST), finalClient(name))).toEqual([])
      expect(rules(rename('A', 1), rename('B', 2, 503), finalClient(name))).toEqual([])
    }
    expect(rules(rename('A', 1, LOST), rename('B', 2), finalClient('A'))).toEqual([])
    expect(rules(rename('A', 1, LOST), rename('B', 12), finalClient('A'))).toEqual(lost)
  })
})

describe('the audit log', () => {
  const wrong = ['the audit log is wrong']
  const signedIn = [...SIGNED_IN, entry('sign_in', 'signin-1'), delivery('signin-1')]

  it('finds a change that is not recorded', () => {
    expect(rules(...signedIn)).toEqual([])
    expect(rules(...signedIn, change('block', 9))).toEqual(wrong)
    expect(rules(...signedIn, change('block', 9, LOST))).toEqual([])
    expect(rules(...signedIn, change('block', 9, 503))).toEqual([])
    expect(rules(...signedIn, role('give-role', 9))).toEqual(wrong)
    expect(rules(...signedIn, client('disable-client', 9))).toEqual(wrong)
  })

  it('finds a change that is recorded twice', () => {
    const block = [entry('user_blocked', 'block-9'), delivery('block-9')]
    const again = [entry('user_blocked', 'block-9', { id: 'a-again' }), delivery('again')]

    expect(rules(...signedIn, change('block', 9), ...block)).toEqual([])
    expect(rules(...signedIn, change('block', 9), ...block, ...again)).toEqual(wrong)
  })

  it('finds an entry that nobody has caused', () => {
    const other = [entry('user_blocked', 'another'), delivery('another')]
    const { request: _, ...lostBlock } = change('block', 9, LOST) as Line & { request: string }

    expect(rules(...signedIn, ...other)).toEqual(wrong)
    expect(rules(...signedIn, lostBlock as Line, ...other)).toEqual([])
  })

  it('accepts that a change that changes nothing is not recorded', () => {
    const given = [role('give-role', 9, LOST), role('give-role', 10)]

    expect(rules(...signedIn, ...given)).toEqual([])
    // The second one may have come before the first one.
    const together = [role('give-role', 9), { ...role('take-role', 9), ...request(9.05) } as Line]
    expect(rules(...signedIn, ...together, entry('roles_given', 'give-role-9'))).toEqual([])
    expect(rules(...signedIn, role('take-role', 9))).toEqual([])
    expect(rules(...signedIn, client('enable-client', 9))).toEqual([])
  })

  it('finds an event that the webhook did not get', () => {
    const entries = [...SIGNED_IN, entry('sign_in', 'signin-1')]
    const missing = ['the webhook was not notified']

    expect(rules(...entries)).toEqual(missing)
    expect(rules(...entries, delivery('signin-1', false))).toEqual(missing)
    expect(rules(...entries, delivery('signin-1', false), delivery('signin-1'))).toEqual([])
    expect(rules(...entries, delivery('signin-1'), delivery('signin-1'))).toEqual([])
    expect(rules(...entries, delivery('signin-1'), delivery('unknown'))).toEqual(wrong)
  })
})
