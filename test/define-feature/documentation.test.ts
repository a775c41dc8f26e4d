import { describe, expect, it } from 'vitest'
import documentation from '../../docs/features.md?raw'
import { validateOptions } from '../../src/core/config/options.ts'
import { readEnglish } from '../../src/core/messages/english.ts'
import registrationTypes from '../../src/core/registration-schemas/registration-part.ts?raw'
import ownTypes from '../../src/define-feature/own-feature.ts?raw'
import { auditExport, deviceBound, roles, totp } from '../../src/features.ts'
import { everyWayToSignIn } from '../combined/every-way-to-sign-in.ts'

const files = import.meta.glob<string>('../../examples/own-feature/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const totpModules = import.meta.glob<string>('../../src/features/totp/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const modules = import.meta.glob<string>('../../src/{core,administration,define-feature}/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The code of `totp` without its comments. */
const totpSource = Object.values(totpModules)
  .join('\n')
  .replaceAll(/\/\*.*?\*\/|\/\/ [^\n]*/gs, '')

const pinSource = files['../../examples/own-feature/pin.ts'] ?? ''

/** What no feature of ours uses: rules about apps and places are those of one operator. */
const FOR_OPERATORS = ['client', 'network', 'country']

const { features = [] } = everyWayToSignIn

/** The features with everything that they can declare. */
const everyFeature = validateOptions(
  {
    ...everyWayToSignIn,
    features: [
      ...features.filter(({ id }) => id !== 'roles'),
      roles({ names: ['editor'], signIn: () => ['editor'] }),
      auditExport(),
      deviceBound({ requiredForConsole: true }),
      totp(),
    ],
  },
  readEnglish,
).declared.features

/** The members of `Feature`, which other folders complete. */
function featureMembers(): string[] {
  return Object.values(modules).flatMap((source) =>
    Array.from(
      source.matchAll(
        /^declare module '[^']*config\/feature\.ts' \{\n {2}interface Feature \{\n(.*?)^ {2}\}/gms,
      ),
      ([, body = '']) => Array.from(body.matchAll(/^ {4}(\w+)\??[:(<]/gm), ([, name = '']) => name),
    ).flat(),
  )
}

/** The members of an interface that are declared in a module. */
function membersOf(source: string, name: string): string[] {
  const declaration = new RegExp(`^export interface ${name}\\b[^{]*{\\n(.*?)^}`, 'ms')
  const [, body = ''] = declaration.exec(source) ?? []
  return Array.from(body.matchAll(/^ {2}(\w+)\??[:(<]/gm), ([, member = '']) => member)
}

/** The users of each member, by the table below a heading. */
function readTable(heading: string): Record<string, string[]> {
  const [, section = ''] = documentation.split(`\n${heading}\n`)
  const [, table = ''] = section.split('\n|---|---|---|\n')
  const rows = table.split('\n\n')[0]?.matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm) ?? []
  return Object.fromEntries(
    Array.from(rows, ([, member, users = '']) => [
      member,
      Array.from(users.matchAll(/`([^`]+)`/g), ([, user = '']) => user),
    ]),
  )
}

/** The ids of the features that declare a member. */
function declaredBy(member: string): string[] {
  const users = everyFeature.filter((feature) => Object.hasOwn(feature, member))
  return [...new Set(users.map(({ id }) => id))].sort()
}

describe('docs/features.md', () => {
  it.each(Object.entries(files))('quotes %s', (path, code) => {
    const name = path.replace('../../examples/own-feature/', '')

    expect(documentation).toContain(`\`\`\`ts\n// ${name}\n${code}\`\`\``)
  })

  it('has an example of at most a hundred lines', () => {
    expect(pinSource.trimEnd().split('\n').length).toBeLessThanOrEqual(100)
  })

  it('lists the members of `defineFeature`, and which features declare the same', () => {
    const { id: _, ...listed } = readTable('#### Of `defineFeature`')
    const members = membersOf(ownTypes, 'OwnFeature').filter((member) => member !== 'id')
    const users = Object.fromEntries(members.map((name) => [name, declaredBy(name)]))

    expect(members.length).toBeGreaterThan(10)
    expect(Object.values(listed).every((features) => features.length > 0)).toBe(true)
    // `createFeature` makes routes, operations and parts of the account page of these.
    expect(listed).toEqual({
      ...users,
      accountSection: ['totp'],
      pages: ['totp'],
      userCard: ['totp'],
    })
  })

  it('lists the members of `Feature` that are not published, and which features declare them', () => {
    const published = membersOf(ownTypes, 'OwnFeature')
    const members = [
      ...membersOf(modules['../../src/core/config/feature.ts'] ?? '', 'Feature'),
      ...featureMembers(),
      ...membersOf(registrationTypes, 'RegisteringFeature'),
    ].filter((member) => !published.includes(member))

    expect(members.length).toBeGreaterThan(20)
    expect(readTable('### Of our features only')).toEqual(
      Object.fromEntries(members.map((name) => [name, declaredBy(name)])),
    )
  })

  it.each([
    ['OwnStep', '#### Of `step`'],
    ['OwnPage', '#### Of a page'],
    ['FeatureContext', '#### Of the context'],
    ['RequestContext', '`required`, `show`, `submit` and `accountSection` also get:'],
    ['StepContext', '`required` also gets:'],
    ['PageContext', '`show`, `submit` and `accountSection` also get:'],
  ])('lists the members of %s, and which of them totp uses', (name, heading) => {
    const listed = readTable(heading)
    const members = membersOf(ownTypes, name)

    expect(members.length).toBeGreaterThan(1)
    expect(Object.keys(listed)).toEqual(members)
    for (const [member, users] of Object.entries(listed)) {
      const isIn = (source: string) => new RegExp(`\\b${member}\\b`).test(source)
      expect([member, users.includes('totp')]).toEqual([member, isIn(totpSource)])
      if (users.includes('pin.ts')) expect(isIn(pinSource)).toBe(true)
      expect([member, users.length > 0]).toEqual([member, !FOR_OPERATORS.includes(member)])
    }
  })
})
