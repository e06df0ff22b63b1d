/** Runs the actions that waited for a transaction to become durable. */
export function runAfterCommit(actions: readonly (() => void)[]): void {
  for (const action of actions) {
    try {
      action()
    } catch (error) {
      // The transaction has succeeded and its caller must be told so, but a bug in the action must not go unnoticed.
      setImmediate(() => {
        throw error
      })
    }
  }
}
