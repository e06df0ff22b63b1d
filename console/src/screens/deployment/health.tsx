// The findings of the node that answers, from checking itself and its dependencies.
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'

const marks = {
  ok: { tone: 'good', word: 'fine' },
  warn: { tone: 'warning', word: 'look at this' },
  fail: { tone: 'bad', word: 'broken' },
} as const

const sentences = {
  ok: 'Nothing is wrong.',
  warn: 'Everything works, but something needs attention soon.',
  fail: 'Something is broken.',
} as const

type Finding = AnswerOf<'getDeploymentHealth'>['findings'][number]

const name = { title: 'Check', cell: ({ check }: Finding) => <span className="whole">{check}</span> }
const found = { title: 'Result', cell: ({ detail }: Finding) => detail }

const problemColumns = [
  name,
  {
    title: 'State',
    cell: ({ status }: Finding) => <Badge tone={marks[status].tone}>{marks[status].word}</Badge>,
  },
  found,
  { title: 'What to do', cell: ({ hint }: Finding) => hint },
]

/** The worst findings come first; the good ones are shown on request. */
function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const of = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted)
  const problems = [...of('fail'), ...of('warn')]
  const fine = of('ok')
  const keyOf = ({ check }: Finding) => check
  return (
    <>
      {problems.length === 0 ? null : <Table label="Problems" rows={problems} keyOf={keyOf} columns={problemColumns} />}
      <details className="more">
        <summary>
          {fine.length} of {findings.length} checks found nothing wrong
        </summary>
        <Table label="Checks that found nothing wrong" rows={fine} keyOf={keyOf} columns={[name, found]} />
      </details>
    </>
  )
}

export function Health() {
  const health = useOperation('getDeploymentHealth', {})
  return (
    <Section
      title="Health"
      about="The quick checks. The command bailiwick doctor also checks the integrity of the data."
      actions={
        <button type="button" className="button" aria-busy={health.isFetching} onClick={() => void health.refetch()}>
          Check again
        </button>
      }
    >
      <Query of={health}>
        {({ status, findings, checkedAt, startedAt }) => (
          <>
            <p role="status">
              <Badge tone={marks[status].tone}>{marks[status].word}</Badge> {sentences[status]} Checked{' '}
              <Time at={checkedAt} />, on a node that was started <Time at={startedAt} />.
            </p>
            <Findings findings={findings} />
          </>
        )}
      </Query>
    </Section>
  )
}
