// Loads the pictures that are laid over others: files of the same tenant, or pictures from the public internet through the guard.
import { isId } from '@bailiwick/contract'
import type { TenantId } from '../../platform/ids.ts'
import { EgressError } from '../../platform/net/egress.ts'
import type { Deps } from '../deps.ts'
import { ImageError } from '../engine/image-error.ts'
import { sourceBytesMax } from '../engine/limits.ts'
import type { ImageBytes } from '../engine/messages.ts'
import { selectFile } from '../queries.ts'
import { kindOf } from './image-choice.ts'
import { imageBytes } from './read-stored.ts'

const fetchMs = 5000
/** The total of an image's layers that are held in memory until a worker takes them. */
const layersBytesMax = 40 * 1024 * 1024

interface Layer {
  readonly bytes: ImageBytes
  /** SVG only from the tenant's own files, which have been sanitised. */
  readonly isSvg: boolean
}

/** A file's id, or its address at this service. */
function fileIdOf({ config }: Deps, tenantId: TenantId, url: string): string | undefined {
  if (isId(url)) return url
  const prefix = `${config.baseUrl}/media/${encodeURIComponent(tenantId)}/`
  if (!url.startsWith(prefix)) return undefined
  const [id = ''] = url.slice(prefix.length).split('/', 1)
  return id
}

async function ownFile(deps: Deps, tenantId: TenantId, id: string): Promise<Layer> {
  const file = await selectFile(deps.db, tenantId, id)
  const bytes = file && (await imageBytes(deps.storage, file))
  if (file === undefined || bytes === undefined)
    throw new ImageError('unreadable', 'A layer names a file that does not exist in this tenant.')
  return { bytes, isSvg: kindOf(file) === 'svg' }
}

async function fetched({ egress }: Deps, tenantId: TenantId, url: string): Promise<Uint8Array> {
  try {
    const request = { method: 'GET', headers: { accept: 'image/*' }, tenantId, timeoutMs: fetchMs } as const
    const { status, body, isTruncated } = await egress.request(url, { ...request, responseBytesMax: sourceBytesMax })
    if (status !== 200 || isTruncated) {
      throw new ImageError('unreadable', 'The URL of a layer does not return an image of at most 20 MiB.')
    }
    return body
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ImageError('unreadable', `A layer cannot be fetched: ${error.message}`, { cause: error })
  }
}

/** @throws ImageError unreadable if one cannot be loaded; too_large */
export async function layerBytes(
  deps: Deps,
  tenantId: TenantId,
  urls: readonly string[],
): Promise<{ readonly layers: ReadonlyMap<string, ImageBytes>; readonly svgLayers: ReadonlySet<string> }> {
  const layers = new Map<string, ImageBytes>()
  const svgLayers = new Set<string>()
  let held = 0
  // Loaded one after the other, so that no more is fetched than is needed to see that it is too much.
  for (const url of urls) {
    const id = fileIdOf(deps, tenantId, url)
    const { bytes, isSvg } =
      id === undefined ? { bytes: await fetched(deps, tenantId, url), isSvg: false } : await ownFile(deps, tenantId, id)
    held += bytes instanceof Uint8Array ? bytes.length : 0
    if (held > layersBytesMax)
      throw new ImageError('too_large', 'The layers of an image must have at most 40 MiB in total.')
    layers.set(url, bytes)
    if (isSvg) svgLayers.add(url)
  }
  return { layers, svgLayers }
}
