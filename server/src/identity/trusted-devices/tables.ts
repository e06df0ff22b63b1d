import type { SignInStrategy } from '@bailiwick/contract'
import { id, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TrustedDeviceId, UserId } from '../../platform/ids.ts'

/** Devices on which a user is not asked for a second factor. Which device it is, only the hash of its token says. */
export const trustedDevices = table(
  'trusted_devices',
  {
    ...record<TrustedDeviceId>(),
    user_id: id<UserId>(),
    token_hash: text(),
    /** The second factor that was proven on it. */
    factor: text<SignInStrategy>(),
    ...many(text().nullable(), 'browser', 'os'),
    expires_at: time(),
  },
  { notExported: 'a device is trusted where it has signed in' },
)
