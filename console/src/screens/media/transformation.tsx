import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { BeforeAfter } from './before-after.tsx'
import { StepsField } from './steps-field.tsx'

const fields: readonly FieldSpec[] = [
  { name: 'name', hint: 'Addresses of images name it: ?t=card.' },
  'description',
  { name: 'outputFormat', label: 'Format', hint: 'auto: the best format that the browser accepts.' },
  { name: 'outputWidth', label: 'Width', hint: 'In pixels; 0 keeps the original.' },
  { name: 'outputHeight', label: 'Height', hint: 'In pixels; 0 keeps the original.' },
  { name: 'outputResizeMode', label: 'How the picture is fitted' },
  { name: 'outputQuality', label: 'Quality', hint: '0 to 100' },
  { name: 'outputCompression', label: 'Compression', hint: '0 to 100' },
  { name: 'steps', render: (control) => <StepsField control={control} /> },
]

const beginning = {
  outputFormat: 'auto',
  outputQuality: 80,
  outputCompression: 6,
  outputWidth: 640,
  outputHeight: 0,
  outputResizeMode: 'maximum',
  steps: [],
}

export function CreateTransformation() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(beginning)
  return (
    <Page title="Create a transformation">
      <div className="columns">
        <Section title="Definition">
          <OperationForm
            operation="createTransformation"
            start={{ tenantId, ...beginning }}
            fields={fields}
            submit="Create transformation"
            done="The transformation is created."
            onValues={setValues}
            onDone={({ id }) => void navigate({ to: path(`transformations/${id}`) })}
            onCancel={() => void navigate({ to: path('transformations') })}
          />
        </Section>
        <BeforeAfter values={values} />
      </div>
    </Page>
  )
}

function Shown({ transformation }: { readonly transformation: AnswerOf<'getTransformation'> }) {
  const { id, name, createdAt: _created, updatedAt: _updated, ...definition } = transformation
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(definition)
  return (
    <Page title={name} about="A transformation of pictures">
      <div className="columns">
        <Section title="Definition">
          <OperationForm
            operation="updateTransformation"
            params={{ id }}
            record={transformation}
            fields={fields}
            toBody={(body) => ({ name, ...definition, ...body })}
            submit="Save"
            done="Saved. Images are created again when they are next requested."
            onValues={setValues}
          />
        </Section>
        <BeforeAfter values={values} />
      </div>
      <DeleteSection
        operation="deleteTransformation"
        input={{ params: { id } }}
        title="Delete this transformation"
        about="Image addresses that name it stop working."
        label="Delete transformation"
        name={name}
        list="transformations"
      >
        This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function Transformation() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Query of={useOperation('getTransformation', { params: { id } })} what="transformation">
      {(found) => <Shown key={found.id} transformation={found} />}
    </Query>
  )
}
