// Metadata from an address that an administrator has named, read through the guarded way out.
import { EgressError } from '../../../platform/net/egress.ts'
import type { Deps } from '../../deps.ts'
import { charactersMax } from '../xml/read-xml.ts'
import { MetadataProblem } from './read-metadata.ts'

const timeoutMs = 10_000

/** @throws MetadataProblem */
export async function fetchMetadata({ egress }: Pick<Deps, 'egress'>, tenantId: string, uri: string): Promise<string> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
  try {
    const request = { tenantId, method: 'GET', headers, timeoutMs, responseBytesMax: charactersMax } as const
    const { status, body, isTruncated } = await egress.request(uri, request)
    if (status !== 200) throw new MetadataProblem(`cannot be read: the server answered with ${status}`)
    if (isTruncated) throw new MetadataProblem('cannot be read: they are too long')
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (error) {
    if (error instanceof EgressError) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error instanceof TypeError ? new MetadataProblem('cannot be read: they are not UTF-8') : error
  }
}
