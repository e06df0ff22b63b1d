// Imported into a service before it starts: says on standard error, when the process ends, which modules were loaded and what was asked of
// Intl, whose data takes 6 MB as soon as a number is written in a language.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const modules = new Set<string>()
const international = new Set<string>()

registerHooks({
  load(url, context, load) {
    modules.add(url)
    return load(url, context)
  },
})

function watch(owner: object, name: string) {
  const value: unknown = Reflect.get(owner, name)
  const get = () => {
    international.add(name)
    return value
  }
  Object.defineProperty(owner, name, { get, configurable: true })
}

for (const name of Object.getOwnPropertyNames(Intl)) watch(Intl, name)
for (const { prototype } of [Number, BigInt, Date]) {
  for (const name of Object.getOwnPropertyNames(prototype)) if (name.startsWith('toLocale')) watch(prototype, name)
}
watch(String.prototype, 'localeCompare')

process.on('exit', () => {
  writeSync(2, `loaded ${JSON.stringify({ modules: [...modules], international: [...international] })}\n`)
})
