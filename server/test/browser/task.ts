// A task of an administrator in the console, which must take few clicks.
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'

/** Counts the clicks of one task. */
export class Task {
  clicks = 0
  async click(target: Locator) {
    this.clicks++
    await target.click()
  }

  within(clicksMax: number) {
    assert.ok(this.clicks <= clicksMax, `${this.clicks} clicks`)
  }
}
