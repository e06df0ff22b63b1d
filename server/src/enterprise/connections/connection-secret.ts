// The secret of a connection, bound to its row.
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { ConnectionRow } from './queries.ts'
import { connections } from './tables.ts'

type Place = Pick<ConnectionRow, 'tenant_id' | 'id'>

export const sealConnectionSecret = (sealer: Sealer, row: Place, secret: string) =>
  sealer.seal(secret, connections.place('secret', row))

export const openConnectionSecret = (sealer: Sealer, row: Place & Pick<ConnectionRow, 'secret'>) =>
  row.secret === null ? null : sealer.open(row.secret, connections.place('secret', row))
