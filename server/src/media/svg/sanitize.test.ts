import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { svg } from '../../../test/harness/files/images.ts'
import { SvgRefused, SvgSanitizer, sanitizeSvg as sanitizeOf, svgBytesMax } from './sanitize.ts'

const sanitizeSvg = (bytes: Uint8Array) => sanitizeOf('tenant', async () => bytes)

const cleaned = async (inside: string, attributes?: string) =>
  Buffer.from(await sanitizeSvg(svg(inside, attributes))).toString('utf8')

const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Each with the text that must not remain. */
const hostile: readonly (readonly [string, RegExp])[] = [
  ['<script>evil()</script>', /script/],
  ['<SCRIPT>bad()</SCRIPT>', /script/i],
  ['<s:script xmlns:s="http://www.w3.org/2000/svg">bad()</s:script>', /script/],
  ['<rect onclick="evil()" onload = "evil()"/>', /on(click|load)|evil/],
  [
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml" onclick="evil()">x</p></foreignObject>',
    /foreign|xhtml|evil/,
  ],
  [`<a xlink:href="javascript:evil()" ${xlink}><text>x</text></a>`, /javascript|evil/],
  [`<use xlink:href="https://evil.example/x.svg#y" ${xlink}/>`, /evil/],
  [`<use href="data:image/svg+xml;base64,PHN2Zy8+#y"/>`, /data:/],
  ['<use href="x.svg#evil"/>', /evil/],
  ['<image href="https://evil.example/x.png"/>', /evil/],
  [`<image xlink:href="//evil.example/x.png" ${xlink}/>`, /evil/],
  ['<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', /data:/],
  ['<x:image xmlns:x="http://www.w3.org/2000/svg" x:href="https://evil.example"/>', /evil/],
  ['<filter id="f"><feImage href="https://evil.example/x"/></filter>', /evil/],
  ['<rect fill="url(https://evil.example/x#y)"/>', /evil/],
  ['<rect style="fill:url(\'https://evil.example/x\')"/>', /evil/],
  ['<rect style="background:u\\72l(https://evil.example)"/>', /evil/],
  ['<style>@import "https://evil.example/x.css";</style>', /import|evil/],
  ['<style>@import/**/"https://evil.example/x.css";</style>', /evil/],
  ['<style>a{background:url(https://evil.example)}</style>', /evil/],
  ['<style>@font-face{font-family:x;src:local(x)}</style>', /font-face/],
  ['<style><![CDATA[</style><script>evil()</script>]]></style>', /script/],
  ['<animate attributeName="href" to="javascript:evil()"/>', /evil/],
  ['<set attributeName="onclick" to="evil()"/>', /evil/],
  ['<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>', /iframe|evil/],
  ['<?xml-stylesheet href="https://evil.example/x.css"?>', /evil/],
  ['<!-- evil -->', /evil/],
  ['<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext>evil</mtext></math>', /math/],
]

