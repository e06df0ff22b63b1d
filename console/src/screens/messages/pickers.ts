// Channels and templates to choose from in forms.
import { useOperation } from '../../api/use-operation.ts'
import { useTenant } from '../../session/tenant.tsx'
import { kindNameOf } from './channel-fields.ts'

/** The largest page that the service returns. */
const perPage = '100'

interface Choice {
  readonly value: string
  readonly label: string
}

interface Named {
  readonly id: string
  readonly name: string
  readonly type: string
}

const choicesOf = (rows: readonly Named[] | undefined): readonly Choice[] =>
  (rows ?? []).map(({ id, name, type }) => ({ value: id, label: `${name} (${kindNameOf(type)})` }))

export function useChannelChoices(): readonly Choice[] {
  const { id: tenantId } = useTenant()
  return choicesOf(useOperation('listChannels', { params: { tenantId }, query: { perPage } }).data?.data)
}

/** @param type leaves out the templates of other kinds of messages. */
export function useTemplateChoices(type?: string): readonly Choice[] {
  const { id: tenantId } = useTenant()
  const { data } = useOperation('listTemplates', { params: { tenantId }, query: { perPage } })
  return choicesOf(data?.data.filter((each) => type === undefined || each.type === type))
}
