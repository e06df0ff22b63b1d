// Loads libraries that are not needed at the start when they are first used: synchronously, because their callers are.
import { createRequire } from 'node:module'

/** @param from the file from which the name is resolved. */
export function loadLater<Module>(name: string, from: string = import.meta.url): () => Module {
  let loaded: Module | undefined
  return () => (loaded ??= createRequire(from)(name) as Module)
}
