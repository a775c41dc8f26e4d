/** What one job uses of everything that is billed, except CPU. */
export interface Usage {
  requests: number
  objectRequests: number
  objectRowsRead: number
  objectRowsWritten: number
  directoryRowsRead: number
  directoryRowsWritten: number
  kvReads: number
  /** Writes, deletes and lists, which have the same price. */
  kvWrites: number
}

/** What the metered service reports about the requests since the last report. */
export interface UsageReport {
  usage: Usage
  /** The storage calls a response had to wait for one after another. */
  sequentialCalls: number
  stored: StoredBytes
}

/** The current size of each store. */
export interface StoredBytes {
  /** The SQLite database of the user's object that was called last. */
  userObject: number
  userObjectPages: number
  /** The D1 database, with all users. */
  directory: number
  /** The last value written to KV, with its key. */
  kvEntry: number
}

/**
 * The path at which the metered service reports. The parameter `advance` puts its clock forward, in
 * seconds.
 */
export const USAGE_PATH = '/bench/usage'
