// The tenant's logo: chosen, shown and removed at the top of the brand. It is saved as soon as it is uploaded.
import { messageOf } from '../../api/client.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { PictureField } from '../media/picture-field.tsx'

export function Logo() {
  const { id } = useTenant()
  const right = useMayCall('updateTenant')
  const tenant = useOperation('getTenant', { params: { id } })
  const change = useChange('updateTenant', {
    onDone: ({ logoId }) => toast(logoId === null ? 'The logo is removed.' : 'The logo is on your pages and e-mails.'),
  })
  const problem = change.error === null ? undefined : messageOf(change.error)
  return (
    <Section title="Logo">
      <Query of={tenant}>
        {({ logoId }) => (
          <PictureField
            name="logoId"
            label="Picture"
            hint={right.isAllowed ? 'SVG, PNG, JPEG or WebP. It is saved as soon as you choose it.' : right.reason}
            control={{
              value: logoId,
              onChange: (chosen) => change.mutate({ params: { id }, body: { logoId: chosen as string | null } }),
              isDisabled: !right.isAllowed || change.isPending,
              problemAt: () => problem,
            }}
          />
        )}
      </Query>
    </Section>
  )
}
