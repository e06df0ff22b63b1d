// The same question under the last versions of the sign-in rules: since when the person can, or cannot, sign in.
import type { SignInExplanation } from '@bailiwick/contract'
import { useQueries } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { RowOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { strategyName } from './steps.tsx'

const versionsMax = '8'

type Version = RowOf<'listAuthVersions'>

const worksIn = ({ firstFactors }: SignInExplanation) =>
  firstFactors.filter(({ usable }) => usable).map(({ strategy }) => strategyName(strategy))

function Versions({ identifier, versions }: { readonly identifier: string; readonly versions: readonly Version[] }) {
  const { id } = useTenant()
  const answers = useQueries({
    queries: versions.map(({ createdAt }) => {
      const input = { params: { id }, body: { identifier, at: createdAt } }
      return {
        queryKey: ['explainSignIn', input],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => call('explainSignIn', { ...input, signal }),
      }
    }),
  })
  const rows = versions.map((version, index) => ({ version, answer: answers[index]?.data }))
  return (
    <Table
      label="Under earlier rules"
      rows={rows}
      keyOf={({ version }) => String(version.version)}
      columns={[
        { title: 'Rules', cell: ({ version }) => `version ${version.version}` },
        { title: 'In force from', cell: ({ version }) => <Time at={version.createdAt} /> },
        {
          title: 'Answer',
          cell: ({ answer }) =>
            answer === undefined ? (
              '…'
            ) : (
              <Badge tone={answer.canSignIn ? 'good' : 'bad'}>
                {answer.canSignIn ? 'can sign in' : 'cannot sign in'}
              </Badge>
            ),
        },
        { title: 'Works', cell: ({ answer }) => (answer === undefined ? '' : worksIn(answer).join(', ') || 'nothing') },
      ]}
    />
  )
}

export function OverTime({ identifier }: { readonly identifier: string }) {
  const { id } = useTenant()
  const found = useOperation('listAuthVersions', { params: { id }, query: { perPage: versionsMax } })
  return (
    <Section title="Over time" about="The same user, as of now, under the latest versions of the sign-in rules.">
      <Query of={found}>{({ data }) => <Versions identifier={identifier} versions={data} />}</Query>
    </Section>
  )
}
