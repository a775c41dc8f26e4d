import { describe, expect, it } from 'vitest'
import { OPERATIONS as COMMAND_OPERATIONS } from '../../../cli/admin/operations.ts'
import { createConsole } from '../../../src/features/admin/console/routes.tsx'
import { listSections } from '../../../src/features/admin/console/sections.ts'
import { declared } from '../../deployment.ts'
import { operations } from './operations.ts'

describe('the operations of all features', () => {
  it('are those that the commands know, except the description of the API', () => {
    const ids = operations.map(({ id }) => id).filter((id) => id !== 'getOpenApi')

    // The tested deployment has no second factor.
    expect(Object.keys(COMMAND_OPERATIONS).toSorted()).toEqual([...ids, 'resetTotp'].toSorted())
  })

  it('say what they have done, if they have a button and show no result', () => {
    const silent = operations
      .filter(({ button, done }) => button !== undefined && done === undefined)
      .map(({ id }) => id)

    expect(silent).toEqual([
      'rotateClientSecret',
      'exportUser',
      'testProvider',
      'rotateWebhookSecret',
    ])
  })

  it('have a section of the console if they have a button', () => {
    const sections = listSections(declared.features)

    expect(() => createConsole({ operations, sections, signIn: false })).not.toThrow()
    expect(() =>
      createConsole({
        operations,
        sections: sections.filter(({ id }) => id !== 'webhooks'),
        signIn: false,
      }),
    ).toThrow('No section of the console has the path of deleteWebhook.')
  })
})
