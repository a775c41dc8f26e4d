import type { Fault, FaultKind } from './faults.ts'

const ANOTHER_OPEN_ID = '-000SomeoneElse000000000000000000000'

/** Deep enough to overflow the stack of a recursive parser; `JSON.parse` accepts it. */
const NESTING_DEPTH = 5000

type Json = Record<string, unknown>

/** Changes the text of a JSON response as the fault says. Other texts are returned unchanged. */
export function corruptJson(fault: Fault, text: string): string {
  if (!text.startsWith('{')) return text
  const parsed: Json = JSON.parse(text)
  const isChanged = changeFields(fault, parsed)
  const json = isChanged ? JSON.stringify(parsed) : text
  return changeText(fault.kind, json)
}

/** Makes the changes that leave valid JSON. Returns whether there were any. */
function changeFields({ kind, without, set }: Fault, response: Json): boolean {
  const target = findTarget(response)
  if (without !== undefined) delete target[without]
  if (set !== undefined) Object.assign(target, set)
  const change = kind === undefined ? undefined : CHANGES[kind]
  change?.(target, response)
  return change !== undefined || without !== undefined || set !== undefined
}

/** The user object of a user info response; otherwise the response itself. */
function findTarget(response: Json): Json {
  const data = response['data']
  return isObject(data) && isObject(data['user']) ? data['user'] : response
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

type Change = (target: Json, response: Json) => void

const CHANGES: Partial<Record<FaultKind, Change>> = {
  'missing-data': (_target, response) => delete response['data'],
  'token-type-missing': (target) => delete target['token_type'],
  'expires-in-string': (target) => {
    target['expires_in'] = String(target['expires_in'])
  },
  'scope-reordered': (target) => {
    target['scope'] = String(target['scope']).split(',').reverse().join(',')
  },
  'scope-reduced': (target) => {
    target['scope'] = String(target['scope']).split(',')[0]
  },
  'open-id-mismatch': (target) => {
    target['open_id'] = ANOTHER_OPEN_ID
  },
}

/** Makes the changes that cannot be expressed as an object. */
function changeText(kind: FaultKind | undefined, json: string): string {
  switch (kind) {
    case 'truncated-json':
      return json.slice(0, Math.floor(json.length / 2))
    case 'bom':
      return `\uFEFF${json}`
    case 'json-array':
      return `[${json}]`
    case 'deep-json':
      return `{"deep":${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)},${json.slice(1)}`
    case 'duplicate-keys':
      return json.replace('"open_id":', `"open_id":"${ANOTHER_OPEN_ID}","open_id":`)
    case 'proto-key':
      return `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${json.slice(1)}`
    default:
      return json
  }
}
