import { messageOf } from '../../api/client.ts'
import { useChange } from '../../api/use-operation.ts'
import { useMayCall } from '../../session/rights.ts'
import { useOrganizationRoles } from '../../session/role-options.ts'

interface RoleChoiceProps {
  readonly operation: 'updateOrganizationMember' | 'updateOrganizationInvitation'
  readonly organizationId: string
  readonly id: string
  readonly roleId: string | null
  /** The name of the role, which may not be among the newest hundred. */
  readonly roleName: string | undefined
  /** The person whose role it is, for screen readers. */
  readonly of: string
}

/** The role of a member or an invitation, changed as it is chosen. */
export function RoleChoice({ operation, organizationId, id, roleId, roleName, of }: RoleChoiceProps) {
  const options = useOrganizationRoles(organizationId)
  const right = useMayCall(operation)
  const change = useChange(operation)
  const isListed = roleId === null || options.some(({ value }) => value === roleId)
  if (!right.isAllowed) return roleName ?? <span className="quiet">none</span>
  return (
    <>
      <select
        aria-label={`Role of ${of}`}
        value={roleId ?? ''}
        disabled={change.isPending}
        onChange={({ target }) =>
          change.mutate({ params: { id }, body: { roleId: target.value === '' ? null : target.value } })
        }
      >
        <option value="">No role</option>
        {isListed ? null : <option value={roleId}>{roleName}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {change.error === null ? null : (
        <p className="field-problem" role="alert">
          {messageOf(change.error)}
        </p>
      )}
    </>
  )
}