describe('an SVG once sanitised', () => {
  it('runs nothing, loads nothing and links to nothing', async () => {
    const text = await cleaned(hostile.map(([markup]) => markup).join('\n'), 'width="1" height="1" onload="evil()"')
    for (const [markup, left] of hostile) assert.doesNotMatch(text, left, markup)
    // One at a time, because in a single document one could hide another.
    for (const [markup, left] of hostile.slice(15, 18)) assert.doesNotMatch(await cleaned(markup), left, markup)
  })

  it('is the same picture', async () => {
    const text = await cleaned(
      `<defs><linearGradient id="g" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#f00"/></linearGradient></defs>
      <style>.a{fill:url(#g)}</style><g transform="scale(2)"><path class="a" d="M0 0L1 1" style="stroke:red"/></g>
      <text x="1">Zoë &amp; Ada</text><image width="1" height="1" href="data:image/png;base64,iVBORw0KGgo="/>`,
      'viewBox="0 0 10 10"',
    )
    for (const kept of [
      'viewBox="0 0 10 10"',
      '<linearGradient id="g"',
      '.a{fill:url(#g)}',
      'd="M0 0L1 1"',
      'stroke:red',
      'Zoë &amp; Ada',
      'data:image/png',
    ]) {
      assert.ok(text.includes(kept), `${kept} in ${text}`)
    }
  })

  it('shows its own parts again where it uses them, and keeps style sheets in CDATA', async () => {
    const kept = await cleaned(
      `<defs><path id="leaf" d="M0 0h1"/><symbol id="twig"><use href="#leaf"/></symbol></defs>
      <style><![CDATA[ .a > .b { fill: red } ]]></style><use x="2" xlink:href="#twig" ${xlink}/>`,
    )
    for (const part of [/<use href="#leaf"\/>/, /<use [^>]*xlink:href="#twig"/, /\.a &gt; \.b \{ fill: red \}/]) {
      assert.match(kept, part)
    }
  })

  it('is refused if its uses would draw more than allowed, or each other', async () => {
    const doubled = Array.from({ length: 20 }, (_, index) => {
      const below = `<use href="#x${index}"/>`
      return `<g id="x${index + 1}">${below}${below}</g>`
    })
    const chain = Array.from({ length: 100 }, (_, index) => `<use id="x${index}" href="#x${index + 1}"/>`)
    for (const inside of [
      `<rect id="x0"/>${doubled.join('')}`,
      chain.join(''),
      chain.toReversed().join(''),
      '<g id="x"><use href="#x"/></g>',
      '<use id="x" href="#y"/><use id="y" href="#x"/>',
    ]) {
      await assert.rejects(sanitizeSvg(svg(inside)), SvgRefused, inside.slice(0, 80))
    }
    // Many elements drawn by few.
    await sanitizeSvg(svg(`<rect id="x0"/>${doubled.slice(0, 12).join('')}`))
  })

  it('is the same when it is sanitised again', async () => {
    const once = await sanitizeSvg(svg(hostile.map(([markup]) => markup).join('')))
    assert.deepEqual(Buffer.from(await sanitizeSvg(once)), Buffer.from(once))
  })

  it('is independent of the document before it, even of one that was refused', async () => {
    const poor = svg('<rect width="3"/>')
    const alone = Buffer.from(await sanitizeSvg(poor)).toString()
    await sanitizeSvg(svg('<defs><style>rect{fill:red}</style><rect id="rich" width="4"/></defs>'))
    await assert.rejects(sanitizeSvg(svg('<g/>'.repeat(50_001))), SvgRefused)
    await assert.rejects(sanitizeSvg(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')), SvgRefused)
    assert.equal(Buffer.from(await sanitizeSvg(poor)).toString(), alone)
  })

  it('is refused if it is not well-formed, not SVG, or too large', async () => {
    const refused = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'),
      Buffer.from('<svg/>'),
      Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"/>'),
      svg('<g>'.repeat(300) + '</g>'.repeat(300)),
      svg('<g/>'.repeat(50_001)),
      Buffer.alloc(svgBytesMax + 1, ' '),
    ]
    for (const bytes of refused) {
      await assert.rejects(sanitizeSvg(bytes), SvgRefused, bytes.subarray(0, 60).toString())
    }
  })
})

describe('the threads that sanitise SVG', () => {
  /** Bytes that arrive when the test says so. */
  function held() {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    return { load: () => promise, release: () => resolve(svg('<g/>')) }
  }

  // Guards: slow-checks
  it('leave one thread to others while a tenant keeps its own busy, and serve tenants in turn', async () => {
    const sanitizer = new SvgSanitizer({ threadsMax: 2, idleMs: 1 })
    const order: string[] = []
    const first = held()
    const waiting = [first.load, ...Array.from({ length: 13 }, () => async () => svg('<g/>'))].map(async (load, n) => {
      await sanitizer.sanitize('one', load)
      order.push(`one ${n}`)
    })
    for (const n of [0, 1]) {
      await sanitizer.sanitize('other', async () => svg('<g/>'))
      order.push(`other ${n}`)
    }
    assert.deepEqual(order, ['other 0', 'other 1'])
    first.release()
    await Promise.all(waiting)
    assert.equal(order.length, 16)
  })

  // Guards: slow-checks
  it('are ended, and their memory released, soon after there is nothing to do', async (context) => {
    // Nothing else keeps the process running: idle threads and their timers do not.
    const awake = setInterval(() => undefined, 1000)
    context.after(() => clearInterval(awake))
    const sanitizer = new SvgSanitizer({ idleMs: 1 })
    await Promise.all(['one', 'other'].map((owner) => sanitizer.sanitize(owner, async () => svg('<g/>'))))
    await sanitizer.ended()
    // Threads start again for the next document.
    assert.match(Buffer.from(await sanitizer.sanitize('one', async () => svg('<g/>'))).toString(), /<g/)
    await sanitizer.ended()
  })
})
