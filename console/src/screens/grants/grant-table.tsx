import type { Grant } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'
import { userName } from '../../values/user-name.ts'

interface GrantTableProps {
  readonly grants: readonly Grant[]
  readonly total: number
  /** The other side of each grant to show: the user for an application, or the application for a user. */
  readonly of: 'user' | 'application'
}

/** A grant contains only ids. The name of each user and application is read once, and then reused for every further row. */
function UserLink({ id }: { readonly id: string }) {
  const path = useTenantPath()
  const { data, isPending } = useOperation('getUser', { params: { id } })
  const name = data === undefined ? (isPending ? '…' : id) : userName(data.data)
  return <Link to={path(`users/${id}`)}>{name}</Link>
}

function ApplicationLink({ id }: { readonly id: string }) {
  const path = useTenantPath()
  const right = useMayCall('getApplication')
  const { data, isPending } = useOperation('getApplication', { params: { id } }, { enabled: right.isAllowed })
  if (!right.isAllowed) return <code>{id}</code>
  return <Link to={path(`applications/${id}`)}>{data?.name ?? (isPending ? '…' : id)}</Link>
}

/** Shows what is allowed: the scopes about the user, and those at each resource. */
function Allowed({ grant: { scopes, resources } }: { readonly grant: Grant }) {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const right = useMayCall('listResources')
  const input = { params: { tenantId }, query: { perPage: '100' } }
  const { data } = useOperation('listResources', input, { enabled: right.isAllowed && resources.length > 0 })
  return (
    <ul>
      {scopes.length === 0 ? null : <li>{scopes.join(', ')}</li>}
      {resources.map(({ indicator, scopes: given }) => {
        const found = data?.data.find((each) => each.indicator === indicator)
        const name = found === undefined ? indicator : <Link to={path(`resources/${found.id}`)}>{found.name}</Link>
        return (
          <li key={indicator}>
            {name}: {given.join(', ')}
          </li>
        )
      })}
    </ul>
  )
}

/** The access that users have given to applications. */
export function GrantTable({ grants, total, of }: GrantTableProps) {
  if (grants.length === 0) {
    return (
      <p className="quiet">{of === 'user' ? 'No user has allowed it anything yet.' : 'No application has access.'}</p>
    )
  }
  return (
    <>
      <Table
        label="Access to accounts"
        rows={grants}
        keyOf={({ id }) => id}
        columns={[
          of === 'user'
            ? { title: 'User', cell: ({ userId }) => <UserLink id={userId} /> }
            : { title: 'Application', cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
          { title: 'Allowed', cell: (grant) => <Allowed grant={grant} /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (
              <ConfirmAction operation="deleteGrant" input={{ params: { id } }} label="Revoke access">
                The refresh tokens of the application end at once. JWTs that it already has remain valid until they
                expire.
              </ConfirmAction>
            ),
          },
        ]}
      />
      {total > grants.length ? (
        <p className="quiet">
          The newest {grants.length} of {total.toLocaleString(locale)}.
        </p>
      ) : null}
    </>
  )
}

/** The applications with access to a user's account. */
export function UserGrants({ userId }: { readonly userId: string }) {
  const found = useOperation('listUserGrants', { params: { userId }, query: { perPage: '20' } })
  return (
    <Section title="Applications with access">
      <Query of={found}>{({ data, meta }) => <GrantTable grants={data} total={meta.total} of="application" />}</Query>
    </Section>
  )
}
