// The pictures of the demo's tenant, and the transformations that it has of them.
import type { Tenant } from '@bailiwick/contract'
import sharp from 'sharp'
import { createFile, createTransformation, createUpload } from '../../server/test/harness/factories.ts'
import type { TestService } from '../../server/test/harness/service.ts'

export async function addMedia(service: TestService, { id }: Tenant) {
  const photo = (from: string, to: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><linearGradient id="g" x2="1" y2="1">
      <stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient><rect width="960" height="640" fill="url(#g)"/>
      <circle cx="700" cy="200" r="90" fill="#fff" opacity=".8"/><path d="M0 640 300 300 520 520 660 400 960 640" opacity=".5"/></svg>`
    return sharp(Buffer.from(svg)).jpeg().toBuffer()
  }
  let file = ''
  for (const [name, from, to] of [
    ['harbour.jpg', '#38bdf8', '#1e3a8a'],
    ['a-photograph-of-the-warehouse-in-rotterdam-taken-in-the-evening-of-2026-05-04.jpg', '#fb923c', '#7c2d12'],
    ['forest.jpg', '#4ade80', '#14532d'],
  ] as const) {
    const bytes = await photo(from, to)
    const body = { size: bytes.length, mime: 'image/jpeg', originalFilename: name }
    file = (await createFile(service, id, body, bytes)).id
  }
  await createUpload(service, id, { originalFilename: 'never-sent.png' })
  const transformation = await createTransformation(service, id, {
    name: 'article-card',
    description: 'The picture of an article in a list',
    steps: [
      { type: 'blur', options: { blurType: 'fast', strength: 3 } },
      { type: 'grayscale', options: {} },
    ],
  })
  await createTransformation(service, id, { name: 'portrait', outputWidth: 96, outputHeight: 96, steps: [] })
  return { file, transformation: transformation.id }
}
