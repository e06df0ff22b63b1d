// Takes in the file of an import. It has no name while it is read, so nothing of it is left however the process ends.
import { type FileHandle, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import {
  archiveBytesMax,
  archivePassphraseLengthMax,
  archivePassphraseLengthMin,
  aroundFileBytesMax,
} from '@bailiwick/contract'
import { fileOfMultipart } from '../../media/uploads/multipart.ts'
import type { Config } from '../../platform/config.ts'
import { isDiskFull } from '../../platform/db/sqlite/disk-full.ts'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { openUnnamed } from '../../platform/unnamed-file.ts'

export interface ReceivedArchive {
  /** Whoever receives the archive closes it. */
  readonly file: FileHandle
  readonly passphrase: string
  /** Whether domains arrive verified if the archive says so. */
  readonly trustDomains: boolean
}

/** Left free on the disk, for the database and everything else. */
const reservedBytes = 256 * 1024 * 1024

const tooLarge = (roomBytes: number) =>
  new ApiError('payload_too_large', {
    detail: `The archive is larger than the ${roomBytes} bytes that are free for it.`,
  })

function checkPassphrase(given: string | undefined): string {
  const path = '/passphrase'
  if (given === undefined) throw invalid(path, 'required', 'is required, and must come before the file')
  const [min, max] = [archivePassphraseLengthMin, archivePassphraseLengthMax]
  if (given.length < min) throw invalid(path, 'too_short', `must have at least ${min} characters`)
  if (given.length > max) throw invalid(path, 'too_long', `must have at most ${max} characters`)
  return given
}

function checkTrust(given: string): boolean {
  if (given === 'true' || given === 'false') return given === 'true'
  throw invalid('/trustDomains', 'invalid_value', 'must be one of true, false')
}

/**
 * Reads the form of an import to its end.
 * @param bytesMax the largest archive, if the disk has room for it.
 * @throws ApiError payload_too_large, unsupported_media_type or validation_failed
 */
export async function receiveArchive(
  { dataDir }: Pick<Config, 'dataDir'>,
  request: IncomingMessage,
  bytesMax: number = archiveBytesMax,
): Promise<ReceivedArchive> {
  const folder = join(dataDir, 'imports')
  makeFolder(folder)
  const { bavail, bsize } = await statfs(folder)
  const roomBytes = Math.max(0, Math.min(bytesMax, bavail * bsize - reservedBytes))
  if (Number(request.headers['content-length'] ?? 0) > roomBytes + aroundFileBytesMax) throw tooLarge(roomBytes)
  let passphrase: string | undefined
  let trustDomains = false
  const content = await fileOfMultipart(request, (name, value) => {
    if (name === 'passphrase') passphrase = value
    if (name === 'trustDomains') trustDomains = checkTrust(value)
  })
  const file = await openUnnamed(folder)
  try {
    let bytes = 0
    for await (const chunk of content as AsyncIterable<Buffer>) {
      checkPassphrase(passphrase)
      bytes += chunk.length
      if (bytes > roomBytes) throw tooLarge(roomBytes)
      await file.writeFile(chunk)
    }
    return { file, passphrase: checkPassphrase(passphrase), trustDomains }
  } catch (error) {
    await file.close()
    if (isDiskFull(error)) throw tooLarge(roomBytes)
    if (request.destroyed && !(error instanceof ApiError)) throw new ApiError('malformed_request', { cause: error })
    throw error
  }
}
