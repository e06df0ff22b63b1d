// What the node that answers has found when it checked itself and what it depends on.
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

const marks = {
  ok: { tone: 'good', word: 'fine' },
  warn: { tone: 'warning', word: 'look at this' },
  fail: { tone: 'bad', word: 'broken' },
} as const

const sentences = {
  ok: 'Nothing is wrong.',
  warn: 'Everything works. Some of it will hurt later.',
  fail: 'Something is broken.',
} as const

/** What is worst comes first; what is fine stays in the order in which it was checked. */
const order = ['fail', 'warn', 'ok']

export function Health() {
  const health = useOperation('getDeploymentHealth', {})
  return (
    <Section
      title="Health"
      about="The checks that are quick. The command bailiwick doctor makes more of them, on the integrity of the data."
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
            <Table
              label="Checks"
              rows={findings.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))}
              keyOf={({ check }) => check}
              columns={[
                { title: 'Check', cell: ({ check }) => check },
                {
                  title: 'State',
                  cell: (finding) => <Badge tone={marks[finding.status].tone}>{marks[finding.status].word}</Badge>,
                },
                { title: 'What was found', cell: ({ detail }) => detail },
                { title: 'What to do', cell: ({ hint }) => hint ?? <span className="quiet">nothing</span> },
              ]}
            />
          </>
        )}
      </Query>
    </Section>
  )
}
