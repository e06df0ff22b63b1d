import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Transformation } from '@bailiwick/contract'
import { createTenant, transformationBody } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

type Range = readonly [minimum: number, maximum: number]

interface StepRules {
  readonly type: string
  /** Required options, with an accepted value. */
  readonly required?: Readonly<Record<string, string>>
  readonly ranges?: Readonly<Record<string, Range>>
  readonly flags?: readonly string[]
  readonly choices?: Readonly<Record<string, readonly string[]>>
  readonly colors?: readonly string[]
}

const percent: Range = [0, 100]
const around: Range = [-100, 100]
const strength: Range = [1, 100]
const pixels: Range = [0, 8192]
const offset: Range = [-8192, 8192]
const angle: Range = [-360, 360]
const blendModes =
  `clear source over in out atop dest dest-over dest-in dest-out dest-atop xor add saturate multiply screen
  overlay darken lighten colour-dodge color-dodge colour-burn color-burn hard-light soft-light difference exclusion`.split(
    /\s+/,
  )

const placed = {
  x: offset,
  y: offset,
  width: pixels,
  height: pixels,
  paddingLeft: pixels,
  paddingRight: pixels,
  paddingTop: pixels,
  paddingBottom: pixels,
  opacity: percent,
}
const aligned = {
  horizontalAlignment: ['left', 'center', 'right'],
  verticalAlignment: ['top', 'center', 'bottom'],
  blendMode: blendModes,
}

/** The options of each step type, and their bounds. */
const allRules: readonly StepRules[] = [
  { type: 'blur', required: { blurType: 'fast' }, ranges: { strength }, choices: { blurType: ['fast', 'manual'] } },
  {
    type: 'brightness-hue-saturation-lightness',
    ranges: { brightness: around, hue: [-180, 180], saturation: around, lightness: around },
  },
  {
    type: 'extend',
    required: { color: 'red' },
    ranges: { top: pixels, bottom: pixels, left: pixels, right: pixels },
    colors: ['color'],
  },
  { type: 'flip' },
  { type: 'flush' },
  { type: 'grayscale' },
  {
    type: 'layer',
    required: { url: 'https://img.example/a.png' },
    ranges: { ...placed, rotation: angle },
    flags: ['repeat'],
    choices: { ...aligned, resizeMode: ['minimum', 'maximum', 'stretch', 'crop'] },
  },
  { type: 'negative', flags: ['negativeAlpha'] },
  {
    type: 'rotate',
    required: { type: 'manual' },
    ranges: { degrees: angle },
    choices: { type: ['auto', 'manual'] },
    colors: ['backgroundColor'],
  },
  {
    type: 'sharpen',
    required: { sharpenType: 'manual' },
    ranges: { strength },
    choices: { sharpenType: ['fast', 'manual'] },
  },
  {
    type: 'text',
    required: { text: 'Hello', color: '#fff' },
    ranges: {
      ...placed,
      rotate: angle,
      fontSize: [1, 1000],
      fontWeight: [1, 1000],
      letterSpacing: [-100, 1000],
      lineHeight: [0, 100],
    },
    flags: ['repeat', 'underline', 'justify'],
    choices: { ...aligned, fontStyle: ['normal', 'italic'] },
    colors: ['color'],
  },
  { type: 'tint', required: { color: 'hsl(0 50% 50%)' }, ranges: { opacity: percent }, colors: ['color'] },
]

let tenantId = ''

async function send(service: TestService, steps: unknown) {
  return service.call<Transformation & { issues?: { path: string; code: string; message: string }[] }>(
    'createTransformation',
    {
      body: transformationBody(tenantId, { steps }),
    },
  )
}

async function assertTaken(service: TestService, steps: readonly unknown[]) {
  // At most 16 fit into one transformation.
  for (let start = 0; start < steps.length; start += 16) {
    const chunk = steps.slice(start, start + 16)
    const answer = await send(service, chunk)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.steps, chunk)
  }
}

/** When sent as the second of two steps, each of these has exactly that issue. */
async function assertRefused(service: TestService, step: unknown, path: string, code: string) {
  const answer = await send(service, [{ type: 'flip', options: {} }, step])
  assert.equal(answer.status, 400, JSON.stringify(step))
  const found = (answer.body.issues ?? []).map((issue) => `${issue.path} ${issue.code}`)
  assert.ok(found.includes(`/steps/1${path} ${code}`), `${JSON.stringify(step)}: ${found.join(', ')}`)
  assert.ok(
    found.every((issue) => issue.startsWith(`/steps/1${path} `)),
    `${JSON.stringify(step)}: ${found.join(', ')}`,
  )
}

