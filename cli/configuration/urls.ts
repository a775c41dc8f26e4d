import type * as z from 'zod/mini'
import type { Config } from '../../src/core/config/config.ts'
import { apiSchema } from '../../src/core/registration-schemas/apis.ts'
import { clientSchema } from '../../src/core/registration-schemas/clients.ts'
import { type Finding, problem, skipped, warning } from '../finding.ts'
import { SECRET_NAME } from './read-settings.ts'

type Shape = Readonly<Record<string, z.ZodMiniType>>

/** Checks that URLs are spelled as browsers and libraries spell them. */
export function checkUrls(config: Config, settings: Record<string, unknown>): Finding[] {
  const addresses = Object.entries(settings).filter(
    ([name, value]) => !SECRET_NAME.test(name) && /^https?:/i.test(String(value)),
  )
  return [
    ...addresses.flatMap(([name, value]) => checkUrl('settings', name, value)),
    ...config.clients.flatMap((client) =>
      checkFields('clients', `the client ${client.client_id}`, [clientSchema(), client]),
    ),
    ...config.apis.flatMap((api) =>
      checkFields('APIs', `the API ${api.identifier}`, [apiSchema(), api]),
    ),
  ]
}

function checkFields(
  name: string,
  subject: string,
  [schema, registration]: [schema: { shape: Shape }, registration: object],
): Finding[] {
  return urlFields(schema).flatMap((field) =>
    checkUrl(name, `${field} of ${subject}`, Reflect.get(registration, field)),
  )
}

/** The fields of URLs: those that accept a URL, or a list of them, and no other text. */
export function urlFields({ shape }: { shape: Shape }): string[] {
  const accepts = (schema: z.ZodMiniType, text: string) =>
    [text, [text]].some((value) => schema.safeParse(value).success)
  return Object.entries(shape)
    .filter(([, schema]) => accepts(schema, 'https://example.com/') && !accepts(schema, 'no URL'))
    .map(([field]) => field)
}

function checkUrl(name: string, place: string, value: unknown): Finding[] {
  return [value ?? []].flat().flatMap((url) => {
    const usual = URL.parse(String(url))?.href
    // The URL of an origin may end without a slash.
    if (usual === undefined || usual === url || usual === `${url}/`) return []
    return [
      problem(name, {
        what: `${place} has ${url}, which browsers and libraries spell as ${usual}.`,
        why: 'URLs are compared exactly, so that it does not match what apps send.',
        fix: `Enter ${usual}. If an app sends it as it is now, change it there, too.`,
      }),
    ]
  })
}

/** What the module of deviceBound() declares, whose types are those of the Worker. */
interface WithBoundSessions {
  id: string
  boundSessions?: { limitConsole?: unknown }
}

/** Browsers bind sessions over https only, so that a feature can look as if it did not work. */
export function checkBoundSessions({
  issuer,
  ...config
}: Pick<Config, 'issuer' | 'features'>): Finding[] {
  const features: readonly WithBoundSessions[] = config.features
  if (issuer.startsWith('https:')) return []
  return features.flatMap(({ id, boundSessions }) => {
    if (!boundSessions) return []
    if (!boundSessions.limitConsole) {
      return skipped(id, `AUTH_URL is ${issuer}, and browsers bind sessions over https only`)
    }
    return warning(id, {
      what: `AUTH_URL is ${issuer}, and browsers bind sessions over https only.`,
      why: 'With requiredForConsole, nobody can open the console here.',
      fix: 'Nothing, if you do not need the console in development. Otherwise remove requiredForConsole, or use an https address.',
    })
  })
}
