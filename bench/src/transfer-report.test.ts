import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TransferRun, sectionsOfOthers, transferSection, withoutTransfers } from './transfer-report.ts'

const run = (users: number, ownMegabytes: number, isHeld = false): TransferRun => ({
  engine: 'sqlite',
  users,
  isHeld,
  steps: [
    { name: 'Import', seconds: users / 2000, cpuSeconds: users / 10_000, ownMegabytes, residentMegabytes: 300 },
    { name: 'Export', seconds: 1, cpuSeconds: 1, ownMegabytes: ownMegabytes - 10, residentMegabytes: 300 },
  ],
})
const description = {
  date: '2026-11-21',
  commit: 'abc',
  command: 'node import-export.ts',
  machine: '2 cores',
  load: [0.5, 2],
  heldHeap: '--max-old-space-size=64',
} as const

describe('the section of imports and exports', () => {
  it('lists every step, and the memory that more users took, separately for each way of running', () => {
    const section = transferSection(
      [run(5000, 100), run(1000, 80), run(1000, 60, true), run(5000, 60, true)],
      description,
    )
    assert.match(section, /5\.0 times the users took 1\.25x the own memory: 100 MB after 80\.0 MB\./)
    assert.match(section, /took 1\.00x the own memory with the heap held: 60\.0 MB after 60\.0 MB\./)
    assert.match(section, /\| 5,000 \| Import \| 2\.5 s \| 2,000\/s \| 100 µs \| 100 MB \| 300 MB \|/)
    assert.match(section, /\| 1,000, heap held \| Export \|/)
  })

  it('can be removed from the end of the result, which is otherwise unchanged', () => {
    const section = transferSection([run(1000, 80)], description)
    assert.deepEqual(withoutTransfers(`# Results\n\ntable\n${section}`), { rest: '# Results\n\ntable\n', section })
    assert.deepEqual(withoutTransfers('# Results\n'), { rest: '# Results\n', section: '' })
    const longRuns = '\n## Long runs\n\ntable\n'
    assert.deepEqual(withoutTransfers(`# Results\n${section}${longRuns}`), { rest: `# Results\n${longRuns}`, section })
    for (const others of [section, longRuns, section + longRuns, longRuns + section]) {
      assert.equal(sectionsOfOthers(`# Results\n\n## Method\n${others}`), others)
    }
    assert.equal(sectionsOfOthers('# Results\n'), '')
  })
})
