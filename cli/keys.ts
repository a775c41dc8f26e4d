import { isObject } from '../src/values/json.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { type Command, defineCommand, runSubcommand } from './admin/command.ts'
import { CONFIRMATION_OPTION, confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printJson, printLine, printTable } from './admin/format.ts'

const INTRODUCTION = `The signing keys rotate automatically every thirty days. The next key is published before it is used,
and the former one stays published for as long as its tokens may be used.`

const SUBCOMMANDS: Record<string, Command> = {
  list: defineCommand({
    summary: 'list the signing keys and their state',
    options: CONNECTION_OPTIONS,
    async run({ values }) {
      const api = await AdminApi.open(values)
      const result = await api.send('/keys')
      if (values.json) return printJson(result)
      printKeys(result)
      printLine(`The keys rotate at ${formatTime(result['rotates_at'])} UTC.`)
    },
  }),
  rotate: defineCommand({
    summary: 'start to sign with the next keys; with --revoke, remove compromised keys',
    details: `Without --revoke, nothing else changes: tokens signed with the former keys stay valid, and the former keys
stay published until these tokens have expired.

With --revoke, all present keys leave the JWKS within five seconds, and all servers of the deployment reject
tokens signed with them within a minute. APIs that cache the JWKS accept such tokens until their cache
expires: docs/operations.md.`,
    options: {
      revoke: { type: 'boolean', help: 'the keys were leaked: reject everything signed with them' },
      ...CONFIRMATION_OPTION,
      ...CONNECTION_OPTIONS,
    },
    async run({ values, rejectUsage }) {
      const api = await AdminApi.open(values)
      if (values.revoke) {
        await confirm({
          consequences: `All signing keys of ${api.url} will be replaced. Tokens and logout hints signed with them are rejected by all servers of the deployment within a minute, and by APIs once their copy of the JWKS expires. Users stay signed in; apps need new tokens.`,
          isConfirmed: values.yes,
          rejectUsage,
        })
      }
      const result = await api.send('/keys/rotate', {
        method: 'POST',
        body: { revoke: values.revoke ?? false },
      })
      if (values.json) return printJson(result)
      printLine(values.revoke ? 'Revoked the former keys.' : 'Rotated the keys.')
      printKeys(result)
    },
  }),
}

/** Lists and rotates the signing keys. */
export function runKeys(args: string[]): Promise<number> {
  return runSubcommand('keys', INTRODUCTION, SUBCOMMANDS, args)
}

function printKeys({ keys }: Resource): void {
  const records = Array.isArray(keys) ? keys.filter(isObject) : []
  printTable(
    ['kid', 'alg', 'state', 'created', 'active since', 'published until'],
    records.map((key) => [
      key['kid'],
      key['alg'],
      key['state'],
      formatTime(key['created_at']),
      formatTime(key['active_since']),
      formatTime(key['removed_at']),
    ]),
    'There are no keys yet: they are created when the service first needs them.',
  )
}
