// What the connections of the organization that owns the domain of an address change of how somebody signs in.
import type { SignInExplanation } from '@bailiwick/contract'
import type { DomainConnections } from '../../enterprise/connections/sign-on-rules.ts'

type Explained = Pick<SignInExplanation, 'canSignIn' | 'reasons' | 'firstFactors' | 'connections'>
type Explaining = Omit<Explained, 'connections'>

const nobody = 'no user has this identifier'
const noFactor = 'no first factor can be used'

/** A pure function. Whoever the provider identifies can be made a user, so that nobody needs to have the identifier yet. */
export function withConnections<Explanation extends Explaining>(
  explanation: Explanation,
  found: DomainConnections | undefined,
  userId: string | undefined,
): Explanation & Explained {
  if (found === undefined) return { ...explanation, connections: [] }
  const { rows, isRequired, fallbackUserIds } = found
  const isBound = isRequired && (userId === undefined || !fallbackUserIds.has(userId))
  const names = rows.flatMap(({ name, required }) => (required === 1 ? [`“${name}”`] : [])).join(', ')
  const reason = `the connection ${names} is required`
  const isOn = !explanation.reasons.includes('signInEnabled is off')
  const makesUsers = rows.some(({ jit }) => jit === 'member')
  const isUsable = isOn && (userId !== undefined || makesUsers)
  const others = explanation.firstFactors.map((step) =>
    isBound ? { ...step, usable: false, reasons: [...step.reasons, reason] } : step,
  )
  const reasons = explanation.reasons.filter((each) => !isUsable || (each !== noFactor && each !== nobody))
  return {
    ...explanation,
    canSignIn: reasons.length === 0,
    reasons,
    firstFactors: [
      { strategy: 'enterprise', offered: isOn, usable: isUsable, reasons: isUsable ? [] : [nobody] },
      ...others,
    ],
    connections: rows.map(({ id, name, organization_id: organizationId, required }) => ({
      id,
      name,
      organizationId,
      required: required === 1,
    })),
  }
}
