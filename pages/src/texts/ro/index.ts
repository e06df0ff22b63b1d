import type { Catalogue } from '../catalogue.ts'
import { account } from './account.ts'
import { applications } from './applications.ts'
import { organizations } from './organizations.ts'
import { signIn } from './sign-in.ts'

export const texts: Catalogue = { ...signIn, ...account, ...organizations, ...applications }
