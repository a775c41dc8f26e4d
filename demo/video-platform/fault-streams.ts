const CHUNK = 64 * 1024
const TWENTY_SECONDS = 20 * 1000

type Controller = ReadableStreamDefaultController<Uint8Array>

/** JSON that never closes its first string: grows for as long as someone reads. */
export function endless(life: AbortSignal): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(CHUNK).fill('a'.charCodeAt(0))
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"endless":"'))
      endWith(life, controller)
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      controller.enqueue(chunk)
    },
  })
}

/** The first half of a text, then silence: longer than anyone should wait. */
export function hangAfter(text: string, life: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {}
  return new ReadableStream({
    start(controller) {
      controller.enqueue(firstHalf(text))
      // A timer, because workerd gives up on a request that waits for nothing.
      const timer = setTimeout(() => controller.error(brokenOff()), TWENTY_SECONDS)
      stop = () => clearTimeout(timer)
      life.addEventListener('abort', stop)
      endWith(life, controller)
    },
    cancel: () => stop(),
  })
}

/** The first half of a text, then a broken connection. */
export function resetAfter(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller: Controller) => controller.enqueue(firstHalf(text)),
    pull: (controller: Controller) => controller.error(brokenOff()),
  })
}

/** A reset of the stand-in lets go of the answers it still holds, or a test run could not end. */
function endWith(life: AbortSignal, controller: Controller): void {
  life.addEventListener('abort', () => controller.error(brokenOff()))
}

function brokenOff(): Error {
  return new Error('The stand-in broke off its answer.')
}

function firstHalf(text: string): Uint8Array {
  return new TextEncoder().encode(text.slice(0, Math.ceil(text.length / 2)))
}
