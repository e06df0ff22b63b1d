// The processes of one machine count together: each tells the others what it has allowed, within milliseconds where little is left of a
// limit and otherwise four times a second, because telling costs more than counting. A use counts at once where it is made.

/** What one process has allowed since it last told the others: how many uses, by limiter and key. */
export type AllowedUses = readonly (readonly [limiter: string, key: string, cost: number])[]

const tellEveryMs = 250
const tellScarceMs = 25
/** Beyond this many keys the others are told at once. */
const keysMax = 5000

type Absorb = (key: string, cost: number) => void

/** Several may have the same name, each with keys of its own kind. */
const limiters = new Map<string, Absorb[]>()
let pending = new Map<string, Map<string, number>>()
let pendingKeys = 0
let tell: (() => void) | undefined
let soon: NodeJS.Timeout | undefined

/** Registers a limiter under its name, if there are other processes. `absorb` takes what another process has allowed, even beyond the limit. */
export function registerLimiter(name: string, absorb: Absorb): void {
  if (tell !== undefined) limiters.set(name, [...(limiters.get(name) ?? []), absorb])
}

/** Records a use, if there are other processes. `isScarce` says that they must hear of it soon. */
export function recordUse(name: string, key: string, cost: number, isScarce: boolean): void {
  if (tell === undefined) return
  let uses = pending.get(name)
  if (uses === undefined) pending.set(name, (uses = new Map()))
  const before = uses.get(key)
  uses.set(key, (before ?? 0) + cost)
  if (before === undefined && ++pendingKeys >= keysMax) tell()
  else if (isScarce) soon ??= setTimeout(tell, tellScarceMs).unref()
}

/** Begins to tell other processes what this one allows. Called before limiters are made. */
export function shareLimits(send: (uses: AllowedUses) => void): void {
  tell?.()
  tell = () => {
    clearTimeout(soon)
    soon = undefined
    if (pendingKeys === 0) return
    const uses = [...pending].flatMap(([name, keys]) => [...keys].map(([key, cost]) => [name, key, cost] as const))
    pending = new Map()
    pendingKeys = 0
    send(uses)
  }
  setInterval(tell, tellEveryMs).unref()
}

/** Counts what another process has allowed. */
export function absorbUses(uses: AllowedUses): void {
  for (const [name, key, cost] of uses) for (const absorb of limiters.get(name) ?? []) absorb(key, cost)
}
