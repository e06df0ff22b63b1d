// Libraries that a start can do without, loaded by the first call: synchronously, as those who call are.
import { createRequire } from 'node:module'

/** @param from the file that the name is resolved from. */
export function loadLater<Module>(name: string, from: string = import.meta.url): () => Module {
  let loaded: Module | undefined
  return () => (loaded ??= createRequire(from)(name) as Module)
}
