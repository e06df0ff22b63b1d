// Loads libraries that are not needed at the start when they are first used: synchronously, because their callers are.
import { createRequire } from 'node:module'

/** @param from the file from which the name is resolved. */
export function loadLater<Module>(name: string, from: string = import.meta.url): () => Module {
  let loaded: Module | undefined
  return () => (loaded ??= createRequire(from)(name) as Module)
}

/** The same for a module of ours, whose import is not repeated: each one that is asks Node's loader again, for some 25 µs. */
export function importLater<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  const forget = (error: unknown) => {
    loading = undefined
    throw error
  }
  return () => (loading ??= load().catch(forget))
}
