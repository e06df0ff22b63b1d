import type { CatalogueLike } from '../catalogue.ts'
import type { account as english } from '../en/account.ts'

export const account: CatalogueLike<typeof english> = {}
