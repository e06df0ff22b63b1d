// Invitations for the signed-in user to administer a tenant.
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { useMayCall } from '../../session/rights.ts'

export function OwnInvitations() {
  const { isAllowed } = useMayCall('listOwnInvitations')
  const { data = [] } = useOperation('listOwnInvitations', {}, { enabled: isAllowed })
  if (data.length === 0) return null
  return (
    <Section title="Invitations">
      <ul className="rows">
        {data.map(({ id, tenant }) => (
          <li key={id}>
            <span>{tenant.name}</span>
            <span className="actions">
              <DirectAction
                operation="acceptOwnInvitation"
                input={{ params: { id } }}
                label="Accept"
                done="You administer the tenant now."
              />
              <DirectAction
                operation="declineOwnInvitation"
                input={{ params: { id } }}
                label="Decline"
                done="The invitation is declined."
              />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
