import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ArchiveError } from './archive-error.ts'
import { newHeader, parseHeader } from './archive-header.ts'

const tenantId = 'c0mwrs4scja7jesazn0kjawwd'
const header = newHeader(tenantId, '2026-11-21T13:00:00.000000Z', '0001-version-0-1-0')

describe('the header of an archive', () => {
  it('is read back as it was written, and has a salt of its own', () => {
    assert.deepEqual(parseHeader(JSON.stringify(header)), header)
    assert.equal(parseHeader(JSON.stringify({ ...header, version: 1 })).version, 1)
    assert.notEqual(newHeader(tenantId, header.createdAt, header.schema).kdf.salt, header.kdf.salt)
  })

  // Guards: edited-archives
  it('is refused if it has another format or version, or requires more memory or time than it should', () => {
    const { kdf } = header
    for (const wrong of [
      'null',
      '{',
      '{}',
      { ...header, format: 'tar' },
      { ...header, version: 3 },
      { ...header, tenantId: undefined },
      { ...header, kdf: null },
      { ...header, kdf: { ...kdf, name: 'md5' } },
      { ...header, tenantId: '../c0mwrs4scja7jesazn0kjawwd' },
      { ...header, tenantId: 'c\u001b[2J0mwrs4scja7jesa' },
      { ...header, createdAt: '\u001b[2J' },
      { ...header, kdf: { ...kdf, memoryKiB: kdf.memoryKiB + 1 } },
      { ...header, kdf: { ...kdf, passes: kdf.passes + 1 } },
      { ...header, kdf: { ...kdf, lanes: kdf.lanes + 1 } },
      { ...header, kdf: { ...kdf, passes: 0 } },
      { ...header, kdf: { ...kdf, passes: 1e9 } },
      { ...header, kdf: { ...kdf, lanes: 1.5 } },
      { ...header, kdf: { ...kdf, salt: '' } },
    ]) {
      const line = typeof wrong === 'string' ? wrong : JSON.stringify(wrong)
      assert.throws(() => parseHeader(line), ArchiveError, line)
    }
  })
})
