import { expect, vi } from 'vitest'

/** A function for the service to call, which never returns. */
export function hangingCall() {
  const onCall = vi.fn()
  return {
    call: () => {
      onCall()
      return new Promise<never>(() => undefined)
    },
    /**
     * Sends a request during which the service calls the function. Expects the response so many
     * milliseconds after the call, neither earlier nor later. The timers stand still until then, so
     * that nobody has to wait.
     */
    async endsAfter(milliseconds: number, send: () => Promise<Response>): Promise<Response> {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const onResponse = vi.fn()
      const responding = send().finally(onResponse)
      while (onCall.mock.calls.length === 0) {
        await vi.advanceTimersByTimeAsync(0)
        await scheduler.wait(1)
      }
      await vi.advanceTimersByTimeAsync(milliseconds - 1)
      expect(onResponse).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      return responding
    },
  }
}
