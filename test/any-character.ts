import * as fc from 'fast-check'

const SURROGATES = 0xd800
const SURROGATES_END = 0xdfff
const COUNT = SURROGATES_END - SURROGATES + 1

/**
 * Any character of Unicode. fast-check's own unit `binary` builds a table of all of them, which
 * takes a second.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - COUNT })
  .map((value) => String.fromCodePoint(value < SURROGATES ? value : value + COUNT))
