/** The format of a user's object. An object without the key `version` has the first format. */
export const FORMAT_VERSION = 1

/**
 * Storage of a newer version is not touched, because this version could lose data it does not know
 * about.
 */
export function rejectNewerFormat({ kv }: DurableObjectStorage): void {
  const version = kv.get<number>('version') ?? 1
  if (version > FORMAT_VERSION) throw new Error('A newer version has written this object.')
}
