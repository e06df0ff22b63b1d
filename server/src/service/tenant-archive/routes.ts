import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { Content } from '../../platform/http/answer.ts'
import { ndjsonType } from '../../platform/http/body/ndjson.ts'
import type { Health } from '../../platform/http/health.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { receiveArchive } from './receive-archive.ts'
import { Places, downloadArchive, importArchive } from './transfer.ts'

const downloadsMax = 2
/** On SQLite an import takes any other of the same tenant for one that was killed, so there must not be two. */
const importsMax = 1
/** A reader that takes nothing for so long is gone, and would keep the database from cleaning up. */
const idleMs = 60_000

export function tenantArchiveRoutes({ handle }: Management, deps: Deps, health: Health) {
  const downloads = new Places(downloadsMax)
  const imports = new Places(importsMax)
  const stopping = new AbortController()
  health.onStop(() => stopping.abort())

  handle(endpoints.exportTenant, async ({ tenantId, body, actor, reply }) => {
    const leave = downloads.take()
    try {
      const archive = await downloadArchive(deps, tenantId, body.passphrase, actor, leave)
      reply.raw.setTimeout(idleMs, () => archive.destroy())
      reply.header('content-disposition', `attachment; filename="${tenantId}.bailiwick"`)
      return new Content('application/octet-stream', archive)
    } catch (error) {
      leave()
      throw error
    }
  })

  handle(endpoints.importTenant, async (call) => {
    const { actor, request, reply } = call
    const leave = imports.take()
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort())
    try {
      const received = await receiveArchive(deps.config, request.raw)
      const signal = AbortSignal.any([closed.signal, stopping.signal])
      const lines = await importArchive(deps, received, actor, signal, (line) => call.serialize(line), leave)
      return new Content(`${ndjsonType}; charset=utf-8`, lines)
    } catch (error) {
      leave()
      throw error
    }
  })
}
