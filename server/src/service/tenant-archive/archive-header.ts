// The first line of an archive, the only one in the clear: what is needed to derive the key, and whose data it is. Every frame is bound to
// its bytes, so it cannot be changed either.
import { randomBytes } from 'node:crypto'
import { isId, isTimestamp } from '@bailiwick/contract'
import { argon2Library } from '../../platform/crypto/password.ts'
import { ArchiveError } from './archive-error.ts'

export const format = 'bailiwick tenant'
export const version = 2
/** Version 1 contained no pictures. */
const readableVersions: readonly unknown[] = [1, version]
const keyBytes = 32
const saltBytes = 16
/** RFC 9106 §4, the second recommendation: 64 MiB, three passes, but in one lane. */
const cost = { memoryKiB: 65_536, passes: 3, lanes: 1 } as const
export interface ArchiveHeader {
  readonly format: typeof format
  readonly version: number
  readonly tenantId: string
  readonly createdAt: string
  /** The last migration of the database that was exported. */
  readonly schema: string
  readonly kdf: {
    readonly name: 'argon2id'
    readonly memoryKiB: number
    readonly passes: number
    readonly lanes: number
    /** In Base64. A salt of its own gives each file its own key, so that counting nonces is safe. */
    readonly salt: string
  }
}

export const newHeader = (tenantId: string, createdAt: string, schema: string): ArchiveHeader => ({
  format,
  version,
  tenantId,
  createdAt,
  schema,
  kdf: { name: 'argon2id', ...cost, salt: randomBytes(saltBytes).toString('base64') },
})

const isWhole = (value: unknown, min: number) => typeof value === 'number' && Number.isInteger(value) && value >= min

/** All exports so far require the same. Nothing authenticates the header before its key is derived. */
const isTooExpensive = (kdf: ArchiveHeader['kdf']) =>
  kdf.memoryKiB > cost.memoryKiB || kdf.passes > cost.passes || kdf.lanes > cost.lanes

/** The id is shown, and used for rows and events; the tenants of exports have ids that this service made. */
const isTenantId = (text: string) => isId(text) && /^[a-z\d]+$/i.test(text)

function isKdf(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const kdf = value as Record<string, unknown>
  return (
    kdf['name'] === 'argon2id' &&
    isWhole(kdf['memoryKiB'], 8) &&
    isWhole(kdf['passes'], 1) &&
    isWhole(kdf['lanes'], 1) &&
    typeof kdf['salt'] === 'string' &&
    Buffer.from(kdf['salt'], 'base64').length === saltBytes
  )
}

/** @throws ArchiveError if it is not the first line of an archive that this version reads. */
export function parseHeader(line: string): ArchiveHeader {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new ArchiveError('the file is not an export of a tenant', { cause })
  }
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'format') !== format) {
    throw new ArchiveError('the file is not an export of a tenant')
  }
  const given: unknown = Reflect.get(value, 'version')
  if (!readableVersions.includes(given)) {
    throw new ArchiveError(`the file is of version ${String(given)}, this one reads up to ${version}`)
  }
  const header = value as ArchiveHeader
  const texts = [header.tenantId, header.createdAt, header.schema]
  if (texts.some((text) => typeof text !== 'string') || !isKdf(header.kdf)) {
    throw new ArchiveError('the first line of the file is damaged')
  }
  if (!isTenantId(header.tenantId)) throw new ArchiveError('the first line of the file names no tenant by its id')
  if (!isTimestamp(header.createdAt)) throw new ArchiveError('the first line of the file does not say when it was made')
  if (isTooExpensive(header.kdf)) {
    throw new ArchiveError('opening the file would take more memory or time than opening any export does')
  }
  return header
}

/** Takes some hundred milliseconds and the memory that the header names. */
export function deriveKey(passphrase: string, { kdf }: ArchiveHeader): Promise<Buffer> {
  return argon2Library().hashRaw(passphrase.normalize('NFKC'), {
    memoryCost: kdf.memoryKiB,
    timeCost: kdf.passes,
    parallelism: kdf.lanes,
    outputLen: keyBytes,
    salt: Buffer.from(kdf.salt, 'base64'),
  })
}
