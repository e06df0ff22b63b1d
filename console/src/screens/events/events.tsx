import { useCallback, useState } from 'react'
import { schemas } from 'virtual:operation-schemas'
import { useOperation } from '../../api/use-operation.ts'
import { choicesOf, schemaAt } from '../../form/schema.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { type Column, Table } from '../../lists/table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { usePageAction } from '../../parts/page-actions.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Actor, Subject } from '../../values/actor.tsx'
import { Time } from '../../values/time.tsx'
import { personName } from '../../values/user-name.ts'
import { type Event, EventDialog } from './event-dialog.tsx'
import { useLiveEvents } from './live-events.ts'
import { LogCheck } from './log-check.tsx'

/** Administrators and API keys to choose from; undefined unless the reader may list both. */
function useActors() {
  const { id: tenantId } = useTenant()
  const mayList = [useMayCall('listTenantMembers').isAllowed, useMayCall('listApiKeys').isAllowed].every(Boolean)
  const query = { perPage: '100' }
  const members = useOperation('listTenantMembers', { params: { tenantId }, query }, { enabled: mayList })
  const keys = useOperation('listApiKeys', { params: { tenantId }, query }, { enabled: mayList })
  if (members.data === undefined || keys.data === undefined) return undefined
  return [
    ...members.data.data.map(({ userId, user }) => ({ value: userId, label: personName(user, userId) })),
    ...keys.data.data.map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ]
}

const types = choicesOf(schemaAt(schemas.listEvents.query, 'type'))

export function Events() {
  const { id: tenantId } = useTenant()
  const [isLive, setLive] = useState(false)
  const [shown, setShown] = useState<Event>()
  const { events, error } = useLiveEvents(tenantId, isLive)
  const actors = useActors()
  const toggle = useCallback(() => setLive((was) => !was), [])
  usePageAction(isLive ? 'Stop following events' : 'Follow events live', toggle)
  const columns: readonly Column<Event>[] = [
    {
      title: 'Event',
      cell: (event) => (
        <button type="button" className="link-button" onClick={() => setShown(event)}>
          {event.type}
        </button>
      ),
    },
    { title: 'About', cell: (event) => <Subject of={event.subject} name={event.subjectName} /> },
    { title: 'By', cell: (event) => <Actor of={event.actor} name={event.actorName} /> },
    { title: 'From', cell: ({ ip }) => (ip === null ? '' : <span className="whole">{ip}</span>) },
    { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  const follow = (
    <button type="button" className="button" aria-pressed={isLive} onClick={toggle}>
      {isLive ? <span className="live-dot" /> : <Icon name="clock" />} {isLive ? 'Live' : 'Follow live'}
    </button>
  )
  return (
    <Page title="Events" about="Every change of this tenant: who made it, when, and what it was." actions={follow}>
      {error === undefined ? null : <Problem error={error} />}
      {isLive ? (
        events.length === 0 ? (
          <Empty title="Waiting for the next event">What happens from now on appears here at once.</Empty>
        ) : (
          <Table label="Events as they happen" columns={columns} rows={events} keyOf={({ id }) => id} />
        )
      ) : (
        <>
          <LogCheck />
          <RecordList
            operation="listEvents"
            input={{ params: { tenantId } }}
            label="Events"
            keyOf={({ id }) => id}
            filters={[
              { name: 'type', label: 'Event', options: types },
              { name: 'actor', label: 'By', ...(actors === undefined ? {} : { options: actors }) },
              { name: 'subject', label: 'ID of the subject' },
              { name: 'createdAfter', label: 'After', type: 'date' },
              { name: 'createdBefore', label: 'Before', type: 'date' },
            ]}
            columns={columns}
            empty={<Empty title="Nothing has happened yet">Each change of this tenant appears here.</Empty>}
          />
        </>
      )}
      {shown === undefined ? null : <EventDialog event={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}
