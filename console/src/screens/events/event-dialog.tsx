// One event with all its details.
import { useEffect, useId, useRef } from 'react'
import type { RowOf } from '../../api/operations.ts'
import { Facts } from '../../parts/page.tsx'
import { CopyButton } from '../../values/copy.tsx'

export type Event = RowOf<'listEvents'>

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function EventDialog({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const { id, type, actor, subject, ip, ua, createdAt } = event
  const data = JSON.stringify(event.data, null, 2)
  return (
    <dialog ref={dialog} className="dialog wide" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{type}</h2>
      <Facts
        rows={[
          [
            'When',
            <time key="time" dateTime={createdAt}>
              {exact.format(new Date(createdAt))}
            </time>,
          ],
          ['By', actor.id === null ? actor.type : <code key="actor">{`${actor.type} ${actor.id}`}</code>],
          ['About', <code key="subject">{`${subject.type} ${subject.id}`}</code>],
          ['From', ip],
          ['With', ua],
          ['ID', <code key="id">{id}</code>],
        ]}
      />
      {/* It scrolls, and so it must be reachable by keyboard. */}
      <pre className="code" tabIndex={0} aria-label="Data">
        <code>{data}</code>
      </pre>
      <div className="actions">
        <CopyButton text={JSON.stringify(event, null, 2)} label="Copy as JSON" />
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  )
}
