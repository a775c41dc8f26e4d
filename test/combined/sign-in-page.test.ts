import { describe, expect, it } from 'vitest'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf } from '../browser.ts'
import { inputValues } from '../html.ts'
import { everyWayToSignIn } from './every-way-to-sign-in.ts'

describe('the sign-in page of a deployment with every method', () => {
  it('[M6] has the same CSRF token in all forms of a page, which sets one cookie', async () => {
    const browser = new Browser(serviceOf(createVestibule(everyWayToSignIn)))

    const response = await browser.get('/api/auth/signin')

    const [first, ...others] = inputValues(await response.text(), 'csrfToken')
    expect(new Set(others)).toEqual(new Set([first]))
    const cookies = response.headers.getSetCookie().filter((cookie) => cookie.includes('csrf='))
    expect(cookies).toHaveLength(1)
  })

  it('has the texts of the deployment for every method', async () => {
    const vestibule = createVestibule({
      ...everyWayToSignIn,
      messages: {
        de: {
          'email.address.send': 'Code an meine Adresse senden',
          'passkeys.signIn': 'Mit meinem Passkey anmelden',
          'credentials.wrong': 'Das Passwort ist falsch.',
        },
      },
    })
    const browser = new Browser(serviceOf(vestibule))
    const headers = { 'Accept-Language': 'de' }

    const page = await (await browser.get('/api/auth/signin', headers)).text()
    const form = { 'credential.name': 'ada', 'credential.password': 'x' }
    const rejected = await browser.post('/api/auth/callback/credentials', form, headers)

    expect(page).toContain('Code an meine Adresse senden')
    expect(page).toContain('Mit meinem Passkey anmelden')
    expect(await rejected.text()).toContain('Das Passwort ist falsch.')
  })
})
