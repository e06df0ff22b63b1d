// A registry that has the packed packages, and leads to the machine's registry for all others.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import type { PackedPackage } from './build.ts'

const upstream = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'

export interface PackageRegistry {
  readonly url: string
  /** The paths that were asked for. */
  readonly requests: readonly string[]
  readonly stop: () => void
}

export async function startPackageRegistry(packages: readonly PackedPackage[]): Promise<PackageRegistry> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    requests.push(path)
    const named = packages.find(({ name }) => name === path)
    const packed = packages.find(({ tarball }) => `-/${basename(tarball)}` === path)
    if (packed !== undefined) return void response.end(readFileSync(packed.tarball))
    if (named === undefined && path.startsWith('@bailiwick/')) return void response.writeHead(404).end('{}')
    if (named === undefined)
      return void response.writeHead(302, { location: new URL(request.url ?? '/', upstream).href }).end()
    const { folder, name, tarball, version } = named
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    const dist = { tarball: `http://${request.headers.host}/-/${basename(tarball)}`, integrity }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
