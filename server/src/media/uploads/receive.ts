// Receives an upload's bytes and stores them completely or not at all.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { inTenant } from '../../platform/ids.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { type UseFile, claimUpload, keepUpload, releaseUpload } from '../claim.ts'
import type { Deps } from '../deps.ts'
import type { ClaimedUpload, UploadRow } from '../queries.ts'
import { stagingDirectory } from '../storage/create-storage.ts'
import { type CheckedImage, withCheckedImage } from './check-image.ts'
import { HeldBodies, holdBody } from './held-body.ts'
import { type Pace, stageBody, watchPace } from './staged-body.ts'

type OpenBody = () => Promise<Readable> | Readable
type Keep = (upload: ClaimedUpload, image: CheckedImage) => Promise<void>

const held = new HeldBodies()

/** Uploads whose bytes are in memory and that are not claimed yet, by tenant and id. */
const arriving = new Set<string>()

/**
 * Keeps two senders of this process apart before the upload is claimed in the database.
 * @returns a function to call once the upload is claimed or given up.
 */
function arrive(key: string): () => void {
  if (arriving.has(key)) throw new ApiError('upload_under_way')
  arriving.add(key)
  let isArriving = true
  return () => {
    if (isArriving) arriving.delete(key)
    isArriving = false
  }
}

/** Runs the code that stores an upload's bytes, and releases the upload if it fails. */
async function orRelease(deps: Deps, upload: ClaimedUpload, run: (beforeKeeping: () => void) => Promise<void>) {
  let mayHaveBytes = false
  try {
    await run(() => void (mayHaveBytes = true))
  } catch (error) {
    await releaseUpload(deps, upload, mayHaveBytes)
    throw error
  }
}

/** Receives the bytes in memory and claims the upload only once they are known to be good, so that refused bytes cause no write. */
async function receiveHeld(deps: Deps, found: UploadRow, openBody: OpenBody, pace: Pace, keep: Keep) {
  const leave = arrive(inTenant(found.tenant_id, found.id))
  try {
    const bytes = await holdBody(await openBody(), found.size, pace)
    pace.stop()
    const { tenant_id: tenantId, mime, size } = found
    await withCheckedImage({ tenantId, mime, size, load: async () => bytes }, async (image) => {
      const upload = await claimUpload(deps, found)
      leave()
      await orRelease(deps, upload, (beforeKeeping) => {
        beforeKeeping()
        return keep(upload, image)
      })
    })
  } finally {
    leave()
  }
}

/** Claims the upload before reading a byte, so that only one sender's bytes are written to the disk. */
async function receiveStaged(deps: Deps, found: UploadRow, openBody: OpenBody, pace: Pace, keep: Keep) {
  const upload = await claimUpload(deps, found)
  const directory = stagingDirectory(deps.config)
  const staged = join(directory, upload.claim)
  await orRelease(deps, upload, async (beforeKeeping) => {
    try {
      makeFolder(directory)
      await stageBody(staged, await openBody(), upload.size, pace)
      pace.stop()
      const { tenant_id: tenantId, mime, size } = upload
      await withCheckedImage({ tenantId, mime, size, load: () => readFile(staged) }, async (image) => {
        beforeKeeping()
        await keep(upload, image)
      })
    } finally {
      await rm(staged, { force: true })
    }
  })
}

/**
 * Receives, checks and stores the bytes of an upload; refused bytes leave nothing behind.
 * @param found the upload as it was just read.
 * @param use uses the new file; if it throws, there is no file.
 * @throws ApiError not_found, upload_finished, upload_under_way, payload_too_large, validation_failed, image_too_large, request_timeout,
 * malformed_request; TooManyWaiting
 */
export async function receiveUpload(
  deps: Deps,
  found: UploadRow,
  openBody: OpenBody,
  actor: Actor,
  use?: UseFile,
): Promise<void> {
  const pace = watchPace()
  const keep: Keep = (upload, image) => keepUpload(deps, upload, image, actor, use)
  const isHeld = held.take(found.size)
  try {
    await (isHeld ? receiveHeld : receiveStaged)(deps, found, openBody, pace, keep)
  } finally {
    if (isHeld) held.giveBack(found.size)
    pace.stop()
  }
}
