/**
 * Wrangler uploads a `.txt` file that is imported as a module of its own, whose default export is
 * the text.
 */
declare module '*.txt' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: it is the only export of such a module.
  export default text
}
