/** Random numbers that a seed determines. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.next() * items.length)]
  }

  /** One of these names, with a probability that is proportional to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[]
    let rest = this.next() * names.reduce((sum, name) => sum + weights[name], 0)
    const chosen = names.find((name) => {
      rest -= weights[name]
      return rest < 0
    })
    return chosen ?? (names[0] as Name)
  }

  /** Numbers for another part of the run, so that it does not depend on the order of requests. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
