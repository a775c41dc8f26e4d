import { describe, expect, it } from 'vitest'
import { en } from '../../src/core/messages/en.ts'
import {
  defineFeature,
  device,
  featureTexts,
  type TextsByLanguage,
  withTexts,
} from '../../src/features.ts'
import { TikTok } from '../../src/providers/index.ts'
import { createVestibule, type VestibuleOptions } from '../../src/vestibule.ts'
import { Browser, serviceOf } from '../browser.ts'
import { signInNewUser } from '../new-user.ts'

const texts = {
  en: { 'badges.title': 'Your badges', 'badges.lead': 'You have {count} badges at {shop}.' },
  de: { 'badges.title': 'Deine Abzeichen' },
} as const

/** A feature as operators write it. */
function badges(own: TextsByLanguage = texts) {
  return defineFeature({
    id: 'badges',
    texts: own,
    pages: {
      '/badges': {
        show({ messages }) {
          const { t } = withTexts<typeof texts.en>(messages)
          return {
            title: t('badges.title'),
            content: t('badges.lead', { count: 1200, shop: 'Acme' }),
            button: t('signedIn.continue'),
          }
        },
      },
    },
  })
}

function create(options: Partial<VestibuleOptions>) {
  return createVestibule({ providers: [TikTok], ...options })
}

async function openPage(options: Partial<VestibuleOptions>, path: string, language: string) {
  const { browser } = await signInNewUser(new Browser(serviceOf(create(options))))
  return (await browser.get(path, { 'Accept-Language': language })).text()
}

describe('the texts of a feature', () => {
  it('are replaced by those of the deployment', async () => {
    const messages = { de: { 'device.title': 'Auf dem Fernseher anmelden' } }
    const page = await openPage({ features: [device()], messages }, '/device', 'de')

    expect(page).toContain('<h1>Auf dem Fernseher anmelden</h1>')
    expect(page).toContain('>Code auf deinem Gerät</label>')
  })

  it('are unknown to a deployment that does not list it', () => {
    expect(() => create({ messages: { en: { 'device.title': 'Television' } } })).toThrow(
      'messages.en.device.title is not a text of this service, or of a feature that it lists.',
    )
  })

  it('are part of a complete translation', () => {
    const { 'device.title': _, ...rest } = featureTexts.device
    const messages = { nl: { ...en, ...rest } }

    expect(() => create({ features: [device()], messages })).toThrow(
      'messages.nl is incomplete: it has no device.title.',
    )
    expect(() =>
      create({ features: [device()], messages: { nl: { ...en, ...featureTexts.device } } }),
    ).not.toThrow()
    expect(() => create({ messages: { nl: en } })).not.toThrow()
  })
})

describe('the texts of a feature of the operator', () => {
  it.each([
    ['en', 'Your badges', 'You have 1,200 badges at Acme.', 'Continue'],
    ['de', 'Deine Abzeichen', 'You have 1.200 badges at Acme.', 'Weiter'],
    ['fr', 'Your badges', 'You have 1 200 badges at Acme.', 'Continuer'],
  ])('are in the language of the page, or in English: %s', async (language, title, lead, label) => {
    const page = await openPage({ features: [badges()] }, '/badges', language)

    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page.replaceAll('\u202f', ' ')).toContain(`<p>${lead}</p>`)
    expect(page).toContain(`${label}</button>`)
  })

  it.each<[TextsByLanguage, string]>([
    [
      { en: { 'signIn.title': 'Hi' } },
      'features.badges has the text signIn.title, which the core has too',
    ],
    [
      { en: { 'device.title': 'Hi' } },
      'features.badges has the text device.title, which device has too: choose another name.',
    ],
    [
      { ...texts, de: { 'badges.led': 'x' } },
      'features.badges.texts.de.badges.led is not a text of this service',
    ],
    [
      { ...texts, de: { 'badges.lead': 'Abzeichen: {count}' } },
      'features.badges.texts.de.badges.lead does not contain {shop}.',
    ],
    [{ ...texts, german: {} }, 'features.badges.texts.german is not a language'],
    [Object({ de: {} }), 'features.badges.texts must have the English texts, by key, as en.'],
    [Object({ en: { 'badges.title': 7 } }), 'features.badges.texts must have the English texts'],
    [Object([]), 'features.badges.texts must have the English texts, by key, as en.'],
  ])('are validated when the service starts (%#)', (own, problem) => {
    expect(() => create({ features: [device(), badges(own)] })).toThrow(problem)
  })

  it('are part of a language that the deployment adds', () => {
    const nl = { 'badges.title': 'Badges', 'badges.lead': '{count} badges bij {shop}' }

    expect(() => create({ features: [badges()], messages: { nl: en } })).toThrow(
      'messages.nl is incomplete: it has no badges.title, badges.lead.',
    )
    expect(() =>
      create({ features: [badges({ ...texts, nl })], messages: { nl: en } }),
    ).not.toThrow()
    expect(() => create({ features: [badges()], messages: { nl: { ...en, ...nl } } })).not.toThrow()
  })
})
