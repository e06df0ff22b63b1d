// Holds the screens to the contract: every management operation is on a screen, or it is written down why it is on none.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EndpointId, endpoints } from '@bailiwick/contract'
import { screens } from '../src/screens.ts'
import { notYet, reasons } from './not-on-a-screen.ts'

/** What the console calls around every screen: who is signed in, which tenants there are. */
const shell: readonly EndpointId[] = ['getMeta', 'whoAmI', 'listOwnTenants', 'listUsers']

const onScreens: ReadonlySet<string> = new Set([...screens.flatMap(({ operations }) => operations), ...shell])
const all = Object.keys(endpoints) as EndpointId[]

describe('the screens of the console', () => {
  it('call every operation, but for those that have a reason and those that are still to come', () => {
    const left = all.filter((id) => !onScreens.has(id) && reasons[id] === undefined && !notYet.includes(id))
    assert.deepEqual(left, [])
  })

  it('have no operation that is listed as missing, too', () => {
    assert.deepEqual(
      all.filter((id) => onScreens.has(id) && (notYet.includes(id) || reasons[id] !== undefined)),
      [],
    )
    assert.equal(new Set(notYet).size, notYet.length)
  })

  it('name operations that there are, and have one path each', () => {
    assert.deepEqual(
      [...onScreens].filter((id) => !Object.hasOwn(endpoints, id)),
      [],
    )
    const paths = screens.map(({ path }) => path)
    assert.equal(new Set(paths).size, paths.length)
  })
})
