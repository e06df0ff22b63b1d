// The errors of operations on organizations, as sentences beside the fields.
import type { ErrorCode } from '@bailiwick/contract'
import type { TextKey, TextOf } from '@bailiwick/pages'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import { type Problems, problemsOf } from '../problems.ts'

/** Applies to the whole form if the field is `form`. */
const codeTexts = {
  organization_slug_taken: ['slug', 'error.slugTaken'],
  invitation_exists: ['email', 'error.invitedAlready'],
  member_exists: ['email', 'error.memberAlready'],
  membership_limit_reached: ['form', 'error.organizationFull'],
  message_quota_reached: ['form', 'error.messageQuota'],
  invitation_invalid: ['form', 'error.invitationAnswered'],
  last_manager: ['form', 'error.lastManager'],
  group_exists: ['name', 'error.groupTaken'],
  group_limit_reached: ['form', 'error.groupLimit'],
  role_name_taken: ['name', 'error.ownRoleTaken'],
  role_limit_reached: ['form', 'error.ownRoleLimit'],
  role_in_use: ['form', 'error.ownRoleInUse'],
  domain_exists: ['name', 'error.domainListed'],
  domain_limit_reached: ['form', 'error.domainLimit'],
  domain_taken: ['form', 'error.domainTaken'],
  forbidden: ['form', 'error.roleBeyond'],
} as const satisfies Partial<Record<ErrorCode, readonly [string, TextKey]>>

const fieldTexts = { slug: 'error.slug', imageUri: 'error.webAddress' } as const
const issueTexts = { public_domain: 'error.domainPublic' } as const

/**
 * Returns undefined if the form is not at fault.
 * @param isManager whether the reader may make such changes: then the role is one that they may not give or remove.
 */
export function organizationProblems(thrown: unknown, text: TextOf, isManager = false): Problems | undefined {
  const error = apiErrorOf(thrown)
  const { code, issues } = error
  if (code === 'forbidden' && !isManager) return undefined
  if (Object.hasOwn(codeTexts, code)) {
    const [field, key] = codeTexts[code as keyof typeof codeTexts]
    return { errors: { [field]: text(key) }, status: error.statusCode }
  }
  const problems = problemsOf(error, text)
  if (problems === undefined || code !== 'validation_failed') return problems
  const better = issues.flatMap((issue) => {
    const field = issue.path.slice(1)
    const key =
      (issueTexts as Readonly<Record<string, (typeof issueTexts)['public_domain']>>)[issue.code] ??
      (fieldTexts as Readonly<Record<string, (typeof fieldTexts)[keyof typeof fieldTexts]>>)[field]
    return key === undefined ? [] : [[field, text(key)] as const]
  })
  return { ...problems, errors: { ...problems.errors, ...Object.fromEntries(better) } }
}
