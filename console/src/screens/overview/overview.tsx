import { Copyable } from '../../parts/copy.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { useTenant } from '../../session/tenant.tsx'

export function Overview() {
  const { id, name, slug, environment } = useTenant()
  return (
    <Page title={name} about="Overview">
      <Section title="Tenant">
        <Facts
          rows={[
            ['Id', <Copyable key="id" text={id} />],
            ['Slug', slug],
            ['Environment', environment],
          ]}
        />
      </Section>
    </Page>
  )
}
