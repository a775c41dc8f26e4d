import type { Fault, FaultKind } from './faults.ts'

const SOMEONE_ELSE = '-000SomeoneElse000000000000000000000'

/** Deep enough to trouble a recursive reader, flat enough for `JSON.parse`. */
const DEPTH = 5000

type Json = Record<string, unknown>

/** Spoils the text of a JSON answer; a text that is no JSON stays as it is. */
export function alterJson(fault: Fault, text: string): string {
  if (!text.startsWith('{')) return text
  const parsed: Json = JSON.parse(text)
  const changed = changeFields(fault, parsed)
  const json = changed ? JSON.stringify(parsed) : text
  return respell(fault.kind, json)
}

/** Changes that leave well-formed JSON behind; says whether there was one. */
function changeFields({ kind, without, set }: Fault, answer: Json): boolean {
  const subject = subjectOf(answer)
  if (without !== undefined) delete subject[without]
  if (set !== undefined) Object.assign(subject, set)
  const change = kind === undefined ? undefined : CHANGES[kind]
  change?.(subject, answer)
  return change !== undefined || without !== undefined || set !== undefined
}

/** The user in a user info answer; anywhere else the answer itself. */
function subjectOf(answer: Json): Json {
  const data = answer['data']
  return isObject(data) && isObject(data['user']) ? data['user'] : answer
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

type Change = (subject: Json, answer: Json) => void

const CHANGES: Partial<Record<FaultKind, Change>> = {
  'missing-data': (_subject, answer) => delete answer['data'],
  'token-type-missing': (subject) => delete subject['token_type'],
  'expires-in-string': (subject) => {
    subject['expires_in'] = String(subject['expires_in'])
  },
  'scope-reordered': (subject) => {
    subject['scope'] = String(subject['scope']).split(',').reverse().join(',')
  },
  'scope-reduced': (subject) => {
    subject['scope'] = String(subject['scope']).split(',')[0]
  },
  'open-id-mismatch': (subject) => {
    subject['open_id'] = SOMEONE_ELSE
  },
}

/** Changes to the text itself, which no object could express. */
function respell(kind: FaultKind | undefined, json: string): string {
  switch (kind) {
    case 'truncated-json':
      return json.slice(0, Math.floor(json.length / 2))
    case 'bom':
      return `\uFEFF${json}`
    case 'json-array':
      return `[${json}]`
    case 'deep-json':
      return `{"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},${json.slice(1)}`
    case 'duplicate-keys':
      return json.replace('"open_id":', `"open_id":"${SOMEONE_ELSE}","open_id":`)
    case 'proto-key':
      return `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${json.slice(1)}`
    default:
      return json
  }
}
