import type { Grant } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useTenantPath } from '../../session/tenant.tsx'

interface GrantTableProps {
  readonly grants: readonly Grant[]
  readonly total: number
  /** Whose other side is shown: the user of an application, or the application of a user. */
  readonly of: 'user' | 'application'
}

/** What users have allowed applications. */
export function GrantTable({ grants, total, of }: GrantTableProps) {
  const path = useTenantPath()
  if (grants.length === 0) return <p className="quiet">None.</p>
  return (
    <>
      <Table
        label="Access to accounts"
        rows={grants}
        keyOf={({ id }) => id}
        columns={[
          {
            title: of === 'user' ? 'User' : 'Application',
            cell: ({ userId, applicationId }) => (
              <Link to={path(of === 'user' ? `users/${userId}` : `applications/${applicationId}`)}>
                <code>{of === 'user' ? userId : applicationId}</code>
              </Link>
            ),
          },
          {
            title: 'Allowed',
            cell: ({ scopes, resources }) => [...scopes, ...resources.flatMap((each) => each.scopes)].join(', '),
          },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (
              <ConfirmAction operation="deleteGrant" input={{ params: { id } }} label="Take back">
                The refresh tokens of the application end at once. A JWT is good until it expires.
              </ConfirmAction>
            ),
          },
        ]}
      />
      {total > grants.length ? (
        <p className="quiet">
          The newest {grants.length} of {total}.
        </p>
      ) : null}
    </>
  )
}
