// Says from when on events exist, checks the seals of the event log part by part, with progress, and says where somebody has tampered with it.
import { useRef, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { call } from '../../api/client.ts'
import type { AnswerOf } from '../../api/operations.ts'
import { Section } from '../../parts/page.tsx'
import { Problem } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Badge } from '../../values/badge.tsx'
import { LogRetention } from './log-retention.tsx'

type Finding = AnswerOf<'verifyEvents'>['problems'][number]

interface Check {
  readonly state: 'running' | 'stopped' | 'done'
  readonly checked: number
  readonly findings: readonly Finding[]
  readonly error?: unknown
}

const findingsMax = 100
const counted = new Intl.NumberFormat(locale)

const meanings: Readonly<Record<Finding['kind'], string>> = {
  changed: 'This event is not what was sealed.',
  removed: 'An event that was sealed is missing.',
  inserted: 'This event was never sealed.',
  seal_missing: 'A seal is missing.',
  checkpoint: 'The newest seal is not the one that was signed.',
  anchor: 'The log does not begin where the server has removed old events.',
}

function useCheck() {
  const { id: tenantId } = useTenant()
  const [check, setCheck] = useState<Check>()
  const end = useRef<AbortController>(undefined)
  async function run() {
    const own = new AbortController()
    end.current = own
    let done: Check = { state: 'running', checked: 0, findings: [] }
    let from: string | null = ''
    setCheck(done)
    try {
      while (from !== null) {
        const query = from === '' ? {} : { from }
        const part: AnswerOf<'verifyEvents'> = await call('verifyEvents', {
          params: { tenantId },
          query,
          signal: own.signal,
        })
        const findings = [...done.findings, ...part.problems].slice(0, findingsMax)
        done = { state: 'running', checked: done.checked + part.checked, findings }
        from = part.next
        setCheck(done)
      }
      setCheck({ ...done, state: 'done' })
    } catch (error) {
      setCheck({ ...done, state: 'stopped', ...(own.signal.aborted ? {} : { error }) })
    }
  }
  return { check, run, stop: () => end.current?.abort() }
}

function Outcome({ check: { state, checked, findings } }: { readonly check: Check }) {
  const amount = counted.format(checked)
  if (findings.length > 0) {
    return (
      <>
        <p>
          <Badge tone="bad">tampered with</Badge> {findings.length === findingsMax ? 'At least ' : ''}
          {counted.format(findings.length)} of {amount} do not fit.
        </p>
        <ul className="findings">
          {findings.map(({ kind, sequence, eventId }) => (
            <li key={`${kind} ${sequence ?? ''} ${eventId ?? ''}`}>
              {meanings[kind]} {sequence === null ? null : `Seal ${counted.format(sequence)}. `}
              {eventId === null ? null : <code>{eventId}</code>}
            </li>
          ))}
        </ul>
      </>
    )
  }
  if (state === 'running') return <p>{amount} checked so far …</p>
  if (state === 'stopped') return <p>Stopped after {amount}; nothing wrong so far.</p>
  return (
    <p>
      <Badge tone="good">untouched</Badge> All {amount} seals and events fit.
    </p>
  )
}

export function LogCheck() {
  const right = useMayCall('verifyEvents')
  const { check, run, stop } = useCheck()
  const isRunning = check?.state === 'running'
  return (
    <>
      <LogRetention />
      <Section
        title="Tamper check"
        about="Each event is sealed with the one before it. The check finds events that were changed, removed or inserted in the database."
        actions={
          isRunning ? (
            <button type="button" className="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <ActionButton right={right} onClick={() => void run()}>
              Check the log
            </ActionButton>
          )
        }
      >
        {check === undefined ? null : (
          <div role="status" className="check">
            {isRunning ? <progress aria-label="Checking" /> : null}
            <Outcome check={check} />
          </div>
        )}
        {check?.error === undefined ? null : <Problem error={check.error} />}
      </Section>
    </>
  )
}
