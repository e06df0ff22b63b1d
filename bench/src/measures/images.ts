// Images that are in no cache: the pool of worker processes beside sharp in this very process, doing the same.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { planImage } from '@bailiwick/server/src/media/engine/definition.ts'
import { ImagePool } from '@bailiwick/server/src/media/engine/pool.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import type { World } from '../world.ts'

/** As many as keep both sides busy. */
const atOnce = 8
const width = 800
const quality = 80

/** A telephone's picture: 12 megapixels with detail at every scale. */
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

/** No database takes part, so they are measured once, not for each. */
export async function measureImages(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  if (engine !== settings.engines[0]) return []
  const source = await photograph()
  // As the service does with files on its disk.
  const path = join(world.place.directory, 'photograph')
  writeFileSync(path, source)
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
      const [our = [], their = []] = await takeTurns([ours, theirs], settings.pace)
      const measure = `Image, 12 megapixels to ${width} wide as ${format}, not cached`
      const against = 'sharp in the same process'
      rows.push(ratioRow(compare(rates(our), rates(their)), { engine, measure, against, budget: atLeast(0.95) }))
    }
  } finally {
    await pool.close()
  }
  return rows
}
