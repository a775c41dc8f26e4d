import type { Miniflare } from 'miniflare'

/*
 * Sixty days of invented users and sign-ins, so that the console of the demo looks like that of a
 * service that is used. Nobody can sign in as these users.
 */

type Directory = Awaited<ReturnType<Miniflare['getD1Database']>>

const HOUR = 3600 // seconds
const DAYS = 60

const NAMES = [
  ['Ada Okafor', 'Ben Larsen', 'Chloé Martin', 'Dev Patel', 'Elif Kaya', 'Finn Schuster'],
  ['Grace Kim', 'Hugo Silva', 'Ines Romero', 'Jonas Weber', 'Kavya Rao', 'Liam O’Brien'],
  ['Maya Cohen', 'Noah Dubois', 'Olga Petrova', 'Pablo Ruiz', 'Rosa Bianchi', 'Sami Haddad'],
  ['Tara Singh', 'Uma Nair', 'Viktor Novak', 'Wei Zhang', 'Yuki Tanaka', 'Zoe Walker'],
].flat()

/** By how often they occur. */
const CLIENTS = ['storefront', 'storefront', 'storefront', 'gallery', 'gallery', '']
const FAILURES = [
  'access_denied',
  'access_denied',
  'access_denied',
  'attempt_missing',
  'provider_unavailable',
]

interface User {
  id: string
  provider: string
  createdAt: number
}

interface SignIn {
  id: string
  at: number
  hour: number
  outcome: string
  /** Null if it failed. */
  user: string | null
  client: string
  provider: string
  isNew: number
}

/** Adds the users and sign-ins to an empty directory. */
export async function addHistory(directory: Directory): Promise<void> {
  if (await directory.prepare('SELECT 1 FROM counters').first()) return
  const now = Math.floor(Date.now() / 1000)
  const random = createRandom()
  const users = NAMES.map((name, index) => ({
    id: `usr_demo${String(index).padStart(18, '0')}`,
    name,
    username: name.split(' ')[0]?.toLowerCase(),
    provider: index % 5 === 4 ? 'email' : 'tiktok',
    // The newest ones last, as if they had been inserted one after the other.
    createdAt:
      now - Math.round((DAYS * 24 * (NAMES.length - index - 1 + random())) / NAMES.length) * HOUR,
  }))
  const signIns = [
    ...users.map((user) => createSignIn(user.createdAt, user, random)),
    ...Array.from({ length: DAYS * 24 }, (_, hoursAgo) =>
      createSignIns(now - hoursAgo * HOUR, users, random),
    ).flat(),
  ]
  await directory.batch([
    directory.prepare(INSERT_USERS).bind(JSON.stringify(users)),
    directory.prepare(INSERT_ACCOUNTS).bind(JSON.stringify(users)),
    directory.prepare(INSERT_ENTRIES).bind(JSON.stringify(signIns)),
    directory.prepare(INSERT_COUNTERS).bind(JSON.stringify(signIns)),
  ])
}

function createSignIns(end: number, users: readonly User[], random: () => number): SignIn[] {
  const known = users.filter(({ createdAt }) => createdAt < end - HOUR)
  if (known.length === 0) return []
  return Array.from({ length: Math.round(random() * busyness(end)) }, () =>
    createSignIn(end - Math.floor(random() * HOUR), pick(known, random), random),
  )
}

function createSignIn(at: number, user: User, random: () => number): SignIn {
  const isNew = at === user.createdAt
  const outcome = isNew || random() > 0.06 ? 'ok' : pick(FAILURES, random)
  return {
    // Sorts by time, as those of the service.
    id: `${(at * 1000).toString(36).padStart(9, '0')}_${random().toString(36).slice(2, 12)}`,
    at,
    hour: at - (at % HOUR),
    outcome,
    user: outcome === 'ok' ? user.id : null,
    client: pick(CLIENTS, random),
    provider: user.provider,
    isNew: Number(isNew),
  }
}

/** How many sign-ins an hour has at most: few at night, and more every week. */
function busyness(at: number): number {
  const hourOfDay = new Date(at * 1000).getHours()
  const isNight = hourOfDay < 7
  const daysAgo = (Date.now() / 1000 - at) / (24 * HOUR)
  return (isNight ? 2 : 6 + 5 * Math.sin(((hourOfDay - 7) / 17) * Math.PI)) * (1.3 - daysAgo / 100)
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/** Numbers from 0 to 1 that are the same in every run, so that pictures do not differ. */
function createRandom(): () => number {
  let state = 20_261_117
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}

const INSERT_USERS = `
  INSERT INTO users (id, name, username, email, created_at, updated_at)
  SELECT value ->> 'id', value ->> 'name', value ->> 'username',
    iif(value ->> 'provider' = 'email', (value ->> 'username') || '@mail.example', NULL),
    value ->> 'createdAt', value ->> 'createdAt'
  FROM json_each(?)`

const INSERT_ACCOUNTS = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, label, verified_email, created_at, updated_at)
  SELECT value ->> 'provider', '',
    iif(value ->> 'provider' = 'email', (value ->> 'username') || '@mail.example', 'demo-' || (value ->> 'username')),
    value ->> 'id', '', value ->> 'name',
    iif(value ->> 'provider' = 'email', (value ->> 'username') || '@mail.example', NULL),
    value ->> 'createdAt', value ->> 'createdAt'
  FROM json_each(?)`

const INSERT_ENTRIES = `
  INSERT INTO audit (id, at, event, outcome, actor, subject, client, provider, network, detail)
  SELECT value ->> 'id', value ->> 'at', 'sign_in', value ->> 'outcome', coalesce(value ->> 'user', 'anonymous'),
    value ->> 'user', nullif(value ->> 'client', ''), value ->> 'provider', '192.0.2.0/24',
    iif(value ->> 'isNew', 'new user', NULL)
  FROM json_each(?)`

const INSERT_COUNTERS = `
  INSERT INTO counters (hour, provider, client, outcome, count, new_users)
  SELECT value ->> 'hour', value ->> 'provider', value ->> 'client', value ->> 'outcome', count(*), sum(value ->> 'isNew')
  FROM json_each(?) GROUP BY 1, 2, 3, 4`
