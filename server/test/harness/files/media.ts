// What tests check behind uploads: the disk, and the job that removes bytes.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { precomputeHandler, precomputeJobKind } from '../../../src/media/delivery/precompute.ts'
import { removeBytesHandler, removeBytesJobKind } from '../../../src/media/remove-bytes.ts'
import { completeDirectHandler } from '../../../src/media/uploads/complete-direct.ts'
import { completeDirectJobKind } from '../../../src/media/uploads/uploads.ts'
import { createJobRunner } from '../../../src/platform/jobs/runner.ts'
import type { TestService } from '../service.ts'

/** Every file below the media folder, of all tenants. */
export function filesOnDisk({ deps }: TestService): string[] {
  const root = join(deps.config.dataDir, 'media')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

export async function runMediaJobs({ deps }: TestService) {
  const runner = createJobRunner(deps, {
    [removeBytesJobKind]: removeBytesHandler(deps),
    [completeDirectJobKind]: completeDirectHandler(deps),
    [precomputeJobKind]: precomputeHandler(deps),
  })
  while ((await runner.claim()) > 0) await runner.idle()
}

export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
