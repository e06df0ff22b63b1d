import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { GrantTable } from '../grants/grant-table.tsx'

/** The applications with access to a user's account. */
export function UserGrants({ userId }: { readonly userId: string }) {
  const found = useOperation('listUserGrants', { params: { userId }, query: { perPage: '20' } })
  return (
    <Section title="Applications with access">
      <Query of={found}>{({ data, meta }) => <GrantTable grants={data} total={meta.total} of="application" />}</Query>
    </Section>
  )
}
