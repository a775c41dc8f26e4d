/** What one object stores. */
export interface ObjectReport {
  records: number
  bytes: number
}

/** Everything that the service stores. */
export interface StorageReport {
  /** By binding; only objects that store something. */
  objects: Record<string, ObjectReport & { objects: number }>
  /** The copies of sessions in KV, and how many have ever been written. */
  copies: { present: number; written: number; bytesWritten: number }
  /** The number of rows in each table of D1. */
  tables: Record<string, number>
  directoryBytes: number
}

/**
 * The path at which the growing service reports. With the parameter `advance`, it puts its clock
 * forward instead, in seconds, and runs the alarms that are due. After `ends`, new entries of the
 * audit log are not counted.
 */
export const GROWTH_PATH = '/bench/growth'
