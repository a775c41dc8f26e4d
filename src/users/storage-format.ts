/**
 * The format of a user's object. It is stored, so that a later version can recognise and convert
 * it.
 */
export const FORMAT_VERSION = 1

/**
 * Storage of a newer version is not touched, because this version could lose data it does not know
 * about.
 */
export function rejectNewerFormat({ kv }: DurableObjectStorage): void {
  const version = kv.get<number>('version') ?? FORMAT_VERSION
  if (version > FORMAT_VERSION) throw new Error('A newer version has written this object.')
}

/** To be called before anything is stored. */
export function writeFormat({ kv }: DurableObjectStorage): void {
  if (kv.get('version') === undefined) kv.put('version', FORMAT_VERSION)
}
