/** Bytes. */
const CHUNK_SIZE = 64 * 1024

/** Milliseconds; longer than any client should wait. */
const STALL_DURATION = 20 * 1000

type Controller = ReadableByteStreamController

/** JSON whose first string never ends. It grows for as long as the client reads. */
export function endlessStream(resetSignal: AbortSignal): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_SIZE).fill('a'.charCodeAt(0))
  return new ReadableStream({
    type: 'bytes',
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"endless":"'))
      abortOnReset(resetSignal, controller)
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      controller.enqueue(chunk.slice()) // It is transferred.
    },
  })
}

/** Sends the first half of a text, then nothing more. */
export function stallingStream(text: string, resetSignal: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {}
  return new ReadableStream({
    type: 'bytes',
    start(controller) {
      controller.enqueue(firstHalf(text))
      // The timer is needed because workerd cancels a request that is not waiting for anything.
      const timer = setTimeout(() => controller.error(abortError()), STALL_DURATION)
      stop = () => clearTimeout(timer)
      resetSignal.addEventListener('abort', stop)
      abortOnReset(resetSignal, controller)
    },
    cancel: () => stop(),
  })
}

/** Sends the first half of a text, then closes the connection. */
export function resettingStream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    start: (controller: Controller) => controller.enqueue(firstHalf(text)),
    pull: (controller: Controller) => controller.error(abortError()),
  })
}

/** Ends the open responses when the stand-in is reset. Otherwise a test run could not finish. */
function abortOnReset(resetSignal: AbortSignal, controller: Controller): void {
  resetSignal.addEventListener('abort', () => controller.error(abortError()))
}

function abortError(): Error {
  return new Error('The stand-in aborted the response.')
}

function firstHalf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text.slice(0, Math.ceil(text.length / 2))))
}
