// Links to records that are known by their ids, with their names. A name that cannot be read, because the record was deleted or the
// administrator may not see it, is replaced by the end of the id.
import { Link } from '@tanstack/react-router'
import { useOperation } from '../api/use-operation.ts'
import { useMayCall } from '../session/rights.ts'
import { useTenantPath } from '../session/tenant.tsx'
import { userName } from './user-name.ts'

interface NamedLinkProps {
  readonly to: string
  readonly id: string
  readonly name: string | undefined
  readonly isGone: boolean
}

function NamedLink({ to, id, name, isGone }: NamedLinkProps) {
  const path = useTenantPath()
  const text = name ?? <code title={id}>…{id.slice(-6)}</code>
  return isGone ? <span>{text}</span> : <Link to={path(`${to}/${id}`)}>{text}</Link>
}

interface NameProps {
  readonly id: string
}

export function UserLink({ id }: NameProps) {
  const { isAllowed } = useMayCall('getUser')
  const { data, error } = useOperation('getUser', { params: { id } }, { enabled: isAllowed })
  const name = data === undefined ? undefined : userName(data.data)
  return <NamedLink to="users" id={id} name={name} isGone={!isAllowed || error !== null} />
}

export function ChannelLink({ id }: NameProps) {
  const { data, error } = useOperation('getChannel', { params: { id } })
  return <NamedLink to="channels" id={id} name={data?.name} isGone={error !== null} />
}

export function TemplateLink({ id }: NameProps) {
  const { data, error } = useOperation('getTemplate', { params: { id } })
  return <NamedLink to="templates" id={id} name={data?.name} isGone={error !== null} />
}
