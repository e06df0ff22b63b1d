// Which role a connection gives, from what its provider says of the person. Pure, so that every combination can be tested.
import type { RoleRule } from '@bailiwick/contract'
import type { RoleId } from '../../platform/ids.ts'
import type { AssertedPerson } from './asserted-person.ts'

type Claims = AssertedPerson['claims']

export function isMatch({ claim, value }: RoleRule, claims: Claims): boolean {
  if (claim === null) return true
  const said = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (said === undefined) return false
  return value === null || (typeof said === 'string' ? said === value : said.includes(value))
}

/** Returns the role of the first rule that matches; rules of roles that no longer exist are passed over. */
export function roleByRules(
  rules: readonly RoleRule[],
  claims: Claims,
  existing: { readonly has: (id: RoleId) => boolean },
): RoleId | undefined {
  const rule = rules.find((each) => existing.has(each.roleId as RoleId) && isMatch(each, claims))
  return rule?.roleId as RoleId | undefined
}

/**
 * Returns the role that a member has after a sign-in. A role that no rule names was given by hand, and stays.
 * @param asserted by the rules.
 */
export function roleAfter(
  rules: readonly RoleRule[],
  present: RoleId | null,
  asserted: RoleId | undefined,
): RoleId | null {
  const isByHand = present !== null && rules.every(({ roleId }) => roleId !== present)
  return isByHand ? present : (asserted ?? null)
}
