import type { UserApiKey } from '@bailiwick/contract'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Time } from '../../values/time.tsx'

function Keys({ keys }: { readonly keys: readonly UserApiKey[] }) {
  if (keys.length === 0) return <p className="quiet">No API keys.</p>
  return (
    <ul className="rows">
      {keys.map(({ id, name, prefix, last4, scopes, lastUsedAt, expiresAt }) => (
        <li key={id}>
          <span>
            <strong>{name}</strong>{' '}
            <code>
              {prefix}…{last4}
            </code>{' '}
            {scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}{' '}
            <span className="quiet">
              used <Time at={lastUsedAt} />
              {expiresAt === null ? '' : ', expires '}
              {expiresAt === null ? null : <Time at={expiresAt} />}
            </span>
          </span>
          <ConfirmAction
            operation="deleteUserApiKey"
            input={{ params: { id } }}
            label="Revoke"
            done="The key is revoked."
          >
            Programs that use it are refused at once.
          </ConfirmAction>
        </li>
      ))}
    </ul>
  )
}

const title = 'API keys'

/** The keys with which programs of a user call the tenant's own API. */
export function KeysOfUser({ userId }: { readonly userId: string }) {
  return (
    <Section title={title} about="With these, programs of the user call your API.">
      <Query of={useOperation('listUserApiKeys', { params: { id: userId } })}>{(keys) => <Keys keys={keys} />}</Query>
    </Section>
  )
}

/** The keys that belong to an organization itself. */
export function KeysOfOrganization({ id }: { readonly id: string }) {
  return (
    <Section title={title} about="With these, programs call your API for the organization.">
      <Query of={useOperation('listOrganizationApiKeys', { params: { id } })}>{(keys) => <Keys keys={keys} />}</Query>
    </Section>
  )
}
