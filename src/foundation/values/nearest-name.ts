/** More typing mistakes than these make another name. */
const MAX_DISTANCE = 2

/** The name that was probably meant, if one differs by a typing mistake or two only. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, distance: editDistance(name, known) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.known
}

/** How many characters have to be inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + Number(character !== to[j])
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
