import { describe, expect, it } from 'vitest'
import type { ListedFeature } from '../../src/core/config/vestibule-options.ts'
import {
  admin,
  defineFeature,
  deviceBound,
  roles,
  senderConstrained,
  totp,
} from '../../src/features.ts'
import { TikTok } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'

/** Operators may not use TypeScript, so that options can be anything. */
type Any = never

const editors = totp({ requiredFor: { roles: ['editorr'] } })
const WHO = "requiredFor of totp() must be 'everyone', or an object such as"

/** Options that would silently require nothing. */
const MISTAKES: readonly [mistake: string, list: () => ListedFeature[], problem: string][] = [
  [
    'a role that is misspelt',
    () => [roles({ names: ['editor', 'author'] }), editors],
    'features.totp depends on a role that users cannot have: "editorr" is not a role of this deployment, which has editor, author. Did you mean editor?',
  ],
  [
    'a role without roles()',
    () => [editors],
    '"editorr" is not a role of this deployment, which has no roles.',
  ],
  [
    'a role of an own step',
    () => [
      defineFeature({ id: 'pin', step: { roles: ['staff'], required: async () => undefined } }),
    ],
    'features.pin depends on a role that users cannot have: "staff"',
  ],
  ['a word', () => [totp({ requiredFor: 'admins' as Any })], WHO],
  ['null', () => [totp({ requiredFor: null as Any })], WHO],
  ['a list', () => [totp({ requiredFor: ['editor'] as Any })], WHO],
  ['an empty list', () => [totp({ requiredFor: [] as Any })], WHO],
  ['an unknown group', () => [totp({ requiredFor: { admins: true } as Any })], WHO],
  ['a word as a list', () => [totp({ requiredFor: { roles: 'editor' } as Any })], WHO],
  ['a word as a flag', () => [totp({ requiredFor: { administrators: 'yes' } as Any })], WHO],
  ['totp', () => [totp({ requireFor: 'everyone' } as Any)], 'totp() has no option requireFor.'],
  [
    'deviceBound',
    () => [deviceBound({ requireForConsole: true } as Any)],
    'deviceBound() has no option requireForConsole.',
  ],
  [
    'senderConstrained',
    () => [senderConstrained({ requireNonces: true } as Any)],
    'senderConstrained() has no option requireNonces.',
  ],
  ['admin', () => [admin({ signin: true } as Any)], 'admin() has no option signin.'],
  [
    'roles',
    () => [roles({ names: ['a'], signin: () => [] } as Any)],
    'roles() has no option signin.',
  ],
]

describe('createVestibule', () => {
  it.each(MISTAKES)('rejects options of features with a mistake: %s', (_, list, problem) => {
    expect(() => createVestibule({ providers: [TikTok], features: list() })).toThrow(problem)
  })
})
