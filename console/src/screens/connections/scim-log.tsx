// What a directory has changed, and what was refused.
import type { RowOf } from '../../api/operations.ts'
import type { Column } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { Paged } from '../organizations/paged.tsx'

const columns: readonly Column<RowOf<'listScimLog'>>[] = [
  { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Request',
    cell: ({ method, resource }) => (
      <code>
        {method} {resource}
      </code>
    ),
  },
  { title: 'Answer', cell: ({ status }) => <Badge tone={status < 400 ? 'good' : 'bad'}>{String(status)}</Badge> },
  { title: 'Why refused', cell: ({ reason }) => reason ?? '' },
]

export function ScimLog({ connectionId: id }: { readonly connectionId: string }) {
  return (
    <Section title="Provisioning log" about="What the directory has changed and what was refused, for 30 days.">
      <Paged
        operation="listScimLog"
        input={{ params: { id } }}
        label="Provisioning log"
        columns={columns}
        keyOf={(row) => row.id}
        empty="The directory has changed nothing yet."
      />
    </Section>
  )
}
