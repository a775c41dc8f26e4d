import { objectsIn } from '../src/foundation/values/json.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printJson, printLine } from './admin/format.ts'
import { operationHelp } from './admin/operation-help.ts'
import { printTable } from './admin/table.ts'
import { type Command, defineCommand, defineGroup } from './command.ts'

const INTRODUCTION = `The signing keys rotate automatically every thirty days. The next key is published before it is used,
and the former one stays published for as long as its tokens may be used.`

const rotation = operationHelp('rotateKeys')

const COMMANDS: Record<string, Command> = {
  list: defineCommand({
    ...operationHelp('listKeys'),
    options: CONNECTION_OPTIONS,
    async run({ values }) {
      const api = await AdminApi.open(values)
      const result = await api.send('listKeys')
      if (values.json) return printJson(result)
      printKeys(result)
      printLine(`The keys rotate at ${formatTime(result['rotates_at'])} UTC.`)
    },
  }),
  rotate: defineCommand({
    ...rotation,
    details: `${rotation.details}\n\nWith --revoke:\n${operationHelp('revokeKeys').details}`,
    options: {
      revoke: { type: 'boolean', help: 'the keys were leaked: reject everything signed with them' },
      ...CONNECTION_OPTIONS,
    },
    async run({ values }) {
      const api = await AdminApi.open(values)
      const operationId = values.revoke ? 'revokeKeys' : 'rotateKeys'
      if (values.revoke) {
        await confirm({ operationId, subject: api.url, isConfirmed: values.yes })
      }
      const result = await api.send(operationId)
      if (values.json) return printJson(result)
      printLine(values.revoke ? 'Revoked the former keys.' : 'Rotated the keys.')
      printKeys(result)
    },
  }),
}

/** Lists and rotates the signing keys. */
export const keys = defineGroup({
  summary: 'List and rotate the signing keys',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})

function printKeys({ keys }: Resource): void {
  printTable(
    objectsIn(keys),
    {
      Kid: ({ kid }) => String(kid),
      Alg: ({ alg }) => String(alg),
      State: ({ state }) => String(state),
      Created: ({ created_at }) => formatTime(created_at),
      'Active since': ({ active_since }) => formatTime(active_since),
      'Published until': ({ removed_at }) => formatTime(removed_at),
    },
    'There are no keys yet: they are created when the service first needs them.',
  )
}
