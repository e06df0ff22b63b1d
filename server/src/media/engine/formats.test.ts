import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definition } from '../../../test/harness/files/pictures.ts'
import { layerUrls, needsPixels, planImage } from './definition.ts'
import { negotiateFormat } from './formats.ts'
import type { SourceKind } from './source-kind.ts'

interface Changes {
  readonly isAnimated?: boolean
  readonly needsPixels?: boolean
  readonly pixels?: number
  readonly longerSide?: number
}
const source = (kind: SourceKind, changes: Changes = {}) => ({
  kind,
  isAnimated: false,
  needsPixels: true,
  pixels: 1_000_000,
  longerSide: 1000,
  ...changes,
})
const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

describe('the format that auto comes out as', () => {
  it('is AVIF, else WebP, where the request names them', () => {
    assert.equal(negotiateFormat(chrome, source('jpeg')), 'avif')
    assert.equal(negotiateFormat('image/webp, */*', source('png')), 'webp')
    assert.equal(negotiateFormat('IMAGE/AVIF ; q=0.5', source('png')), 'avif')
    assert.equal(negotiateFormat('image/avif;q=0, image/webp;q=0.000', source('png')), 'png')
  })

  it('is WebP where the request wants that more than AVIF, and it can be made', () => {
    assert.equal(negotiateFormat('image/avif;q=0.1, image/webp', source('png')), 'webp')
    assert.equal(negotiateFormat('image/avif;q=0.899,image/webp; q=0.9', source('png')), 'webp')
    assert.equal(negotiateFormat('image/webp;q=0.5, image/avif;q=0.5', source('png')), 'avif')
    assert.equal(negotiateFormat('image/webp;q=0.5, image/avif;v=1;q=0.6', source('png')), 'avif')
    const wide = source('png', { longerSide: 16_384 })
    assert.equal(negotiateFormat('image/avif;q=0.1, image/webp', wide), 'avif')
  })

  it('is else the kind of the source, a drawn vector’s PNG', () => {
    for (const accept of [undefined, '', '*/*', 'image/*', 'text/html', 'image/avifx', ';;,,']) {
      for (const kind of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const)
        assert.equal(negotiateFormat(accept, source(kind)), kind)
      assert.equal(negotiateFormat(accept, source('svg')), 'png')
    }
  })

  it('is what each request names, however many different ones come, and again', () => {
    const outcomes = [
      ['image/avif', 'avif'],
      ['image/webp', 'webp'],
      ['image/webp;q=0', 'png'],
      ['text/html', 'png'],
    ] as const
    for (let index = 0; index < 1000; index++) {
      const [named, format] = outcomes[index % outcomes.length] ?? outcomes[0]
      const accept = `${'made/up, '.repeat(index % 40)}${named}, made/up${index % 500}`
      assert.equal(negotiateFormat(accept, source('png')), format, accept)
    }
  })

  it('keeps an animation moving, a vector a vector, and a large picture quick to make', () => {
    assert.equal(negotiateFormat(chrome, source('gif', { isAnimated: true })), 'webp')
    assert.equal(negotiateFormat('image/avif', source('gif', { isAnimated: true })), 'gif')
    assert.equal(negotiateFormat(chrome, source('svg', { needsPixels: false })), 'svg')
    assert.equal(negotiateFormat(chrome, source('jpeg', { pixels: 12_000_000 })), 'webp')
    assert.equal(negotiateFormat('image/webp', source('jpeg', { longerSide: 16_383 })), 'webp')
    assert.equal(negotiateFormat('image/webp', source('jpeg', { longerSide: 16_384 })), 'jpeg')
  })
})

describe('a plan', () => {
  const layer = (url: string) => ({ type: 'layer', options: { url } }) as const

  it('names each address of its layers once', () => {
    const plan = planImage(definition({ steps: [layer('a'), { type: 'flip', options: {} }, layer('b'), layer('a')] }))
    assert.deepEqual(layerUrls(plan), ['a', 'b'])
  })

  it('needs pixels unless a vector stays one', () => {
    for (const outputFormat of ['auto', 'svg'] as const) {
      assert.equal(needsPixels(planImage(definition({ outputFormat })), 'svg'), false)
      assert.equal(needsPixels(planImage(definition({ outputFormat })), 'png'), true)
      assert.equal(needsPixels(planImage(definition({ outputFormat, steps: [layer('a')] })), 'svg'), true)
    }
    assert.equal(needsPixels(planImage(definition({ outputFormat: 'webp' })), 'svg'), true)
  })

  it('means the same by null as by nothing', () => {
    const options = { degrees: null, backgroundColor: null, type: 'manual' } as const
    const [said] = planImage(definition({ steps: [{ type: 'rotate', options }] })).steps
    const [unsaid] = planImage(definition({ steps: [{ type: 'rotate', options: { type: 'manual' } }] })).steps
    assert.deepEqual(said, unsaid)
  })
})
