// The connections of organizations with which a user has signed in.
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../values/time.tsx'

export function UserConnections({ userId }: { readonly userId: string }) {
  const { data } = useOperation('listConnectionsOfUser', { params: { userId } })
  if (data === undefined || data.length === 0) return null
  return (
    <Section title="Enterprise connections" about="The identity providers of organizations that know this user.">
      <ul className="blocks">
        {data.map(({ connectionId: id, name, subject, lastUsedAt }) => (
          <li key={id} className="block">
            <div className="block-head">
              <strong>{name}</strong> as <code>{subject}</code>, used <Time at={lastUsedAt} />
              <span className="actions">
                <ConfirmAction
                  operation="deleteConnectionOfUser"
                  input={{ params: { userId, id } }}
                  label="Forget identity"
                >
                  The next sign-in with {name} finds the user by the verified address again.
                </ConfirmAction>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
