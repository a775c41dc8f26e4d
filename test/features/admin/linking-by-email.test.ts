import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { linking, signInAtGit, signInWithBoth } from '../../providers/providers-in-code.ts'

describe('an email address in the profile of an administrator', () => {
  it.each([
    ['to an account', 'one'],
    ['an account', 'two'],
  ])('[S2] does not link %s of an administrator', async (_, provider) => {
    const email = `admin-${provider}@mail.example`
    const settings = { AUTH_ADMINS: `${provider}:${email}` }

    const [one, two] = await signInWithBoth(linking(email, () => true, { settings }))

    expect(two?.id).not.toBe(one?.id)
  })

  it('[S2] does not link to an administrator who is listed by id, here or in the database', async () => {
    const email = 'admin-id@mail.example'
    const one = (
      await signInAtGit(
        linking(email, () => true),
        'one',
      )
    ).session?.user
    const name = one?.id ?? ''
    const settings = { AUTH_ADMINS: name }

    const listed = await signInAtGit(
      linking(email, () => true, { settings }),
      'two',
    )

    expect(listed.session?.user.id).not.toBe(name)
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(
        "DELETE FROM accounts WHERE provider = 'two' AND verified_email = ?",
      ).bind(email),
      env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, 'support', 0, 'operator')").bind(
        name,
      ),
    ])
    const stored = await signInAtGit(
      linking(email, () => true),
      'two',
    )
    expect(stored.session?.user.id).toMatch(/^usr_/)
    expect(stored.session?.user.id).not.toBe(name)
  })
})
