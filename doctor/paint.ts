const COLOURS = { bold: 1, red: 31, green: 32, yellow: 33, grey: 90 }

/** Colours a word for who looks at a terminal, and for nobody else ({@link https://no-color.org}). */
export function paint(colour: keyof typeof COLOURS, text: string): string {
  const isSeen = process.stdout.isTTY && !process.env['NO_COLOR']
  return isSeen ? `\u001B[${COLOURS[colour]}m${text}\u001B[0m` : text
}
