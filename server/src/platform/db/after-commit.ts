/** Runs what waited for a transaction to be durable. */
export function runAfterCommit(actions: readonly (() => void)[]): void {
  for (const action of actions) {
    try {
      action()
    } catch (error) {
      // The transaction's caller must hear that it succeeded; the action's bug must not pass in silence either.
      setImmediate(() => {
        throw error
      })
    }
  }
}
