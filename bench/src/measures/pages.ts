// The hosted sign-in page: how many a second the service answers and how many bytes it takes; and how soon it, the console and the documentation
// are visible.
import { gzipSync } from 'node:zlib'
import { firstPaint } from '../load/first-paint.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { runLoad } from '../load/load.ts'
import { bodyText, requestBytes } from '../load/request.ts'
import { compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, atMost, below, kilobytes, milliseconds, ratioRow, valueRow } from '../results.ts'
import { type World, bareContestant } from '../world.ts'

const connections = 32
const browserHeaders = { accept: 'text/html,application/xhtml+xml' }

const gzipped = (text: string) => gzipSync(text, { level: 9 }).length / 1000

/** Opens a page and its files, as one browser does. */
async function measureSizes(port: number, path: string) {
  const connection = await HttpConnection.open(port)
  const read = async (at: string) => {
    const { status, bytes } = await connection.send(requestBytes({ method: 'GET', path: at, headers: browserHeaders }))
    if (status !== 200) throw new Error(`${at} answered ${status}`)
    return bodyText(bytes)
  }
  const page = await read(path)
  const linked = async (pattern: RegExp) => {
    const [, at] = pattern.exec(page) ?? []
    if (at === undefined) throw new Error(`the page has no ${pattern.source}`)
    return read(at)
  }
  const style = await linked(/rel="stylesheet" href="([^"]+)"/)
  const script = await linked(/<script type="module" src="([^"]+)"/)
  connection.close()
  return { document: gzipped(page) + gzipped(style), script: gzipped(script) }
}

export async function measurePages(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const { port } = server
  const path = `/t/${dataset.main.id}/sign-in`
  const request = requestBytes({ method: 'GET', path, headers: browserHeaders })
  const next = () => request
  // Each connection has an address of its own, because the service limits how many pages a minute one address opens.
  const ours = { run: (seconds: number) => runLoad({ port, connections, seconds, next, hasOwnAddresses: true }) }
  const bare = await bareContestant(world, port, connections, next)
  const [opened = [], answered = []] = await takeTurns([ours, bare], settings.pace)
  const { document, script } = await measureSizes(port, path)
  const note = 'gzip -9'
  return [
    ratioRow(compare(rates(opened), rates(answered)), {
      engine,
      measure: 'Sign-in page, opened',
      against: 'node:http, same bytes',
      budget: atLeast(0.3),
    }),
    valueRow(document, {
      engine,
      measure: 'Sign-in page with its style sheet',
      unit: kilobytes,
      note,
      budget: atMost(15, 'kB'),
    }),
    valueRow(script, { engine, measure: 'Script of the pages', unit: kilobytes, note, budget: atMost(6, 'kB') }),
    ...(await measurePaints(world, port, path)),
  ]
}

/** They depend on no database, so they are measured once instead of once for each engine. */
async function measurePaints({ engine, settings }: World, port: number, signIn: string): Promise<ResultRow[]> {
  if (engine !== settings.engines[0]) return []
  const paints = [
    ['the sign-in page', signIn, 800],
    ['the console', '/console', 1000],
    ['the documentation', '/docs/', 1000],
    ['the reference of users', '/docs/reference/users/', 1000],
    ['the changelog', '/docs/changelog/', 1000],
  ] as const
  const rows: ResultRow[] = []
  for (const [page, path, max] of paints) {
    const paint = await firstPaint(`http://localhost:${port}${path}`, settings.starts)
    if (paint === undefined) continue
    rows.push(
      valueRow(paint, {
        engine,
        measure: `First contentful paint of ${page}`,
        unit: milliseconds,
        note: `Chromium, 1.6 Mbit/s, 150 ms, processor / 4; median of ${settings.starts}`,
        budget: below(max, 'ms'),
      }),
    )
  }
  return rows
}
