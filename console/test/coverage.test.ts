// Checks the screens against the contract: every management operation is on a screen, or listed with the reason why not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EndpointId, endpoints } from '@bailiwick/contract'
import { screens } from '../src/screens/screens.ts'
import { notYet, reasons } from './not-on-a-screen.ts'

/** The operations called around every screen: who is signed in, which tenants exist. */
const shell: readonly EndpointId[] = ['getMeta', 'whoAmI', 'listOwnTenants', 'listUsers']

const onScreens: ReadonlySet<string> = new Set([...screens.flatMap(({ operations }) => operations), ...shell])
const all = Object.keys(endpoints) as EndpointId[]

describe('the screens of the console', () => {
  it('call every operation, except those listed with a reason and those still to come', () => {
    const left = all.filter((id) => !onScreens.has(id) && reasons[id] === undefined && !notYet.includes(id))
    assert.deepEqual(left, [])
  })

  it('call no operation that is also listed as missing', () => {
    assert.deepEqual(
      all.filter((id) => onScreens.has(id) && (notYet.includes(id) || reasons[id] !== undefined)),
      [],
    )
    assert.equal(new Set(notYet).size, notYet.length)
  })

  it('name existing operations, and have one path each', () => {
    assert.deepEqual(
      [...onScreens].filter((id) => !Object.hasOwn(endpoints, id)),
      [],
    )
    const paths = screens.map(({ path }) => path)
    assert.equal(new Set(paths).size, paths.length)
  })
})
