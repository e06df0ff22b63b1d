import type { Resource as ResourceRecord } from '@bailiwick/contract'
import { useNavigate } from '@tanstack/react-router'
import { DeleteSection } from '../../actions/delete-section.tsx'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { ScopesField } from './scopes-field.tsx'

const fields: readonly FieldSpec[] = [
  'name',
  { name: 'scopes', render: (control) => <ScopesField control={control} /> },
  {
    name: 'accessTokenFormat',
    label: 'Access token format',
    hint: 'Opaque tokens end at once when they are revoked; a JWT is checked without asking the service.',
    emptyLabel: 'The setting of the application',
  },
  {
    name: 'accessTokenTtl',
    label: 'Access token lifetime',
    hint: 'From 1 minute to 1 day. If empty, the setting of the application.',
    isSeconds: true,
  },
]

export function CreateResource() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Add a resource">
      <Section title="Resource" about="An API that applications call with access tokens of this tenant.">
        <OperationForm
          operation="createResource"
          start={{ tenantId }}
          fields={[
            {
              name: 'indicator',
              label: 'Resource indicator',
              hint: 'What applications send as “resource”, and the audience of their tokens. It cannot be changed later.',
              placeholder: 'https://api.example.com',
            },
            ...fields,
          ]}
          submit="Add resource"
          done="The resource is added."
          onDone={({ id }) => void navigate({ to: path(`resources/${id}`) })}
          onCancel={() => void navigate({ to: path('resources') })}
        />
      </Section>
    </Page>
  )
}

export function Resource() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getResource', { params: { id } })} what="resource">
      {(resource) => <Details key={resource.id} resource={resource} />}
    </Query>
  )
}

function Details({ resource }: { readonly resource: ResourceRecord }) {
  const { id, name, indicator, createdAt } = resource
  return (
    <Page title={name} about="Resource">
      <Section title="For applications">
        <Facts
          rows={[
            ['Resource indicator', <Copyable key="indicator" text={indicator} />],
            ['ID', <Copyable key="id" text={id} />],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
      </Section>
      <Section title="Settings">
        <OperationForm
          operation="updateResource"
          params={{ id }}
          record={resource}
          fields={fields}
          submit="Save"
          done="The resource is saved."
        />
      </Section>
      <DeleteSection
        operation="deleteResource"
        input={{ params: { id } }}
        title="Delete this resource"
        about="Applications get no more tokens for it."
        label="Delete resource"
        name={name}
        list="resources"
      >
        This cannot be undone.
      </DeleteSection>
    </Page>
  )
}
