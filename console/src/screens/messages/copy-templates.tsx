import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Table } from '../../lists/table.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { useTemplateChoices } from './pickers.ts'

type Copied = AnswerOf<'cloneTemplates'>['templates']

const tones = { created: 'good', overwritten: 'warning', unchanged: 'plain', skipped: 'plain' } as const

export function CopyTemplates() {
  const { id: tenantId } = useTenant()
  const [copied, setCopied] = useState<Copied>()
  return (
    <Page title="Copy templates" about="To another tenant, such as from staging to production.">
      <Section title="Templates">
        <OperationForm
          operation="cloneTemplates"
          start={{ tenantId }}
          fields={[
            { name: 'toTenantId', label: 'To the tenant', hint: 'Its ID. You need the right to edit its settings.' },
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
