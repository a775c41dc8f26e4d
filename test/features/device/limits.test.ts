import { describe, expect, it } from 'vitest'
import { serviceWith } from '../../browser.ts'
import { recordedGuards } from '../../core/limits/recorded-guards.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'

const NETWORK = '2001:db8:abc::/48'
const FROM = { 'CF-Connecting-IP': '2001:db8:abc:def0::1' }

describe('POST /oidc/device of a stranger', () => {
  it.each([
    ['a device', 'television'],
    ['the command line', 'vestibule-login'],
  ])('[R1] is counted only by its network: %s', async (_, client_id) => {
    const { names, GUARDS } = recordedGuards()

    await serviceWith({ GUARDS })(formRequest('/oidc/device', { client_id }, FROM))

    const counted = names.filter((name) => !/^device [A-Z]{8}$/.test(name))
    expect(counted).toEqual([expect.stringMatching(new RegExp(`from ${NETWORK}$`))])
  })
})
