// What a PATCH does to the members of a group, without reading the members: a group can have a hundred thousand.
import type { Change } from './patch.ts'
import { readMembers } from './resource.ts'
import { bad } from './scim-error.ts'

export interface MemberChanges {
  /** Whether all who were members leave, except those that are added. */
  readonly removesAll: boolean
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

/** The ids in a path such as members[value eq "2819c223"]. */
function idsWithin({ path: { within = [] } }: Change): readonly string[] {
  return within.map(({ sub, value }) => {
    if (sub.name !== 'value' || typeof value !== 'string') throw bad('invalidPath', 'Members are found by their value.')
    return value
  })
}

const isOfMembers = ({ path }: Change) => path.attribute.name === 'members'

/** Separates the changes of members from those of other attributes. */
export const splitChanges = (changes: readonly Change[]) => ({
  ofMembers: changes.filter(isOfMembers),
  others: changes.filter((each) => !isOfMembers(each)),
})

function removedBy(change: Change): readonly string[] | 'all' {
  const { path, value } = change
  if (path.within !== undefined) {
    const ids = idsWithin(change)
    // A member has one value, so two different ones mean nobody.
    return new Set(ids).size > 1 ? [] : ids
  }
  return value === undefined || value === null ? 'all' : readMembers(value)
}

/**
 * Returns the effect of the operations, one after the other.
 * @throws ScimError invalidPath, invalidValue
 */
export function memberChanges(changes: readonly Change[]): MemberChanges {
  let removesAll = false
  const added = new Set<string>()
  const removed = new Set<string>()
  const clear = () => {
    removesAll = true
    added.clear()
    removed.clear()
  }
  const add = (ids: readonly string[]) => {
    for (const id of ids) {
      added.add(id)
      removed.delete(id)
    }
  }
  for (const change of changes) {
    const { op, path, value } = change
    if (path.sub !== undefined) throw bad('mutability', 'Members are added and removed whole.')
    if (op === 'remove') {
      const ids = removedBy(change)
      if (ids === 'all') clear()
      else
        for (const id of ids) {
          added.delete(id)
          removed.add(id)
        }
    } else {
      if (path.within !== undefined) throw bad('mutability', 'Members are added and removed whole.')
      if (op === 'replace') clear()
      add(readMembers(value))
    }
  }
  return { removesAll, added, removed }
}
