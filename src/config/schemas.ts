import * as z from 'zod/mini'

/** What a text must keep to, and what is said of one that does not. */
export type Rule = readonly [isKept: (text: string) => boolean, complaint: string]

export const NOT_EMPTY: Rule = [(text) => text !== '', 'is empty.']

/** A name that fits on a button. */
export const SHORT: Rule = [(text) => text.length <= 64, 'is too long.']

/** A text of the configuration. */
export function text(...rules: readonly Rule[]) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing.' : 'must be text.') })
    .check(...rules.map(([isKept, error]) => z.refine<string>(isKept, { error })))
}

/** One of these words. */
export function oneOf<Word extends string>(...words: Word[]) {
  return z.custom<Word>((value) => words.some((word) => word === value), {
    error: `must be ${words.join(' or ')}.`,
  })
}

export const flag = z.custom<boolean>((value) => typeof value === 'boolean', {
  error: 'must be true or false.',
})

export const number = z.custom<number>(Number.isFinite)
