// Checks the screens against the contract: every management operation is on a screen, or listed with the reason why not.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Endpoint, type EndpointId, endpoints } from '@bailiwick/contract'
import { BailiwickError } from '@bailiwick/sdk'
import { outcomes } from '../src/actions/outcomes.ts'
import { issuesOf } from '../src/form/form-issues.ts'
import { screens } from '../src/screens/screens.ts'
import { notYet, reasons } from './not-on-a-screen.ts'

/** The operations called around every screen: who is signed in, which tenants exist. */
const shell: readonly EndpointId[] = ['getMeta', 'whoAmI', 'listOwnTenants', 'listUsers']

const onScreens: ReadonlySet<string> = new Set([...screens.flatMap(({ operations }) => operations), ...shell])
const all = Object.keys(endpoints) as EndpointId[]

const folder = join(import.meta.dirname, '../src')
const sources = globSync('**/*.tsx', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))

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

  it('have an icon each that means nothing else', () => {
    const icons = screens.flatMap(({ icon }) => (icon === undefined ? [] : [icon]))
    const ofActions = ['alert', 'check', 'chevron', 'close', 'copy', 'menu', 'plus', 'search', 'user'] as const
    const meanings = [...icons, ...ofActions]
    assert.equal(new Set(meanings).size, meanings.length)
  })

  it('have a field for each value that a form sends and that may be taken', () => {
    const forms = sources.flatMap((source) =>
      Array.from(
        source.matchAll(/<OperationForm\s+(?:key=\S+\s+)?operation="(\w+)"/g),
        ([, id = '']) => id as EndpointId,
      ),
    )
    assert.ok(forms.length > 50)
    const homeless = forms.flatMap((id) => {
      const { errors, body }: Endpoint = endpoints[id]
      const fields = Object.keys(Reflect.get(body ?? {}, 'properties') ?? {})
      return (
        errors
          .filter((code) => /_(?:taken|exists)$/.test(code))
          .filter((code) => issuesOf(new BailiwickError(code, 'x'), fields).length !== 1)
          // Copies have the names of what is copied, which no field holds.
          .filter((code) => !(id === 'cloneTemplates' && code === 'template_name_taken'))
          .map((code) => `${id}: ${code}`)
      )
    })
    assert.deepEqual(homeless, [])
  })

  it('say what has happened after each action that is confirmed', () => {
    // What is said of these depends on the answer, or on which of two buttons it was.
    const own = [
      'deleteTenant',
      'restoreTenant',
      'rotateTenantSecretKey',
      'withdrawJwkCertificate',
      'approveWaitlist',
      'declineWaitlist',
    ]
    const silent = sources.flatMap((source) =>
      Array.from(
        source.matchAll(/<(?:ConfirmAction|DeleteSection)\s+operation="(\w+)"([^>]*)/g),
        ([, id = '', rest = '']) =>
          Object.hasOwn(outcomes, id) || own.includes(id) || /\bdone=/.test(rest) ? [] : [id],
      ).flat(),
    )
    assert.deepEqual(silent, [])
  })
})
