// Steps that move pixels or add some.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { TransformationStep } from '@bailiwick/contract'
import {
  type Paint,
  type Picture,
  difference,
  drawn,
  green,
  patchwork,
  red,
  stepped,
} from '../../../../test/harness/files/pictures.ts'
import { ImagePool } from '../workers/pool.ts'

const pool = new ImagePool()
after(() => pool.close())

const [width, height] = [7, 5]
const source = drawn(width, height, patchwork)
const flip: TransformationStep = { type: 'flip', options: {} }
const flush: TransformationStep = { type: 'flush', options: {} }
const turn = (degrees: number, backgroundColor?: string): TransformationStep => ({
  type: 'rotate',
  options: { type: 'manual', degrees, ...(backgroundColor === undefined ? {} : { backgroundColor }) },
})

async function assertBecomes(steps: readonly TransformationStep[], expected: Picture) {
  assert.equal(difference(await stepped(pool, source, steps), expected), undefined)
}

describe('steps that move pixels', () => {
  it('flip: the last row comes first', async () => {
    await assertBecomes(
      [flip],
      drawn(width, height, (x, y) => patchwork(x, height - 1 - y)),
    )
  })

  it('flush: the last column comes first', async () => {
    await assertBecomes(
      [flush],
      drawn(width, height, (x, y) => patchwork(width - 1 - x, y)),
    )
  })

  it('rotate: quarter turns go clockwise and lose nothing', async () => {
    const clockwise: Paint = (x, y) => patchwork(y, height - 1 - x)
    const counterclockwise: Paint = (x, y) => patchwork(width - 1 - y, x)
    await assertBecomes([turn(90)], drawn(height, width, clockwise))
    await assertBecomes([turn(-270)], drawn(height, width, clockwise))
    await assertBecomes([turn(-90)], drawn(height, width, counterclockwise))
    await assertBecomes(
      [turn(180)],
      drawn(width, height, (x, y) => patchwork(width - 1 - x, height - 1 - y)),
    )
    await assertBecomes([turn(360)], source)
  })

  it('rotate: nothing is left to do for auto, nor for a turn by nothing', async () => {
    await assertBecomes([{ type: 'rotate', options: { type: 'auto', degrees: 90 } }], source)
    await assertBecomes([{ type: 'rotate', options: { type: 'manual' } }], source)
  })

  it('rotate: by any other angle, what it bares has the background, or none', async () => {
    const square = drawn(40, 40, () => red)
    const onGreen = await stepped(pool, square, [turn(45, 'lime')])
    assert.ok(Math.abs(onGreen.width - 40 * Math.SQRT2) < 2)
    assert.deepEqual(onGreen.at(0, 0), green)
    assert.deepEqual(onGreen.at(onGreen.width >> 1, onGreen.height >> 1), red)
    const onNothing = await stepped(pool, square, [turn(45)])
    assert.equal(onNothing.at(0, 0)[3], 0)
    assert.deepEqual(onNothing.at(onNothing.width >> 1, onNothing.height >> 1), red)
  })

  it('extend: each side by its own width, in the colour with its alpha', async () => {
    const options = { top: 1, bottom: 2, left: 3, right: 4, color: 'rgb(1 2 3 / 40%)' }
    const inside = (x: number, y: number) => x >= 3 && x < 3 + width && y >= 1 && y < 1 + height
    const expected = drawn(width + 7, height + 3, (x, y) => (inside(x, y) ? patchwork(x - 3, y - 1) : [1, 2, 3, 102]))
    await assertBecomes([{ type: 'extend', options }], expected)
    await assertBecomes([{ type: 'extend', options: { color: 'red' } }], source)
  })

  it('are applied in the order given', async () => {
    const border: TransformationStep = { type: 'extend', options: { top: 1, color: 'red' } }
    const row =
      (at: number, paint: Paint): Paint =>
      (x, y) =>
        y === at ? red : paint(x, y)
    await assertBecomes(
      [border, flip],
      drawn(
        width,
        height + 1,
        row(height, (x, y) => patchwork(x, height - 1 - y)),
      ),
    )
    await assertBecomes(
      [flip, border],
      drawn(
        width,
        height + 1,
        row(0, (x, y) => patchwork(x, height - y)),
      ),
    )
  })
})
