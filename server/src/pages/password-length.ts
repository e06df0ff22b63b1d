import type { TenantEntry } from '../tenancy/tenants/tenant-directory.ts'

/** As `checkNewPassword` has it; people are told before they choose. */
export const passwordLengthMin = ({ row }: TenantEntry): number => (row.kind === 'console' ? 12 : 8)
