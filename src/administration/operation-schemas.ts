import * as z from 'zod/mini'

const MAX_PAGE_LENGTH = 200
const DEFAULT_PAGE_LENGTH = 50

export type OperationSchemas = ReturnType<typeof createOperationSchemas>

/** The schemas that several operations use. */
export function createOperationSchemas() {
  const text = z.string()
  const optionalText = z.optional(text)
  const count = z.coerce.number().check(z.multipleOf(1), z.gte(0))
  /** In seconds since 1970. */
  const time = count
  const optionalTime = z.optional(time)
  const texts = z.array(text)
  const page = (maxLength = MAX_PAGE_LENGTH) => ({
    cursor: optionalText,
    limit: z._default(
      z.coerce.number().check(z.multipleOf(1), z.gte(1), z.lte(maxLength)),
      DEFAULT_PAGE_LENGTH,
    ),
  })
  const fields = z.looseObject({})
  const list = <Item extends z.ZodMiniType>(item: Item) =>
    z.object({ items: z.array(item), next_cursor: optionalText })

  /** What every registration has besides its own fields. */
  const registration = {
    source: z.enum(['settings', 'database']),
    created_at: optionalTime,
    updated_at: optionalTime,
  }

  const auditEntry = z.object({
    id: text,
    at: time,
    event: text,
    outcome: text,
    actor: text,
    subject: optionalText,
    client: optionalText,
    provider: optionalText,
    network: optionalText,
    request_id: optionalText,
    detail: optionalText,
  })
  return {
    text,
    optionalText,
    texts,
    count,
    time,
    optionalTime,
    page,
    fields,
    list,
    registration,
    auditEntry,
  }
}
