import { describe, expect, it } from 'vitest'
import { recordedGuards } from '../../core/limits/recorded-guards.ts'
import { emailService, newAddress } from './email-browser.ts'

const NETWORK = '2001:db8:abc::/48'
const FROM = { 'CF-Connecting-IP': '2001:db8:abc:def0::1' }

describe('a request of a stranger for a message', () => {
  it('[R1] is counted only by its network and its recipient', async () => {
    const { names, GUARDS } = recordedGuards()
    const { browser } = emailService({}, { settings: { GUARDS } })

    await browser().post('/api/auth/signin/email', { email: newAddress() }, FROM)

    expect(names).toEqual([
      expect.stringMatching(/^email messages to [\w-]{43}$/),
      `email messages from ${NETWORK}`,
    ])
  })
})
