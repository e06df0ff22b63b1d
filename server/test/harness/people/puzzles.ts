// Solves puzzles as a browser does, in a second implementation of altcha's protocol.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Challenge, ChallengePurpose } from '@bailiwick/contract'
import type { Browser } from '../browser/frontend.ts'

export async function puzzleFor(browser: Browser, purpose: ChallengePurpose): Promise<Challenge | null> {
  const { challenge } = await browser.ok<{ challenge: Challenge | null }>('getChallenge', { query: { purpose } })
  return challenge
}

export function solve({ puzzle }: Challenge): string {
  assert.ok(puzzle !== null)
  const { salt, challenge, maxnumber } = puzzle
  for (let number = 0; number <= maxnumber; number++) {
    if (hash('sha256', `${salt}${number}`, 'hex') !== challenge) continue
    return Buffer.from(JSON.stringify({ ...puzzle, number })).toString('base64')
  }
  return assert.fail('the puzzle has no solution')
}

/** Returns the header with the answer to a new puzzle. */
export async function answered(browser: Browser, purpose: ChallengePurpose) {
  const challenge = await puzzleFor(browser, purpose)
  assert.ok(challenge !== null, 'no puzzle is needed')
  return { 'x-challenge': solve(challenge) }
}
