import { describe, expect, it } from 'vitest'
import { convertExport } from '../../cli/admin/export-formats.ts'

function linesOf(format: Parameters<typeof convertExport>[0], content: string) {
  return convertExport(format, content)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the export of another service', () => {
  it('is converted if it is from Auth0, as lines of JSON', () => {
    const users = [
      {
        user_id: 'google-oauth2|1087',
        name: 'Mia Lindqvist',
        nickname: 'mia',
        picture: 'https://images.acme.dev/mia.png',
        email: 'mia@mail.example',
        email_verified: true,
        created_at: '2024-11-14T08:00:00.000Z',
        blocked: true,
        app_metadata: { plan: 'gold' },
        identities: [
          { provider: 'google-oauth2', user_id: '1087', connection: 'google-oauth2' },
          { provider: 'github', user_id: 583231, connection: 'github' },
        ],
      },
      {
        user_id: 'auth0|66f0',
        email: 'leo@mail.example',
        email_verified: true,
        passwordHash: '$2b$10$secret',
        identities: [{ provider: 'auth0', user_id: '66f0' }],
      },
      { user_id: 'auth0|77a1', email: 'eve@mail.example', email_verified: false, identities: [] },
    ]

    const lines = linesOf('auth0', users.map((user) => JSON.stringify(user)).join('\n'))

    const mia = {
      former_id: 'google-oauth2|1087',
      name: 'Mia Lindqvist',
      username: 'mia',
      picture: 'https://images.acme.dev/mia.png',
      blocked: true,
      created_at: 1_731_571_200,
      email: null,
      email_verified: null,
      app_metadata: null,
    }
    expect(lines).toEqual([
      { provider: 'google', provider_account_id: '1087', ...mia },
      { provider: 'github', provider_account_id: '583231', ...mia },
      {
        provider: 'email',
        provider_account_id: 'leo@mail.example',
        former_id: 'auth0|66f0',
        blocked: false,
        email: null,
        email_verified: null,
        passwordHash: null,
      },
      expect.objectContaining({
        provider: 'email',
        provider_account_id: '',
        email_verified: false,
      }),
    ])
  })

  it('is converted if it is from Clerk', () => {
    const users = [
      {
        id: 'user_2a',
        first_name: 'Mia',
        last_name: 'Lindqvist',
        username: null,
        image_url: 'https://img.acme.dev/1',
        banned: false,
        created_at: 1_731_571_200_000,
        password_enabled: true,
        primary_email_address_id: 'idn_2',
        email_addresses: [
          { id: 'idn_1', email_address: 'old@mail.example', verification: null },
          {
            id: 'idn_2',
            email_address: 'mia@mail.example',
            verification: { status: 'verified' },
          },
        ],
        external_accounts: [{ provider: 'oauth_tiktok', provider_user_id: '8a1f' }],
      },
    ]

    expect(linesOf('clerk', JSON.stringify(users))).toEqual([
      expect.objectContaining({
        provider: 'tiktok',
        provider_account_id: '8a1f',
        former_id: 'user_2a',
        name: 'Mia Lindqvist',
        created_at: 1_731_571_200,
        blocked: false,
        password_enabled: null,
      }),
      expect.objectContaining({ provider: 'email', provider_account_id: 'mia@mail.example' }),
    ])
  })

  it('is converted if it is from Firebase', () => {
    const users = [
      {
        localId: 'fb1',
        email: 'mia@mail.example',
        emailVerified: true,
        passwordHash: 'secret',
        salt: 'salt',
        displayName: 'Mia',
        photoUrl: 'https://img.acme.dev/1',
        createdAt: '1731571200000',
        disabled: true,
        providerUserInfo: [
          { providerId: 'google.com', rawId: '1087', email: 'mia@mail.example' },
          { providerId: 'password', rawId: 'mia@mail.example' },
        ],
      },
    ]

    const shared = { former_id: 'fb1', name: 'Mia', blocked: true, created_at: 1_731_571_200 }
    expect(linesOf('firebase', JSON.stringify({ users }))).toEqual([
      expect.objectContaining({ provider: 'google', provider_account_id: '1087', ...shared }),
      expect.objectContaining({
        provider: 'email',
        provider_account_id: 'mia@mail.example',
        passwordHash: null,
        ...shared,
      }),
    ])
  })

  it('is converted if it has the tables of Auth.js', () => {
    const content = {
      users: [
        { id: '1', name: 'Mia', email: 'mia@mail.example', emailVerified: null, image: null },
        { id: '2', email: 'leo@mail.example', emailVerified: '2024-11-14T08:00:00.000Z' },
      ],
      accounts: [
        { userId: '1', provider: 'github', providerAccountId: '583231', access_token: 'secret' },
      ],
    }

    const lines = linesOf('authjs', JSON.stringify(content))

    expect(lines).toMatchObject([
      { provider: 'github', provider_account_id: '583231', former_id: '1', name: 'Mia' },
      { provider: 'email', provider_account_id: 'leo@mail.example', former_id: '2' },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each([
    [
      'clerk',
      {
        id: 'a',
        password_enabled: true,
        email_addresses: [
          { id: 'e', email_address: 'eve@mail.example', verification: { status: 'unverified' } },
        ],
      },
    ],
    ['firebase', { users: [{ localId: 'a', email: 'eve@mail.example', emailVerified: false }] }],
    ['authjs', { users: [{ id: 'a', email: 'eve@mail.example', emailVerified: null }] }],
  ] as const)('has no unverified address as an account: %s', (format, content) => {
    const json = JSON.stringify(format === 'clerk' ? [content] : content)

    expect(linesOf(format, json)).toMatchObject([
      { former_id: 'a', provider: 'email', provider_account_id: '', email_verified: false },
    ])
  })

  it('has the verified address of a user who has nothing else', () => {
    const user = { user_id: 'a', email: 'mia@mail.example', email_verified: true, identities: [] }

    expect(linesOf('auth0', JSON.stringify(user))).toMatchObject([
      { provider: 'email', provider_account_id: 'mia@mail.example' },
    ])
  })

  it('is rejected if it has no users', () => {
    expect(() => convertExport('auth0', '{}')).toThrow('has no users in the format auth0')
    expect(() => convertExport('firebase', 'no JSON')).toThrow('has no users')
  })

  it.each([
    ['auth0', '{"user_id":"a"}\n\n{"user_id":\n[]\n{"user_id":"b"}\n', 'Lines', '3, 4'],
    ['clerk', '[{"id":"a"},null,"b"]', 'Entries', '2, 3'],
    ['firebase', '{"users":[1,{"localId":"a"}]}', 'Entries of users', '1'],
  ] as const)('is rejected if a user cannot be read: %s', (format, content, what, numbers) => {
    expect(() => convertExport(format, content)).toThrow(
      `${what} that are not JSON objects: ${numbers}. `,
    )
  })
})
