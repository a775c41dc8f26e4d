import { base64url } from 'jose'
import { HttpProblem } from './http-problem.ts'
import type { RegistrationRecord } from './registrations/registration-store.ts'

/** A client or API in a response: the fields of its registration, and what is stored about it. */
export function registrationResource({ id: _, registration, ...stored }: RegistrationRecord) {
  return { ...registration, ...toSnakeCase(stored) }
}

/** A page of a list in a response. */
export interface ListPage<Item> {
  items: Item[]
  /** Present if there are more. */
  next_cursor?: string | undefined
}

type SnakeName<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name

type SnakeCase<Value> = Value extends readonly (infer Item)[]
  ? SnakeCase<Item>[]
  : Value extends object
    ? { [Name in keyof Value as SnakeName<Name>]: SnakeCase<Value[Name]> }
    : Value

/** The same value with names such as `created_at` instead of `createdAt`, at every level. */
export function toSnakeCase<Value>(value: Value): SnakeCase<Value>
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toSnakeCase(item))
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
export function paginate<Item>(
  items: readonly Item[],
  { cursor, limit }: Page,
  idOf: (item: Item) => string,
): ListPage<Item> {
  const encode = (item: Item) => base64url.encode(idOf(item))
  const start = cursor === undefined ? 0 : items.findIndex((item) => encode(item) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new HttpProblem(400, 'The cursor does not belong to this list, or its item was deleted.')
  }
  const page = items.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = start + limit < items.length
  return { items: page, ...(hasMore && last && { next_cursor: encode(last) }) }
}
