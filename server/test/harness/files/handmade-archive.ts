// The smallest archive: a tenant and nothing in it. Its key is cheap to derive, unlike that of an export.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { hashRawSync } from '@node-rs/argon2'
import { migrations } from '../../../src/platform/db/migrations/index.ts'
import { newHeader } from '../../../src/service/tenant-archive/archive-header.ts'
import { type ArchiveRow, lineText } from '../../../src/service/tenant-archive/archive-lines.ts'
import { sealFrame } from '../../../src/service/tenant-archive/sealed-frames.ts'

export const handmadePassphrase = 'made by hand for a test'
const cost = { memoryKiB: 8, passes: 1, lanes: 1 }

/** No two tenants of a deployment were created at the same moment. */
const someTime = () => `2026-01-0${randomInt(1, 10)}T00:00:${randomInt(10, 60)}.${randomInt(100_000, 1_000_000)}Z`

function tenantRow(id: string): ArchiveRow {
  const at = someTime()
  const slug = `handmade-${id.slice(-15)}`.toLowerCase()
  return {
    id,
    kind: 'tenant',
    name: 'Made by hand',
    name_key: 'made by hand',
    slug,
    slug_key: slug,
    public_key: `pk_dev_${randomBytes(24).toString('hex')}`,
    auth_id: `c${randomBytes(12).toString('hex')}`,
    environment: 'development',
    brand: '{}',
    auth_version: 1,
    created_at: at,
    updated_at: at,
  }
}

/** @param edit what the archive has instead of the tenant's row. */
export function handmadeArchive(tenantId: string, edit = (row: ArchiveRow): readonly ArchiveRow[] => [row]): Buffer {
  const usual = newHeader(tenantId, someTime(), migrations.at(-1)?.id ?? '')
  const kdf = { ...usual.kdf, ...cost }
  const header = Buffer.from(`${JSON.stringify({ ...usual, kdf })}\n`)
  const key = hashRawSync(handmadePassphrase, {
    memoryCost: kdf.memoryKiB,
    timeCost: kdf.passes,
    parallelism: kdf.lanes,
    outputLen: 32,
    salt: Buffer.from(kdf.salt, 'base64'),
  })
  const rows = edit(tenantRow(tenantId))
  const lines = rows.map((row) => lineText({ kind: 'row', table: 'tenants', row })).join('')
  const sha256 = createHash('sha256').update(lines).digest('hex')
  const text = lines + lineText({ kind: 'end', rows: { tenants: rows.length }, sha256 })
  return Buffer.concat([header, sealFrame({ key, header }, 0, true, Buffer.from(text))])
}
