import { describe, expect, it } from 'vitest'
import { listFields } from '../../src/administration/entered-fields.ts'
import { apiSchema } from '../../src/core/registration-schemas/apis.ts'
import { clientSchema } from '../../src/core/registration-schemas/clients.ts'

describe('the fields that administrators enter', () => {
  it.each([
    ['a client', clientSchema(), ['client_secrets_sha256']],
    ['an API', apiSchema(), []],
  ])('are all fields of %s, except what the service creates', (_noun, { shape }, created) => {
    const entered = listFields({ shape }).map(({ name }) => name)

    expect([...entered, ...created].sort()).toEqual(Object.keys(shape).sort())
  })
})
