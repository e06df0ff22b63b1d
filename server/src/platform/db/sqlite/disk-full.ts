import { DatabaseUnavailable } from '../database.ts'

/** IOERR, FULL and CANTOPEN: SQLite's codes for a file that cannot be created or grow. */
const sqliteCodes = new Set([10, 13, 14])
const systemCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Returns whether the error, or its cause, says that nothing more can be written to the disk. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('errcode' in cause && typeof cause.errcode === 'number' && sqliteCodes.has(cause.errcode & 0xff)) return true
    if ('code' in cause && systemCodes.has(String(cause.code))) return true
  }
  return false
}

/** For a running service, which notices by itself that there is room again. */
export const fullDisk = (dataDir: string, cause: unknown) =>
  new DatabaseUnavailable(`the disk of ${dataDir} is full: free some space`, { cause })

export const noRoom = (dataDir: string) =>
  new DatabaseUnavailable(`the disk of ${dataDir} is full: free some space and start the service again`)
