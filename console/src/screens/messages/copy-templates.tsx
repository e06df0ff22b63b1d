import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldDetails } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Table } from '../../lists/table.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { useTemplateChoices } from './pickers.ts'

type Copied = AnswerOf<'cloneTemplates'>['templates']

const tones = { created: 'good', overwritten: 'warning', unchanged: 'plain', skipped: 'plain' } as const

const perPage = '100'

/** The other tenants by name; of more than a page of them the id is asked for. */
function useTenantChoice(): Pick<FieldDetails, 'hint' | 'options'> {
  const { id: own } = useTenant()
  const { data } = useOperation('listOwnTenants', { query: { perPage } })
  const right = 'You need the right to edit its settings.'
  if (data === undefined || data.meta.total > Number(perPage)) return { hint: `Its ID. ${right}` }
  const others = data.data.filter(({ id }) => id !== own)
  return {
    hint: right,
    options: others.map(({ id, name, environment }) => ({ value: id, label: `${name} (${environment})` })),
  }
}

export function CopyTemplates() {
  const { id: tenantId } = useTenant()
  const tenants = useTenantChoice()
  const [copied, setCopied] = useState<Copied>()
  return (
    <Page title="Copy templates" about="To another tenant, such as from staging to production.">
      <Section title="Templates">
        <OperationForm
          operation="cloneTemplates"
          start={{ tenantId }}
          fields={[
            {
              name: 'toTenantId',
              label: 'To the tenant',
              ...tenants,
            },
            {
              name: 'templates',
              label: 'Templates',
              options: useTemplateChoices(),
              hint: 'If empty, all of them.',
            },
            { name: 'overwrite', label: 'Replace templates that the other tenant has under the same names' },
          ]}
          toBody={({ templates, ...body }) =>
            Array.isArray(templates) && templates.length > 0 ? { ...body, templates: templates as unknown } : body
          }
          submit="Copy templates"
          done="The templates are copied."
          onDone={(answer) => setCopied(answer.templates)}
        />
      </Section>
      {copied === undefined ? null : (
        <Section title="Result">
          <Table
            label="Copied templates"
            rows={copied}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Outcome', cell: ({ outcome }) => <Badge tone={tones[outcome]}>{outcome}</Badge> },
            ]}
          />
        </Section>
      )}
    </Page>
  )
}
