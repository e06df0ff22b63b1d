// Checks that the catalogue of errors, its documentation and its uses agree.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  type Endpoint,
  binaryEndpoints,
  commonErrorCodes,
  endpoints,
  errorCatalogue,
  frontendEndpoints,
  outsideErrorCodes,
} from '@bailiwick/contract'

const documentation = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const rows = documentation
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, code = '', status = '', when = '', remedy = '', ...more]) => ({ code, status, when, remedy, more }))

const documented = rows.map(({ code, status }) => `${code} ${status}`)
const declared = Object.entries(errorCatalogue).map(([code, { status }]) => `\`${code}\` ${status}`)

describe('the error catalogue', () => {
  it('is documented completely, each code with its status, and nothing else is documented', () => {
    assert.deepEqual(documented.toSorted(), declared.toSorted())
  })

  it('is documented with the cause of each error and what to do', () => {
    for (const { code, when, remedy, more } of rows) {
      assert.ok(when.length > 10 && remedy.length > 5, code)
      assert.deepEqual(more, [''], `${code}'s row has a column too many`)
    }
  })

  it('has stable codes, each with an error status and one sentence', () => {
    for (const [code, { status, message }] of Object.entries(errorCatalogue)) {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/)
      assert.ok(status >= 400 && status <= 599, code)
      assert.match(message, /^[A-Z].*[^\s.]\.$/, code)
    }
  })

  it('has no dead code: each is declared by an operation, common to all, or that of a path without operations', () => {
    const catalogues = [endpoints, binaryEndpoints, frontendEndpoints]
    const allEndpoints = catalogues.flatMap((each) => Object.values(each) as Endpoint[])
    const used = new Set([...commonErrorCodes, ...outsideErrorCodes, ...allEndpoints.flatMap(({ errors }) => errors)])
    const dead = Object.keys(errorCatalogue).filter((code) => !(used as ReadonlySet<string>).has(code))
    assert.deepEqual(dead, [])
  })

  it('lets no operation declare a code twice, or one that is common to all', () => {
    for (const { id, errors } of Object.values({ ...endpoints, ...binaryEndpoints }) as Endpoint[]) {
      assert.equal(new Set([...commonErrorCodes, ...errors]).size, commonErrorCodes.length + errors.length, id)
    }
  })
})
