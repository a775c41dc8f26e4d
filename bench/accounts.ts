/** How long entries of the audit log are kept by default. */
export const AUDIT_DAYS = 90

interface BenchAccount {
  provider: string
  issuer: string
  accountId: string
  clientId: string
  scope: string
  user: {
    id: string
    name: string
    username?: string
    email?: string
    emailVerified?: boolean
    unionId?: string
    image: string
    url?: string
  }
}

const FIRST_NAMES = [
  'Anna',
  'Ben',
  'Chloé',
  'Dara',
  'Emeka',
  'Fatma',
  'Ġorġ',
  'Hana',
  'Ivan',
  'José',
]
const LAST_NAMES = ['Andersson', 'Bauer', 'Chen', 'Diallo', 'Eze', 'Fernández', 'Gupta', 'Haddad']

/**
 * Account number n, always the same for one number: two of three are TikTok accounts, which have no
 * email address, and the others Google accounts.
 */
export function accountOf(number: number): BenchAccount {
  const firstName = FIRST_NAMES[number % FIRST_NAMES.length]
  const lastName = LAST_NAMES[number % LAST_NAMES.length]
  const name = `${firstName} ${lastName} ${scatter(number) % 10_000}`
  const id = scatter(number).toString(16).padStart(8, '0')
  if (number % 3 === 0) {
    return {
      provider: 'google',
      issuer: 'https://accounts.google.com',
      accountId: `1${scatter(number)}${String(number).padStart(10, '0')}`,
      clientId: '1234567890-abcdefghijklmnopqrstuvwxyz012345.apps.googleusercontent.com',
      scope: 'openid email profile',
      user: {
        id,
        name,
        email: `user-${id}@mail.example`,
        emailVerified: true,
        image: `https://lh3.googleusercontent.com/a/ACg8oc${id.repeat(8)}=s96-c`,
      },
    }
  }
  return {
    provider: 'tiktok',
    issuer: '',
    accountId: `-000${id}${id.toUpperCase()}aBcDeFgHiJkLmNoP`,
    clientId: 'awabcdefghijklmn',
    scope: 'user.info.basic,user.info.profile',
    user: {
      id,
      name,
      username: `user${scatter(number)}`,
      unionId: `${id}-5678-5678-9abc-${id}abcd`,
      image: `https://p16-sign-va.tiktokcdn.com/tos-maliva-avt-0068/${id.repeat(4)}~c5_168x168.jpeg?refresh_token=${id}&x-expires=1800000000&x-signature=${id.repeat(4)}%3D`,
      url: `https://www.tiktok.com/@user${scatter(number)}`,
    },
  }
}

export function userIdOf(number: number): string {
  return `usr_${scatter(number).toString(36).padStart(7, '0')}${String(number).padStart(15, '0')}`
}

/** Spreads consecutive numbers over 32 bits, so that rows are inserted everywhere in an index. */
export function scatter(number: number): number {
  return Math.imul(number, 0x9e37_79b1) >>> 0
}
