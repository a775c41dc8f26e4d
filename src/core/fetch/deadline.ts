/**
 * Waits for work, at most for so many milliseconds. Then this error is thrown, and the result
 * ignored.
 */
export async function withDeadline<Result>(
  work: Result,
  milliseconds: number,
  createError: () => Error,
): Promise<Awaited<Result>> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(createError()), milliseconds)
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
