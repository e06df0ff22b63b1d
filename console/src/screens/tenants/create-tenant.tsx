import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'

export function CreateTenant() {
  const navigate = useNavigate()
  return (
    <Page
      title="Create a tenant"
      about="It is ready at once: keys, sign-in rules, roles, message templates and pages to sign in."
    >
      <Section title="Tenant" about="One customer, one product or one environment of yours.">
        <OperationForm
          operation="createTenant"
          start={{ environment: 'development' }}
          fields={[
            'name',
            'environment',
            { name: 'slug', hint: 'Part of its addresses. If empty, it is made from the name.' },
            { name: 'domain', hint: 'A domain of yours where its pages will be, such as id.example.com.' },
          ]}
          submit="Create tenant"
          done="The tenant is created."
          onDone={(tenant) => void navigate({ to: tenant === null ? '/' : `/t/${tenant.id}` })}
          onCancel={() => void navigate({ to: '/' })}
        />
      </Section>
    </Page>
  )
}