describeService('transformation steps', (service) => {
  before(async () => {
    const { tenant } = await createTenant(service())
    tenantId = tenant.id
  })

  for (const { type, required = {}, ranges = {}, flags = [], choices = {}, colors = [] } of allRules) {
    const step = (options: object) => ({ type, options: { ...required, ...options } })
    const optional = [...Object.keys(ranges), ...flags, ...Object.keys(choices), ...colors].filter(
      (name) => !(name in required),
    )

    it(`${type}: every option is taken at its bounds, as null and left out`, async () => {
      const numbers = Object.entries(ranges).flatMap(([name, [minimum, maximum]]) => [
        step({ [name]: minimum }),
        step({ [name]: maximum }),
        step({ [name]: (minimum + maximum) / 2 + 0.25 }),
      ])
      await assertTaken(service(), [
        step({}),
        ...numbers,
        ...flags.flatMap((name) => [step({ [name]: true }), step({ [name]: false })]),
        ...Object.entries(choices).flatMap(([name, values]) => values.map((value) => step({ [name]: value }))),
        ...colors.map((name) => step({ [name]: '#4f46e5' })),
        step(Object.fromEntries(optional.map((name) => [name, null]))),
      ])
    })

    it(`${type}: every option is refused beyond its bounds and of another kind, at its path`, async () => {
      for (const [name, [minimum, maximum]] of Object.entries(ranges)) {
        await assertRefused(service(), step({ [name]: minimum - 0.001 }), `/options/${name}`, 'too_small')
        await assertRefused(service(), step({ [name]: maximum + 0.001 }), `/options/${name}`, 'too_large')
        await assertRefused(service(), step({ [name]: '1' }), `/options/${name}`, 'invalid_type')
      }
      for (const name of flags) await assertRefused(service(), step({ [name]: 1 }), `/options/${name}`, 'invalid_type')
      for (const name of Object.keys(choices)) {
        await assertRefused(service(), step({ [name]: 'sideways' }), `/options/${name}`, 'invalid_value')
      }
      for (const name of colors) {
        for (const value of ['red; }', 'banana']) {
          await assertRefused(service(), step({ [name]: value }), `/options/${name}`, 'invalid_format')
        }
      }
    })

    it(`${type}: refuses options that it does not have, and requires those it must have`, async () => {
      await assertRefused(service(), step({ bogus: 1 }), '/options/bogus', 'unknown_property')
      await assertRefused(service(), { ...step({}), bogus: 1 }, '/bogus', 'unknown_property')
      await assertRefused(service(), { type }, '/options', 'required')
      for (const name of Object.keys(required)) {
        const rest = Object.fromEntries(Object.entries(required).filter(([other]) => other !== name))
        await assertRefused(service(), { type, options: rest }, `/options/${name}`, 'required')
        await assertRefused(service(), step({ [name]: null }), `/options/${name}`, 'invalid_type')
      }
    })
  }

  it('refuse a type that is not listed, or not a text, at /type', async () => {
    for (const type of ['bogus', 'Blur', 'constructor', '', null, 5, ['blur']]) {
      await assertRefused(service(), { type, options: {} }, '/type', 'invalid_value')
    }
    await assertRefused(service(), { options: {} }, '/type', 'invalid_value')
  })

  it('list the existing types if one is unknown', async () => {
    const { body } = await send(service(), [{ type: 'melt', options: {} }])
    assert.match(String(body.issues?.[0]?.message), /^must be one of blur, .*, layer, .*, tint$/)
  })

  it('refuse a value that is not a step at all', async () => {
    for (const step of [null, 'blur', 5, []]) await assertRefused(service(), step, '', 'invalid_type')
    for (const steps of [null, {}, 'blur', { 0: { type: 'flip', options: {} } }]) {
      const { status, body } = await send(service(), steps)
      assert.deepEqual(
        [status, body.issues?.map(({ path, code }) => `${path} ${code}`)],
        [400, ['/steps invalid_type']],
      )
    }
  })

  it('limit texts: an address to 2048 characters, a text to 1000', async () => {
    const text = (length: number) => ({ type: 'text', options: { text: 't'.repeat(length), color: 'red' } })
    const layer = (length: number) => ({
      type: 'layer',
      options: { url: 'https://img.example/a.png'.padEnd(length, 'g') },
    })
    await assertTaken(service(), [text(1), text(1000), layer(2048)])
    await assertRefused(service(), text(0), '/options/text', 'too_short')
    await assertRefused(service(), text(1001), '/options/text', 'too_long')
    await assertRefused(service(), layer(2049), '/options/url', 'too_long')
  })

  it('overlay a file of the tenant or a picture from the web, and refuse any other address when they are stored', async () => {
    const layer = (url: string) => ({ type: 'layer', options: { url } })
    await assertTaken(service(), [layer('c12345678'), layer('http://img.example/a.png?b=c'), layer('https://[::1]:1/')])
    for (const url of [
      'logo',
      '/logo.png',
      'ftp://img.example/a',
      'file:///etc/passwd',
      'data:image/png;base64,AA==',
    ]) {
      await assertRefused(service(), layer(url), '/options/url', 'invalid_format')
    }
  })
})
