import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { kindOfPicture, sizeOf, usePictureAddress } from './picture.tsx'

function Address({ id }: { readonly id: string }) {
  const { id: tenantId } = useTenant()
  const [signed, setSigned] = useState<AnswerOf<'signFile'>>()
  const found = useOperation('listTransformations', { params: { tenantId }, query: { perPage: '100' } })
  const options = (found.data?.data ?? []).map(({ name }) => ({ value: name, label: name }))
  return (
    <Section title="Address" about="Everyone with this address can see the picture until the address expires.">
      <OperationForm
        operation="signFile"
        params={{ id }}
        fields={[
          { name: 'transformation', options, hint: 'How the picture is changed before it is shown.' },
          {
            name: 'expiresIn',
            label: 'Lifetime',
            hint: 'If empty, 10 minutes; 1 week at most.',
            isSeconds: true,
          },
        ]}
        submit="Create an address"
        onDone={setSigned}
      />
      {signed === undefined ? null : (
        <p role="status">
          <Copyable name="address" text={signed.url} /> <span className="quiet">expires</span>{' '}
          <Time at={signed.expiresAt} />
        </p>
      )}
    </Section>
  )
}

function Shown({ file }: { readonly file: AnswerOf<'getFile'> }) {
  const { id, path: name, mime, size, width, height, createdAt } = file
  const address = usePictureAddress(id)
  return (
    <Page title={name}>
      <Section title="Picture">
        <div className="picture">{address === undefined ? null : <img src={address} alt={name} />}</div>
        <Facts
          rows={[
            ['Kind', kindOfPicture(mime ?? '')],
            ['Size', sizeOf(size)],
            ['Pixels', width === null || height === null ? undefined : `${width} × ${height}`],
            ['Added', <Time key="added" at={createdAt} />],
            ['ID', <Copyable key="id" text={id} />],
          ]}
        />
      </Section>
      <Address id={id} />
      <DeleteSection
        operation="deleteFile"
        input={{ params: { id } }}
        title="Delete this file"
        about="A picture that is in use cannot be deleted."
        label="Delete file"
        list="media"
      >
        It is gone at once, with all its addresses. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function MediaFile() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Query of={useOperation('getFile', { params: { id } })} what="file">
      {(found) => <Shown key={found.id} file={found} />}
    </Query>
  )
}
