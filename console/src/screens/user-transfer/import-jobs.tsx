// The imports of the last days, and how far those are that have not finished.
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { bailiwick, messageOf } from '../../api/client.ts'
import type { RowOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { saveFile } from '../../parts/download-target.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'

type Job = RowOf<'listImportJobs'>

const everyMs = 1000
const counted = new Intl.NumberFormat(locale)

const states = {
  receiving: <Badge>Arriving</Badge>,
  running: <Badge>Running</Badge>,
  completed: <Badge tone="good">Completed</Badge>,
  failed: <Badge tone="bad">Given up</Badge>,
} satisfies Readonly<Record<Job['state'], unknown>>

function Done({ job: { state, linesDone, linesTotal } }: { readonly job: Job }) {
  if (state === 'receiving') return <progress aria-label="Lines imported" />
  const text = `${counted.format(linesDone)} of ${counted.format(linesTotal)}`
  if (state !== 'running') return text
  return (
    <label className="line-progress">
      {text}
      <progress aria-label="Lines imported" max={linesTotal} value={linesDone} />
    </label>
  )
}

/** Saves the number of each refused line, and what is wrong with it, as a file. The service does not keep the lines themselves. */
function Refusals({ job }: { readonly job: Job }) {
  const right = useMayCall('readImportJobResults')
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    setProblem(undefined)
    try {
      const lines: string[] = []
      for await (const answer of bailiwick.readImportJobResults({
        params: { id: job.id },
        query: { status: 'error' },
      })) {
        if ('line' in answer) lines.push(`${JSON.stringify(answer)}\n`)
      }
      saveFile(new Blob(lines, { type: 'application/x-ndjson' }), `refusals-${job.createdAt.slice(0, 10)}.ndjson`)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <>
      <ActionButton right={right} onClick={() => void run()}>
        Save refusals
      </ActionButton>
      {problem === undefined ? null : (
        <span role="alert" className="field-problem">
          {problem}
        </span>
      )}
    </>
  )
}

function Actions({ job }: { readonly job: Job }) {
  const isFinished = job.finishedAt !== null
  return (
    <>
      {job.error > 0 ? <Refusals job={job} /> : null}
      <ConfirmAction
        operation="deleteImportJob"
        input={{ params: { id: job.id } }}
        label={isFinished ? 'Remove' : 'Cancel import'}
        isDangerous={!isFinished}
      >
        {isFinished
          ? 'Removes this import and its results from the list. Its users stay.'
          : 'The remaining lines are not imported. Users who were created stay.'}
      </ConfirmAction>
    </>
  )
}

const columns = [
  { title: 'Started', cell: ({ createdAt }: Job) => <Time at={createdAt} /> },
  { title: 'State', cell: ({ state }: Job) => states[state] },
  { title: 'Lines', cell: (job: Job) => <Done job={job} /> },
  { title: 'Created', cell: ({ created }: Job) => counted.format(created) },
  { title: 'Already there', cell: ({ exists }: Job) => counted.format(exists) },
  { title: 'Refused', cell: ({ error }: Job) => counted.format(error) },
  { title: 'Actions', cell: (job: Job) => <Actions job={job} /> },
]

const about =
  'Those of the last seven days. They go on if you leave this page. Refusals are saved with the number of the line in your file and what is ' +
  'wrong with it, because the lines themselves are not kept.'

export function ImportJobs() {
  const { id: tenantId } = useTenant()
  const jobs = useOperation('listImportJobs', { query: { tenantId, perPage: '10' } }, { everyMs })
  return (
    <Query of={jobs}>
      {({ data }) =>
        data.length === 0 ? null : (
          <Section title="Imports" about={about}>
            <Table label="Imports" rows={data} keyOf={({ id }) => id} columns={columns} />
          </Section>
        )
      }
    </Query>
  )
}
