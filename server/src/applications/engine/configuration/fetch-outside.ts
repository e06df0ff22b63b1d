// What the engine fetches for a tenant, such as client metadata documents and keys of clients, goes through the guarded outbound client.
import { currentTenancy } from '../tenancy.ts'

const timeoutMs = 5000
const bytesMax = 64 * 1024

export async function fetchOutside(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { deps, tenant } = currentTenancy()
  const answer = await deps.egress.request(String(url), {
    tenantId: tenant.row.id,
    method: init.method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === 'string' ? { body: init.body } : {}),
    timeoutMs,
    responseBytesMax: bytesMax,
  })
  if (answer.isTruncated) throw new Error('the answer is too long')
  const headers = new Headers()
  for (const name of ['content-type', 'cache-control', 'expires']) {
    const value = answer.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const hasBody = answer.status !== 204 && answer.status !== 304
  return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers })
}
