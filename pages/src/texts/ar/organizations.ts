import type { CatalogueLike } from '../catalogue.ts'
import type { organizations as english } from '../en/organizations.ts'

export const organizations: CatalogueLike<typeof english> = {}
