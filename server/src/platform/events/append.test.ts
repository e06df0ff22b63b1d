// The catalogue of events matches what the service appends, by type and by shape.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventDefinition, eventTypes } from '@bailiwick/contract'
import { assertInCatalogue } from '../../../test/harness/event-shapes.ts'
import { createClock } from '../clock.ts'
import { createPersonalSealer } from '../crypto/personal.ts'
import { newId } from '../ids.ts'
import { type CheckedEvent, eventStatement } from './append.ts'

const about = {
  tenantId: newId<'TenantId'>(),
  actor: { type: 'system', id: null, ip: null, ua: null },
  subjectId: newId(),
} as const

/** The source without files that only read events. */
function sourceText(): string {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !/(?:\.test|receivable-events)\.ts$/.test(file))
  return files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
}

/** Types of applications whose operations are still to come; each leaves the list with its operation. */
const toCome: readonly string[] = ['application.logout_delivered', 'application.logout_failed']

describe('the catalogue of events', () => {
  it('has no type that the source does not append', () => {
    // Some types are put together from the action.
    const source = sourceText()
      .replaceAll('`trusted_device.${name}`', "'trusted_device.created' 'trusted_device.deleted'")
      .replaceAll('`user_api_key.${name}`', "'user_api_key.created' 'user_api_key.rotated'")
    assert.deepEqual(
      eventTypes.filter((type) => !source.includes(`'${type}'`)),
      toCome,
    )
  })

  it('says of every type what it is about and what has happened, in one sentence', () => {
    for (const type of eventTypes) {
      const { subject, sentence } = eventDefinition(type)
      assert.match(type, /^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/)
      assert.match(subject, /^[a-z]+(?:_[a-z]+)*$/, type)
      assert.match(sentence, /^[A-Z].{10,}[^.]\.$/, type)
    }
  })
})

describe('eventStatement', () => {
  const [clock, personal] = [createClock(), createPersonalSealer([{ id: 'test', key: new Uint8Array(32) }])]

  it('does not compile with a type, data or a property that the catalogue does not have', () => {
    const wrong = [
      // @ts-expect-error: there is no such type
      () => eventStatement(clock, personal, { ...about, type: 'user.craeted', data: {} }),
      // @ts-expect-error: an event of this type says how many there are
      () => eventStatement(clock, personal, { ...about, type: 'recovery_codes.created', data: {} }),
      // @ts-expect-error: a number is meant
      () => eventStatement(clock, personal, { ...about, type: 'recovery_codes.created', data: { count: '3' } }),
      // @ts-expect-error: an event of this type says nothing
      () => eventStatement(clock, personal, { ...about, type: 'user.unlocked', data: { left: 3 } }),
      () =>
        eventStatement(clock, personal, {
          ...about,
          type: 'user.unlocked',
          data: {},
          // @ts-expect-error: an event of this type says nothing about a person
          personal: { salt: 'a', data: { name: 'Ada' } },
        }),
    ]
    assert.equal(wrong.length, 5)
  })

  it('takes what an event is about from the catalogue', () => {
    const { values } = eventStatement(clock, personal, {
      ...about,
      type: 'auth_configuration.updated',
      data: { version: 2, before: {}, after: {} },
    })
    assert.ok(values.includes('tenant'))
  })
})

describe('the inspection of events in tests', () => {
  const refuses = (event: Pick<CheckedEvent, 'type' | 'data' | 'personal'>, reason: RegExp) =>
    assert.throws(() => assertInCatalogue({ ...about, ...event }), reason)

  it('notices what the compiler cannot see', () => {
    refuses({ type: 'user.unlocked', data: { left: 3 } }, /the data of user\.unlocked breaks its schema/)
    refuses({ type: 'recovery_codes.created', data: {} }, /must have required property 'count'/)
    refuses(
      { type: 'email.created', data: { userId: 'u', primary: true }, personal: { salt: 'a', data: { email: 1 } } },
      /says about a person breaks its schema/,
    )
    refuses(
      { type: 'user.unlocked', data: {}, personal: { salt: 'a', data: { name: 'Ada' } } },
      /user\.unlocked says something about a person, which its entry does not mention/,
    )
  })
})
