// Node's runner follows every promise and timer of a process, to say which test has caused an error that nobody handles. That takes 5 to 10
// per cent of the time of all tests, and the runner needs it only while tests are being defined. Imported before `node:test`.
import hooks from 'node:async_hooks'
import { inspect } from 'node:util'

const { createHook } = hooks
const created = []

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  created.push(hook)
  return hook
}

/** Ends it in this process. From then on an error that nobody handles is one of the process, and is printed with its stack. */
export function stopTracking() {
  hooks.createHook = createHook
  for (const hook of created) hook.disable()
  for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) {
    process.on(event, (error) => process.stderr.write(`${inspect(error)}\n`))
  }
}
