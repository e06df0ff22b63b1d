import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { peersSection, withPeers } from './peers/report.ts'
import { markdown, withAgain } from './report.ts'
import { type ResultRow, atLeast, atMost, below, milliseconds, perSecond, ratioRow, valueRow } from './results.ts'
import { UsageError, isFullRun, readSettings } from './settings.ts'

const comparison = (ratio: number) => ({ ours: 12_345.6, reference: 20_000, ratio, range: [0.5, 0.7] as const })
const look = (ratio: number): ResultRow =>
  ratioRow(comparison(ratio), { engine: 'sqlite', measure: 'Look-up', against: 'bare', budget: atLeast(0.6) })
const run = { date: '2026-11-20', commit: 'abc', command: 'npm run bench', machine: '2 cores' }

describe('the result', () => {
  it('compares every row with its budget and names the rows that miss it', () => {
    const start = valueRow(501, {
      engine: 'postgresql',
      measure: 'Start',
      unit: milliseconds,
      budget: below(500, 'ms'),
    })
    const text = markdown([look(0.6), look(0.59), start], run)
    assert.match(text, /1 of 3 budgets are met\. Missed: Look-up on SQLite .*0\.590x.*; Start on PostgreSQL \(501 ms/)
    assert.match(
      text,
      /\| Look-up \| 12,346\/s \| bare: 20,000\/s \| 0\.600x \(0\.50–0\.70\) \| ≥ 0\.6x \| yes \| 1 \|/,
    )
    assert.match(text, /\| Start \| 501 ms \|  \|  \| < 500 ms \| \*\*no\*\* \| 1 \|/)
  })

  it('says when all are met, and judges nothing without a budget', () => {
    const row = ratioRow(comparison(3), { engine: 'sqlite', measure: 'Peer', against: 'peer' })
    assert.equal(row.isMet, undefined)
    assert.match(markdown([look(1), row], run), /\n1 of 1 budgets are met\.\n/)
    assert.equal(atMost(1.2).isMet(1.21), false)
    assert.equal(atMost(1.2).isMet(1.2), true)
  })

  it('has each measure once, as the latest run measured it, and says which run that was', () => {
    const full = `${markdown([look(0.59), { ...look(0.61), engine: 'postgresql' }], run)}\n## Import\n`
    const again = { ...run, date: '2026-11-22', command: 'npm run bench -- --only=look-up --again' }
    const flood = (ratio: number, counts: string) =>
      ratioRow(comparison(ratio), { engine: 'sqlite', measure: `Flood of 50 (${counts} refused)`, against: 'bare' })
    const first = withAgain(full, [look(0.7), flood(0.3, '171')], again)
    assert.match(first, /\n2 of 2 budgets are met\.\n/)
    assert.deepEqual(
      first.split('\n').filter((line) => /^\| (?:Look|Flood|\d)/.test(line)),
      [
        '| Look-up | 12,346/s | bare: 20,000/s | 0.700x (0.50–0.70) | ≥ 0.6x | yes | 1 |',
        '| Flood of 50 (171 refused) | 12,346/s | bare: 20,000/s | 0.300x (0.50–0.70) |  |  | 1 |',
        '| Look-up | 12,346/s | bare: 20,000/s | 0.610x (0.50–0.70) | ≥ 0.6x | yes | 2 |',
        '| 1 | 2026-11-22 | abc | `npm run bench -- --only=look-up --again` | 2 cores |',
        '| 2 | 2026-11-20 | abc | `npm run bench` | 2 cores |',
      ],
    )
    assert.ok(first.endsWith(full.slice(full.indexOf('## Method'))))
    const second = withAgain(first, [look(0.5), flood(0.4, '180')], { ...again, date: '2026-11-23' })
    assert.match(second, /1 of 2 budgets are met\. Missed: Look-up on SQLite \(0\.500x/)
    assert.match(second, /0\.500x[^]*\(180 refused\)[^]*0\.400x[^]*\| 2 \| 2026-11-20 \|/)
    assert.doesNotMatch(second, /0\.700x|0\.300x|2026-11-22/)
    assert.equal(withAgain(second, [look(0.5)], { ...again, date: '2026-11-23' }).split('\n## Method').length, 2)
  })

  it('shows three digits, or whole numbers with separators', () => {
    assert.equal(perSecond(1_234_567.8), '1,234,568/s')
    assert.equal(perSecond(42.04), '42.0/s')
    assert.equal(milliseconds(0.123_45), '0.123 ms')
  })
})

describe('the section about other services', () => {
  const section = (service: number) =>
    peersSection(
      [
        {
          title: 'Peer',
          store: 'PostgreSQL',
          idleMegabytes: 90,
          loadedMegabytes: 123.4,
          journeys: { 'sign-in': { service, database: 5000 } },
        },
      ],
      run,
    )

  it('has the requests of a core and what they take, and replaces the earlier one', () => {
    const results = '# Results\n\n## Import\n\n## Long runs\n\nfour hours\n'
    const first = withPeers(results, section(15_000))
    assert.match(first, /## Import\n\n## Beside other services\n[^]*\n## Long runs\n\nfour hours\n$/)
    assert.match(first, /\| Peer, PostgreSQL \| – \| 50 \|(?: – \|)+ 90 \| 123 \|/)
    assert.match(first, /\| Peer, PostgreSQL \| – \| 15,000 \+ 5,000 \|/)
    assert.equal(withPeers(first, section(15_000)), first)
    assert.match(withPeers(first, section(20_000)), /\| 40 \|[^]*four hours\n$/)
  })
})

describe('npm run bench', () => {
  it('replaces the result only by a full run', () => {
    assert.equal(isFullRun(readSettings([])), true)
    for (const args of [['--quick'], ['--only=list'], ['--engine=sqlite']]) {
      assert.equal(isFullRun(readSettings(args)), false)
    }
  })

  it('compares other services by itself', () => {
    const { isOfPeers, only } = readSettings(['--only=peers', '--again'])
    assert.deepEqual([isOfPeers, only], [true, []])
    assert.equal(readSettings([]).isOfPeers, false)
    for (const more of ['--only=list', '--engine=sqlite']) {
      assert.throws(() => readSettings(['--only=peers', more]), UsageError)
    }
  })

  it('runs only the given measures', () => {
    assert.deepEqual(readSettings(['--only=list,users', '--only', 'scale']).only, ['list', 'users', 'scale'])
  })

  it('refuses unknown arguments', () => {
    for (const args of [
      ['--only=lists'],
      ['--engine=mysql'],
      ['--fast'],
      ['list'],
      ['--again'],
      ['--again', '--only=list', '--quick'],
    ]) {
      assert.throws(() => readSettings(args), UsageError)
    }
  })
})
