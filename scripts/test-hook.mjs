// Makes node's test runner follow asynchronous activity without promises, which the tests create by the million: following each of them from
// its creation to its end took about 8 % of the processor time of requests. The runner follows activity to know which test causes an error that
// nobody handles. If such an error comes from a promise, it is printed here, and the file fails instead of the test.
import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
const print = (error) => console.error('Nobody handles', error)

const isRunner = () => new Error('who calls').stack.includes('node:internal/test_runner/')

asyncHooks.createHook = (callbacks) => {
  if (!isRunner()) return createHook(callbacks)
  const hook = createHook({ init: callbacks.init, trackPromises: false })
  // From now on, the runner takes care of what nobody handles.
  process.on('unhandledRejection', print)
  return {
    enable: () => hook.enable(),
    disable() {
      process.off('unhandledRejection', print)
      return hook.disable()
    },
  }
}
