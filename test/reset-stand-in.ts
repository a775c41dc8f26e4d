const { fetch } = globalThis

/** Whether the stand-in has received no request since it was reset. */
let isUnused = false

globalThis.fetch = (...request: Parameters<typeof fetch>) => {
  isUnused = false
  return fetch(...request)
}

/** Makes the stand-in forget what tests have changed. Most tests have sent nothing to it. */
export async function resetStandIn(): Promise<void> {
  if (isUnused) return
  await fetch('https://www.tiktok.com/__stand-in/reset', { method: 'POST' })
  isUnused = true
}
