import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'

interface Entry {
  readonly key: string
  readonly text: string
  readonly detail: string
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

/** What has happened to a user: the event log if the reader may see it, otherwise attempts to sign in. */
export function Timeline({ userId }: { readonly userId: string }) {
  const mayReadEvents = useMayCall('listEvents').isAllowed
  return mayReadEvents ? <Events userId={userId} /> : <Attempts userId={userId} />
}

function Events({ userId }: { readonly userId: string }) {
  const { id: tenantId } = useTenant()
  const found = useOperation('listEvents', { params: { tenantId }, query: { subject: userId, perPage: '20' } })
  return (
    <Section title="Timeline" about="The newest events about this user.">
      <Query of={found}>
        {({ data }) => (
          <Entries
            entries={data.map(({ id, type, actor, createdAt }) => ({
              key: id,
              text: type.replaceAll(/[._]/g, ' '),
              detail: `by ${actor.type.replaceAll('_', ' ')}`,
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
  const found = useOperation('listSignInAttempts', { query: { tenantId, userId, perPage: '20' } })
  return (
    <Section title="Attempts to sign in">
      <Query of={found}>
        {({ data }) => (
          <Entries
            entries={data.map(({ id, status, strategy, createdAt }) => ({
              key: id,
              text: status.replaceAll('_', ' '),
              detail: strategy?.replaceAll('_', ' ') ?? '',
              at: createdAt,
            }))}
          />
        )}
      </Query>
    </Section>
  )
}
