import { base64url } from 'jose'
import type { RegistrationRecord } from '../registrations/registration-store.ts'
import { HttpProblem } from './http-problem.ts'

/** A client or API in a response: the fields of its registration, and what is stored about it. */
export function registrationResource({ id: _, registration, ...stored }: RegistrationRecord) {
  return { ...registration, ...toSnakeCase(stored) }
}

/** The same value with names such as `created_at` instead of `createdAt`, at every level. */
export function toSnakeCase<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toSnakeCase) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, field]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    toSnakeCase(field),
  ])
  return Object.fromEntries(entries)
}

interface Page {
  cursor?: string | undefined
  limit: number
}

/** A page of a list. The cursor is opaque: the encoded id of the last item of the page before. */
export function paginate<Item extends { id: string }>(
  items: readonly Item[],
  { cursor, limit }: Page,
): { items: Item[]; next_cursor?: string } {
  const encode = ({ id }: Item) => base64url.encode(id)
  const start = cursor === undefined ? 0 : items.findIndex((item) => encode(item) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new HttpProblem(400, 'The cursor does not belong to this list, or its item was deleted.')
  }
  const page = items.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = start + limit < items.length
  return { items: page, ...(hasMore && last && { next_cursor: encode(last) }) }
}
