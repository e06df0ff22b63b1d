import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Actor } from '../../values/actor.tsx'
import { Time } from '../../values/time.tsx'
import { attemptColumns } from '../sign-ins/attempt-columns.tsx'

interface Entry {
  readonly key: string
  readonly text: string
  readonly detail: ReactNode
  readonly at: string
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p className="quiet">Nothing yet.</p>
  return (
    <ol className="timeline">
      {entries.map(({ key, text, detail, at }) => (
        <li key={key}>
          <span>{text}</span> <span className="quiet">{detail}</span> <Time at={at} />
        </li>
      ))}
    </ol>
  )
}

/** What has happened to a user: attempts to sign in, and the event log if the reader may see it. */
export function Timeline({ userId }: { readonly userId: string }) {
  const mayReadEvents = useMayCall('listEvents').isAllowed
  return (
    <>
      <Attempts userId={userId} />
      {mayReadEvents ? <Events userId={userId} /> : null}
    </>
  )
}

function Events({ userId }: { readonly userId: string }) {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const found = useOperation('listEvents', { params: { tenantId }, query: { subject: userId, perPage: '20' } })
  const all = <Link to={path(`events?subject=${userId}`)}>All events</Link>
  return (
    <Section title="Timeline" about="The newest events about this user." actions={all}>
      <Query of={found}>
        {({ data }) => (
          <Entries
            entries={data.map(({ id, type, actor, actorName, createdAt }) => ({
              key: id,
              text: type.replaceAll(/[._]/g, ' '),
              detail: (
                <>
                  by <Actor of={actor} name={actorName} />
                </>
              ),
              at: createdAt,
            }))}
          />
        )}
      </Query>
    </Section>
  )
}

function Attempts({ userId }: { readonly userId: string }) {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const found = useOperation('listSignInAttempts', { query: { tenantId, userId, perPage: '20' } })
  return (
    <Section title="Sign-ins" about="The newest attempts, failed ones included.">
      <Query of={found}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">Nothing yet.</p>
          ) : (
            <Table
              label="Attempts to sign in"
              rows={data}
              keyOf={({ id }) => id}
              to={({ id }) => path(`sign-ins/${id}`)}
              columns={attemptColumns}
            />
          )
        }
      </Query>
    </Section>
  )
}
