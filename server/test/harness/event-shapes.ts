// Compares every event that a test appends with the catalogue: its data becomes JSON, which the compiler does not fully check.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { eventDefinition } from '@bailiwick/contract'
import { type CheckedEvent, inspectEvents } from '../../src/platform/events/append.ts'
import { assertMatches } from './declared-answers.ts'

const asStored = (data: object): unknown => JSON.parse(JSON.stringify(data))

export function assertInCatalogue({ type, data, personal }: CheckedEvent): void {
  const definition = eventDefinition(type)
  assertMatches(definition.data, asStored(data), `the data of ${type}`)
  if (personal === undefined) return
  assert.ok(
    definition.personal !== undefined,
    `${type} says something about a person, which its entry does not mention`,
  )
  assertMatches(definition.personal, asStored(personal.data), `what ${type} says about a person`)
}

/** Fails the test file in which an event is appended that does not have the shape of its type. */
export function checkAppendedEvents(): void {
  const misfits: unknown[] = []
  inspectEvents((event) => {
    try {
      assertInCatalogue(event)
    } catch (error) {
      misfits.push(error)
      throw error
    }
  })
  // The service answers 500 to the errors above, or tries again in the background; neither shows the reason.
  after(() => {
    if (misfits.length > 0) throw new AggregateError(misfits, `${misfits.length} events break the catalogue`)
  })
}
