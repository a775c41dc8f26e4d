/** The lowest level and the first mask, with their own correction. */
const FORMAT = 0b111011111000100

/** The squares of a QR code: first those that never change, then the words between them. */
export class QrGrid {
  readonly #version: number
  readonly #size: number
  /** Undefined where a word may be written. */
  readonly #dark: (boolean | undefined)[][]

  constructor(version: number) {
    this.#version = version
    this.#size = version * 4 + 17
    this.#dark = Array.from({ length: this.#size }, () => Array(this.#size).fill(undefined))
  }

  draw(words: readonly number[]): boolean[][] {
    this.#drawPatterns()
    this.#drawFormat()
    if (this.#version > 6) this.#drawVersion()
    this.#place(words)
    return this.#dark.map((row) => row.map(Boolean))
  }

  #set(x: number, y: number, isDark: boolean): void {
    const row = this.#dark[y]
    if (row && x >= 0 && x < this.#size) row[x] = isDark
  }

  #square(x: number, y: number, radius: number, lightRings: readonly number[]): void {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        this.#set(x + dx, y + dy, !lightRings.includes(ring))
      }
  }

  /** Two dotted lines, three large squares in the corners, and small ones in between. */
  #drawPatterns(): void {
    const far = this.#size - 4
    for (let at = 0; at < this.#size; at++) {
      this.#set(6, at, at % 2 === 0)
      this.#set(at, 6, at % 2 === 0)
    }
    this.#square(3, 3, 4, [2, 4])
    this.#square(far, 3, 4, [2, 4])
    this.#square(3, far, 4, [2, 4])
    const marks = this.#marks()
    const isCorner = (x: number, y: number) =>
      [x, y].every((at) => at === 6 || at === this.#size - 7) && x + y < 2 * this.#size - 14
    for (const x of marks) for (const y of marks) if (!isCorner(x, y)) this.#square(x, y, 2, [1])
  }

  /** Where the small squares stand, in both directions. */
  #marks(): number[] {
    if (this.#version === 1) return []
    const count = Math.floor(this.#version / 7) + 2
    const step = Math.ceil((this.#version * 4 + 4) / (count * 2 - 2)) * 2
    const others = Array.from({ length: count - 1 }, (_, index) => this.#size - 7 - index * step)
    return [6, ...others]
  }

  /** Level and mask, written twice. */
  #drawFormat(): void {
    for (let bit = 0; bit < 15; bit++) {
      const isDark = ((FORMAT >> bit) & 1) === 1
      this.#set(8, bit < 6 ? bit : bit < 8 ? bit + 1 : this.#size - 15 + bit, isDark)
      this.#set(bit < 8 ? this.#size - 1 - bit : bit === 8 ? 7 : 14 - bit, 8, isDark)
    }
    this.#set(8, this.#size - 8, true)
  }

  #drawVersion(): void {
    let rest = this.#version
    for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
    for (let bit = 0; bit < 18; bit++) {
      const isDark = ((((this.#version << 12) | rest) >> bit) & 1) === 1
      const [along, across] = [Math.floor(bit / 3), this.#size - 11 + (bit % 3)]
      this.#set(across, along, isDark)
      this.#set(along, across, isDark)
    }
  }

  /** Bit by bit, in columns two wide that go up and down from the right. */
  #place(words: readonly number[]): void {
    let at = 0
    for (const [x, y] of this.#path()) {
      if (this.#dark[y]?.[x] !== undefined) continue
      const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
      this.#set(x, y, (bit === 1) !== ((x + y) % 2 === 0))
      at += 1
    }
  }

  *#path(): Generator<[x: number, y: number]> {
    for (let column = 0; column * 2 < this.#size - 1; column++) {
      // The dotted line takes a column of its own.
      const right = this.#size - 1 - column * 2
      const x = right > 6 ? right : right - 1
      for (let step = 0; step < this.#size; step++) {
        const y = column % 2 === 0 ? this.#size - 1 - step : step
        yield [x, y]
        yield [x - 1, y]
      }
    }
  }
}
