import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Time } from '../../values/time.tsx'

/** Where a user is signed in. */
export function UserSessions({ userId }: { readonly userId: string }) {
  const found = useOperation('listUserSessions', { params: { userId }, query: { perPage: '20' } })
  return (
    <Section title="Sessions">
      <Query of={found}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="quiet">The user is not signed in anywhere.</p>
          ) : (
            <>
              <Table
                label="Sessions"
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Browser',
                    cell: ({ browser, device }) => [browser, device].filter(Boolean).join(', ') || 'Unknown',
                  },
                  { title: 'Address', cell: ({ ip }) => ip ?? '' },
                  { title: 'Began', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: 'Actions',
                    cell: ({ id }) => (
                      <ConfirmAction operation="deleteSession" input={{ params: { id } }} label="Sign out">
                        The session is refused everywhere within a second.
                      </ConfirmAction>
                    ),
                  },
                ]}
              />
              {meta.total > data.length ? (
                <p className="quiet">
                  The newest {data.length} of {meta.total}.
                </p>
              ) : null}
            </>
          )
        }
      </Query>
    </Section>
  )
}
