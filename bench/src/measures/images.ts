// Images that are in no cache: the pool of worker processes, compared with sharp in this process at the same work.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { planImage } from '@bailiwick/server/src/media/engine/definition.ts'
import { ImagePool } from '@bailiwick/server/src/media/engine/workers/pool.ts'
import { createIPX, ipxFSStorage } from 'ipx'
import sharp from 'sharp'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { type World, bareContestant, httpContestant } from '../world.ts'

/** As many requests as keep both sides busy. */
const atOnce = 8
const width = 800
const quality = 80

/** A picture as a telephone takes it: 12 megapixels with detail at every scale. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const coarse = await sharp({ create: { width: 250, height: 188, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  return sharp(coarse).resize(4000, 3000, { fit: 'fill' }).jpeg({ quality: 85 }).toBuffer()
}

const contestant = (makeOne: () => Promise<unknown>): Contestant => ({
  async run(seconds) {
    const start = performance.now()
    const end = start + seconds * 1000
    let made = 0
    const loop = async () => {
      while (performance.now() < end) {
        await makeOne()
        made++
      }
    }
    await Promise.all(Array.from({ length: atOnce }, loop))
    return { perSecond: (made * 1000) / (performance.now() - start), p99: undefined }
  },
})

const delivery = 'thumbnail'
const connections = 32

/** A public picture of the main tenant, uploaded through the interface. */
async function uploadedTo(world: World, source: Buffer): Promise<string> {
  const { dataset, server } = await world.running('small')
  const { main } = dataset
  const base = `http://127.0.0.1:${server.port}`
  const announced = await fetch(`${base}/api/v0/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${main.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      tenantId: main.id,
      access: 'public',
      originalFilename: 'photograph.jpg',
      mime: 'image/jpeg',
      size: source.length,
    }),
  })
  const { id, uploadUrl } = (await announced.json()) as { id: string; uploadUrl: string }
  const { pathname, search } = new URL(uploadUrl)
  const sent = await fetch(`${base}${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(source),
  })
  if (!sent.ok) throw new Error(`the upload answered ${await sent.text()}`)
  return `/api/v0/media/${main.id}/${id}/image?t=${delivery}`
}

/** A picture that was made before, beside bare node:http with the same bytes. */
async function measureHits(world: World, source: Buffer): Promise<ResultRow> {
  const { engine, settings } = world
  const path = await uploadedTo(world, source)
  const { server } = await world.running('small')
  const bytes = requestBytes({ method: 'GET', path })
  const next = () => bytes
  const contestants = [
    httpContestant(server.port, connections, next),
    await bareContestant(world, server.port, connections, next),
  ]
  const [ours = [], bare = []] = await takeTurns(contestants, settings.pace)
  const measure = `Image that was made before (${delivery})`
  return ratioRow(compare(rates(ours), rates(bare)), {
    engine,
    measure,
    against: 'node:http, same bytes',
    budget: atLeast(0.7),
  })
}

export async function measureImages(world: World): Promise<ResultRow[]> {
  const source = await photograph()
  return [...(await measureMisses(world, source)), await measureHits(world, source)]
}

/** They use no database, so they are measured once instead of once for each engine. */
async function measureMisses(world: World, source: Buffer): Promise<ResultRow[]> {
  const { engine, settings } = world
  if (engine !== settings.engines[0]) return []
  // The service does the same with files on its disk.
  const path = join(world.place.directory, 'photograph.jpg')
  writeFileSync(path, source)
  const ipx = createIPX({ storage: ipxFSStorage({ dir: world.place.directory }), maxAge: 0 })
  const pool = new ImagePool()
  const rows: ResultRow[] = []
  try {
    for (const format of ['jpeg', 'webp'] as const) {
      const plan = planImage({
        outputFormat: format,
        outputQuality: quality,
        outputCompression: 0,
        outputWidth: width,
        outputHeight: 0,
        outputResizeMode: 'maximum',
        steps: [],
      })
      const order = { source: { path }, isSvg: false, plan, format, layers: new Map() }
      const encoder = format === 'jpeg' ? { quality } : { quality, effort: 0 }
      const ours = contestant(() => pool.make('bench', order))
      const theirs = contestant(() => sharp(source).autoOrient().resize({ width }).toFormat(format, encoder).toBuffer())
      const modifiers = { width: String(width), format, quality: String(quality) }
      const ofIpx = contestant(() => ipx(basename(path), modifiers).process())
      const [our = [], their = [], peer = []] = await takeTurns([ours, theirs, ofIpx], settings.imagePace)
      const measure = `Image, 12 megapixels to ${width} wide as ${format}, not cached`
      const against = 'sharp in the same process'
      rows.push(
        ratioRow(compare(rates(our), rates(their)), { engine, measure, against, budget: atLeast(0.95) }),
        ratioRow(compare(rates(our), rates(peer)), { engine, measure, against: 'ipx in the same process' }),
      )
    }
  } finally {
    await pool.close()
  }
  return rows
}
