// How the background work of the deployment is doing.
import { DirectAction } from '../../actions/direct-action.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty } from '../../parts/states.tsx'
import { locale } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'

type JobKind = AnswerOf<'getDeploymentJobs'>['kinds'][number]

const everyMs = 10_000
const counted = new Intl.NumberFormat(locale)

const countOf = (name: 'waiting' | 'running' | 'retrying' | 'scheduled' | 'givenUp') => (kind: JobKind) =>
  kind[name] === 0 ? <span className="quiet">0</span> : counted.format(kind[name])

const columns = [
  { title: 'Kind', cell: ({ kind }: JobKind) => <code className="whole">{kind}</code> },
  { title: 'Waiting', cell: countOf('waiting') },
  { title: 'Running', cell: countOf('running') },
  { title: 'Later', cell: countOf('scheduled') },
  { title: 'Retrying', cell: countOf('retrying') },
  { title: 'Given up', cell: countOf('givenUp') },
  {
    title: 'Oldest due',
    cell: ({ oldestDueAt }: JobKind) =>
      oldestDueAt === null ? <span className="quiet">none</span> : <Time at={oldestDueAt} />,
  },
  {
    title: 'Why one failed',
    cell: ({ kind, error, retrying, givenUp }: JobKind) =>
      retrying + givenUp === 0 ? (
        <span className="quiet">none has</span>
      ) : (
        <>
          {error ?? 'unknown'}{' '}
          <DirectAction
            operation="retryDeploymentJobs"
            input={{ body: { kind } }}
            label="Try again now"
            done={`The failed jobs of ${kind} are due now.`}
          />
        </>
      ),
  },
]

export function Jobs() {
  const jobs = useOperation('getDeploymentJobs', {}, { everyMs })
  return (
    <Section
      title="Background work"
      about="Messages, deliveries and other work in the background, counted every 10 seconds."
    >
      <Query of={jobs}>
        {({ kinds, isComplete }) =>
          kinds.length === 0 ? (
            <Empty title="Nothing to do">All messages are sent and all events are delivered.</Empty>
          ) : (
            <>
              <Table label="Jobs by kind" rows={kinds} keyOf={({ kind }) => kind} columns={columns} />
              {isComplete ? null : <p className="quiet">Only the 10,000 jobs that are due first are counted.</p>}
            </>
          )
        }
      </Query>
    </Section>
  )
}
