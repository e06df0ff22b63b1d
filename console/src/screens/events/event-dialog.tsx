// One event with all its details.
import type { SettingsDifference } from '@bailiwick/contract'
import { useEffect, useId, useRef } from 'react'
import type { RowOf } from '../../api/operations.ts'
import { Facts } from '../../parts/page.tsx'
import { locale } from '../../texts/translate.ts'
import { Actor, Subject } from '../../values/actor.tsx'
import { CopyButton } from '../../values/copy.tsx'
import { Differences } from '../history/differences.tsx'
import { nameOfSetting } from '../rules/setting-names.ts'

type Row = RowOf<'listEvents'>
/** An event; one that has just happened comes without names. */
export type Event = Omit<Row, 'actorName' | 'subjectName'> & Partial<Pick<Row, 'actorName' | 'subjectName'>>

type Fields = Readonly<Record<string, unknown>>
const readFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Returns what an event has changed, field by field, personal data included. */
export function findChanges(data: unknown): readonly SettingsDifference[] {
  const all = readFields(data)
  return [all, readFields(all['personal'])].flatMap((part) => {
    if (part['before'] === undefined && part['after'] === undefined) return []
    const [before, after] = [readFields(part['before']), readFields(part['after'])]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((setting) => ({ setting, from: before[setting], to: after[setting] }))
      .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
  })
}

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

export function EventDialog({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const { id, type, actor, actorName, subject, subjectName, ip, ua, createdAt } = event
  const changes = findChanges(event.data)
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
          ['By', <Actor key="actor" of={actor} name={actorName} />],
          ['About', <Subject key="subject" of={subject} name={subjectName} />],
          ['ID of the subject', <code key="subject-id">{subject.id}</code>],
          ['From', ip],
          ['With', ua],
          ['ID', <code key="id">{id}</code>],
        ]}
      />
      {changes.length === 0 ? null : <Differences of={changes} nameOf={nameOfSetting} />}
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
