// The accounts elsewhere with which a user signs in: at social providers, and at the connections of organizations.
import type { SocialConnection } from '@bailiwick/contract'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'

function Access({ access }: { readonly access: NonNullable<SocialConnection['access']> }) {
  const isActive = access.state === 'active'
  return (
    <p>
      <Badge tone={isActive ? 'good' : 'warning'}>{isActive ? 'access kept' : 'access lapsed'}</Badge>{' '}
      {access.scopes.map((scope) => (
        <code key={scope}>{scope} </code>
      ))}
      <span className="quiet">
        allowed <Time at={access.createdAt} />, used <Time at={access.lastUsedAt} />
      </span>
    </p>
  )
}

/** The accounts at social providers, and the access that the tenant keeps to them. */
export function SocialConnections({ userId }: { readonly userId: string }) {
  const { data } = useOperation('listSocialConnections', { params: { id: userId } })
  if (data === undefined || data.length === 0) return null
  return (
    <Section title="Social accounts" about="With these accounts the user can sign in.">
      <ul className="blocks">
        {data.map(({ id, providerKey, email, createdAt, access }) => (
          <li key={id} className="block">
            <div className="block-head">
              <span>
                <strong>{providerKey}</strong> {email}, connected <Time at={createdAt} />
              </span>
              <span className="actions">
                {access === null ? null : (
                  <ConfirmAction
                    operation="deleteProviderAccess"
                    input={{ params: { userId, id } }}
                    label="Remove access"
                    done="The access is removed."
                  >
                    Your servers can no longer act for the user there. The account stays connected.
                  </ConfirmAction>
                )}
              </span>
            </div>
            {access === null ? null : <Access access={access} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

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
