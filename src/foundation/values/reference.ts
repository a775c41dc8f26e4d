import { nowInSeconds } from './clock.ts'

/**
 * No vowels, so that a reference is not a word or a name, and neither 0, 1 nor L, so that it can be
 * read out on the phone.
 */
const CHARACTERS = '23456789BCDFGHJKMNPQRSTVWXZ'
const BASE = CHARACTERS.length

/**
 * The first group is the half hour in which the reference was created, so that a search reads only
 * the entries of that time. It repeats after thirty years; no entry is kept for so long.
 */
const TIME_LENGTH = 4
const TIME_STEP = 1800 // seconds
const TIME_PERIOD = TIME_STEP * BASE ** TIME_LENGTH

/** 38 bits, enough to find one request among those of half an hour. */
const RANDOM_LENGTH = 8

/** A request records everything within this time, including what it does after its response. */
const MAX_DURATION = 600 // seconds

/** The clock of a machine may be set back while it handles a request. */
const CLOCK_SKEW = 60 // seconds

const LENGTH = TIME_LENGTH + RANDOM_LENGTH

/** Version 0.1.0 created two groups of five random characters. */
const FORMER_LENGTH = 10

/** A new reference, by which users and operators name one request. */
export function createReference(): string {
  let time = Math.floor(nowInSeconds() / TIME_STEP)
  let characters = ''
  for (let index = 0; index < TIME_LENGTH; index++) {
    characters = CHARACTERS.charAt(time % BASE) + characters
    time = Math.floor(time / BASE)
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
    characters += CHARACTERS.charAt(byte % BASE)
  }
  return inGroups(characters)
}

/**
 * Reads a reference in lower case, with spaces or without its hyphens, as users read it out or type
 * it. Returns undefined if it is none.
 */
export function parseReference(text: string): string | undefined {
  const characters = text.toUpperCase().replace(/[\s-]/g, '')
  const isReference =
    [LENGTH, FORMER_LENGTH].includes(characters.length) &&
    [...characters].every((character) => CHARACTERS.includes(character))
  return isReference ? inGroups(characters) : undefined
}

/** Three groups of four characters, or two of five. */
function inGroups(characters: string): string {
  return characters.replaceAll(characters.length === LENGTH ? /.{4}(?=.)/g : /.{5}(?=.)/g, '$&-')
}

/**
 * When the request with this reference may have recorded something, in seconds since 1970. Undefined
 * for a reference of version 0.1.0, which may be from any time.
 */
export function referencePeriod(reference: string): { since: number; until: number } | undefined {
  const characters = reference.replaceAll('-', '')
  if (characters.length !== LENGTH) return undefined
  let steps = 0
  for (const character of characters.slice(0, TIME_LENGTH)) {
    steps = steps * BASE + CHARACTERS.indexOf(character)
  }
  const now = nowInSeconds() + CLOCK_SKEW
  const start = now - ((now - steps * TIME_STEP) % TIME_PERIOD)
  return { since: start - CLOCK_SKEW, until: start + TIME_STEP + MAX_DURATION }
}
